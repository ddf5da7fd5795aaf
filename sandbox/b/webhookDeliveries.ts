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

/** Returns the body of a delivery (contract, section Events). Whatever delivers calls this, the tests too. */
export function deliveryBody({ id, event, target }: Webhook, data: unknown) {
	return { hook: { id, event, target }, data };
}

const TIMEOUT_MS = 30_000;

const MOST_ATTEMPTS = 3;

/** Sends events to their subscriptions. */
export class WebhookSender {
	readonly deliveries: Delivery[] = [];

	/** Starts the deliveries that another one of the same event overtakes. */
	private readonly held = new Map<string, () => void>();

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
		const start = this.held.get(event);
		const isHeld = this.settings.deliveryOrder === 'swapped' && start === undefined;
		const turn = new Promise<void>((resolve) => {
			if (isHeld) this.held.set(event, resolve);
			else resolve();
		});
		const delivery = turn.then(async () => await this.deliver(event, data));
		this.running.add(delivery);
		void delivery.finally(() => {
			this.running.delete(delivery);
			if (start) this.release(event);
		});
	}

	/** Sends an event to its subscriptions; resolves when all have responded or failed. */
	async deliver(event: string, data: unknown): Promise<Delivery[]> {
		const hooks = this.state.hooks.filter((hook) => hook.event === event);
		const times = Array.from({ length: this.settings.deliveryRepeats });
		const posts = hooks.flatMap((hook) => {
			const text = JSON.stringify(deliveryBody(hook, data ?? null));
			return times.map(async () => await this.untilAccepted(hook, text));
		});
		return await Promise.all(posts);
	}

	/** Empties the list of deliveries. */
	clear(): void {
		this.deliveries.length = 0;
		this.running.clear();
		this.held.clear();
	}

	/** Resolves when no delivery is running. */
	async idle(): Promise<void> {
		while (this.running.size > 0) {
			for (const event of this.held.keys()) this.release(event);
			await Promise.allSettled(this.running);
		}
	}

	/** Aborts running deliveries. */
	end(): void {
		this.ending.abort();
	}

	/** Sends the text of a delivery, again after a failure if the settings say so. */
	private async untilAccepted(hook: Webhook, text: string): Promise<Delivery> {
		const attempts = this.settings.failedDelivery === 'repeated' ? MOST_ATTEMPTS : 1;
		for (let attempt = 1; ; attempt++) {
			const delivery = await this.post(hook, text);
			const { status = 0 } = delivery;
			if (status === 410 && this.settings.goneTarget === 'removed') this.forget(hook);
			if ((status >= 200 && status < 300) || attempt === attempts) return delivery;
		}
	}

	private release(event: string): void {
		this.held.get(event)?.();
		this.held.delete(event);
	}

	private signature(): Record<string, string> {
		return this.settings.signature === 'header' ? { 'X-Signature': 'sha256=0123abcd' } : {};
	}

	private forget({ id }: Webhook): void {
		this.state.hooks = this.state.hooks.filter((hook) => hook.id !== id);
	}

	private async post({ event, target }: Webhook, text: string): Promise<Delivery> {
		const delivery: Delivery = { event, target, at: Date.now() };
		this.deliveries.push(delivery);
		try {
			const { status } = await axios.post(target, text, {
				headers: { 'Content-Type': 'application/json', ...this.signature() },
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
