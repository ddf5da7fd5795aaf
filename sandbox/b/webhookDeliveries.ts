import axios from 'axios';

import { setMaxListeners } from '../core/node.mts';
import type { Webhook } from './records';
import type { SettingsB } from './settings';
import type { StateB } from './state';

/** One delivery of an event to one subscription. */
interface Delivery {
	event: string;
	target: string;
	at: number;
	/** The status of the target's response. */
	status?: number;
	/** The reason why there was no response. */
	error?: string;
}

const TIMEOUT_MS = 30_000;

/** Sends events to their subscriptions. */
export class WebhookSender {
	readonly deliveries: Delivery[] = [];

	private readonly running = new Set<Promise<unknown>>();

	private readonly ending = new AbortController();

	constructor(
		private readonly state: StateB,
		private readonly settings: SettingsB,
	) {
		// Many deliveries may run at a time. Node 20 warns of more than ten.
		setMaxListeners(0, this.ending.signal);
	}

	/** Starts sending an event. */
	emit(event: string, data: unknown): void {
		const delivery: Promise<unknown> = this.deliver(event, data);
		this.running.add(delivery);
		void delivery.finally(() => this.running.delete(delivery));
	}

	/** Sends an event to its subscriptions; resolves when all have responded or failed. */
	async deliver(event: string, data: unknown): Promise<Delivery[]> {
		const hooks = this.state.hooks.filter((hook) => hook.event === event);
		const text = JSON.stringify(data ?? null);
		const times = Array.from({ length: this.settings.deliveryRepeats });
		const posts = hooks.flatMap((hook) => times.map(async () => await this.post(hook, text)));
		return await Promise.all(posts);
	}

	/** Empties the list of deliveries. */
	clear(): void {
		this.deliveries.length = 0;
		this.running.clear();
	}

	/** Resolves when no delivery is running. */
	async idle(): Promise<void> {
		while (this.running.size > 0) await Promise.allSettled(this.running);
	}

	/** Aborts running deliveries. */
	end(): void {
		this.ending.abort();
	}

	private async post(hook: Webhook, text: string): Promise<Delivery> {
		const { id, event, target } = hook;
		const delivery: Delivery = { event, target, at: Date.now() };
		this.deliveries.push(delivery);
		const body = `{"hook":${JSON.stringify({ id, event, target })},"data":${text}}`;
		try {
			const { status } = await axios.post(target, body, {
				headers: { 'Content-Type': 'application/json' },
				maxRedirects: 0,
				proxy: false,
				signal: this.ending.signal,
				timeout: TIMEOUT_MS,
				validateStatus: () => true,
			});
			delivery.status = status;
		} catch (error) {
			delivery.error = error instanceof Error ? error.message : String(error);
		}
		return delivery;
	}
}
