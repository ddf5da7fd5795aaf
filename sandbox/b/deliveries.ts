import axios from 'axios';
import { sleep } from '../core/sleep.mts';
import type { Webhook } from './records';
import type { SettingsB } from './settings';
import type { StateB } from './state';

/** One delivery of an event to one subscription. */
export interface Delivery {
	event: string;
	hookId: number;
	target: string;
	at: number;
	/** What the target answered. */
	status?: number;
	/** Why it did not. */
	error?: string;
}

const PATIENCE_MS = 30_000;

/** Carries events to their subscriptions. */
export class Courier {
	readonly deliveries: Delivery[] = [];

	private readonly underWay = new Set<Promise<unknown>>();

	/** Counts the resets, so that what waited before one is not delivered after it. */
	private era = 0;

	private readonly ending = new AbortController();

	constructor(
		private readonly state: StateB,
		private readonly settings: SettingsB,
	) {}

	/** Sends an event after its delay, without waiting for it. */
	emit(event: string, data: () => unknown): void {
		const delayed = event === 'feedback.added_or_changed' && this.settings.deliveryDelayMs > 0;
		const delivery: Promise<unknown> = delayed
			? this.deliverLater(event, data)
			: this.deliver(event, data());
		this.underWay.add(delivery);
		void delivery.finally(() => this.underWay.delete(delivery));
	}

	/** Sends an event to its subscriptions; resolves when each of them was reached, or was not. */
	async deliver(event: string, data: unknown): Promise<Delivery[]> {
		const hooks = this.state.hooks.filter((hook) => hook.event === event);
		const text = JSON.stringify(data ?? null);
		const times = Array.from({ length: this.settings.deliveryRepeats });
		const posts = hooks.flatMap((hook) => times.map(async () => await this.post(hook, text)));
		return await Promise.all(posts);
	}

	/** Drops what waits to be delivered, and the list of what was. */
	forget(): void {
		this.era++;
		this.deliveries.length = 0;
		this.underWay.clear();
	}

	/** Resolves when nothing is under way any more. */
	async idle(): Promise<void> {
		while (this.underWay.size > 0) await Promise.allSettled(this.underWay);
	}

	/** Breaks off what is under way. */
	end(): void {
		this.ending.abort();
	}

	private async deliverLater(event: string, data: () => unknown): Promise<void> {
		const { era } = this;
		await sleep(this.settings.deliveryDelayMs);
		if (era === this.era) await this.deliver(event, data());
	}

	private async post(hook: Webhook, text: string): Promise<Delivery> {
		const { id, event, target } = hook;
		const delivery: Delivery = {
			event,
			hookId: id,
			target,
			at: Date.now(),
		};
		this.deliveries.push(delivery);
		const body = `{"hook":${JSON.stringify({ id, event, target })},"data":${text}}`;
		try {
			delivery.status = await this.send(delivery.target, body);
		} catch (error) {
			delivery.error = error instanceof Error ? error.message : String(error);
		}
		return delivery;
	}

	private async send(target: string, body: string): Promise<number> {
		const { status } = await axios.post(target, body, {
			headers: { 'Content-Type': 'application/json' },
			maxRedirects: 0,
			proxy: false,
			signal: this.ending.signal,
			timeout: PATIENCE_MS,
			validateStatus: () => true,
		});
		return status;
	}
}
