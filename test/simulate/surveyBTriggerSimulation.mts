import axios from 'axios';
import { sleep } from 'n8n-workflow';
import type { INode } from 'n8n-workflow';

import { deliveryBody, startServiceB } from '../../sandbox';
import { EmulatedN8n } from '../contract/surveyBTrigger/emulatedN8n';
import { holdNext } from '../support/hold.mts';
import { changeOf, reversed } from './surveyBTriggerChanges';
import type { Change, RandomChange } from './surveyBTriggerChanges';
import { Ledger } from './surveyBTriggerLedger';

class BrokenPromise extends Error {}

/** What a user sets in the trigger. */
export interface Settings {
	events: string[];
	minScore?: number;
	routeBy: 'none' | 'scoreType';
}

interface Hook {
	id: number;
	event: string;
	target: string;
}

const MINUTE = 60_000;

/** A service, n8n, and users around one workflow with one trigger. */
export class Simulation {
	private readonly ledger = new Ledger();
	private count = 0;
	private edits = 0;
	/** The settings that are published. */
	private published?: Settings;
	private publishedAt = 0;
	/** Changes that no webhook has delivered with a 200 yet. */
	private waiting: Change[] = [];
	private last?: Change;
	private readonly snapshots: string[] = [];
	/** The key of the credential when each webhook was created. */
	private readonly keys = new Map<number, string>();
	private processor = 0;

	private constructor(
		private readonly n8n: EmulatedN8n,
		private settings: Settings,
	) {}

	static async open(settings: Settings): Promise<Simulation> {
		const service = await startServiceB();
		service.state.hooks = [];
		service.settings.extraEvents = ['survey.response_removed'];
		const n8n = await EmulatedN8n.open(service);
		return new Simulation(n8n, settings);
	}

	async close(): Promise<void> {
		await this.n8n.idle();
		await this.n8n.close();
	}

	advanceClock(milliseconds: number): void {
		jest.setSystemTime(Date.now() + milliseconds);
	}

	// Users

	/** Publishes the settings. @param during work while the trigger is activated */
	async publish(during?: () => Promise<void>): Promise<void> {
		const { settings } = this;
		const publishing = this.n8n.publish(this.node(settings));
		await Promise.all([publishing, during?.()]);
		this.noteHooks();
		this.published = settings;
		this.publishedAt = Date.now();
		// Webhooks of before are removed in the background.
		await sleep(MINUTE);
	}

	async edit(changes: Partial<Settings>): Promise<void> {
		this.settings = { ...this.settings, ...changes };
		this.edits++;
		if (this.published) await this.publish();
	}

	async unpublish(): Promise<void> {
		this.published = undefined;
		await this.n8n.unpublish();
		await sleep(MINUTE);
	}

	rotateKey(): void {
		this.n8n.service.apiKey = `rotated-key-number-${++this.count}`;
		this.n8n.apiKey = this.n8n.service.apiKey;
	}

	// The service

	change(random: RandomChange): Change {
		const { events } = this.settings;
		const event = events[random.event % events.length] ?? '';
		return (this.last = changeOf(event, random, ++this.count));
	}

	/** A change is delivered by every webhook of its event. */
	async deliver(change?: Change): Promise<void> {
		if (!change) return;
		if (!this.waiting.includes(change)) this.waiting.push(change);
		for (const hook of this.hooks.filter(({ event }) => event === change.event)) {
			await this.post(hook, change);
		}
	}

	async repeatLast(): Promise<void> {
		await this.deliver(this.last);
	}

	/** A record changes, changes otherwise, and changes back, each time at another process of n8n. */
	async changeThereAndBack(random: RandomChange, other: number, isQueue: boolean): Promise<void> {
		for (const value of [random.value, other, random.value]) {
			this.advanceClock(1000);
			await this.deliver(this.change({ ...random, value }));
			if (isQueue) await this.switchProcess();
		}
	}

	/** Equal deliveries arrive at the same moment. */
	async deliverTogether(random: RandomChange): Promise<void> {
		const change = this.change(random);
		const hook = this.hooks.find(({ event }) => event === change.event);
		if (!hook || !this.isExpected(hook)) return;
		const before = this.n8n.runs.length;
		await Promise.all([1, 2, 3].map(async () => await this.send(hook, change)));
		await this.n8n.idle();
		this.settle(change, 200, this.n8n.runs.length - before);
	}

	/** n8n cannot store the run, and the service sends the delivery again. */
	async failToStore(random: RandomChange): Promise<void> {
		const change = this.change(random);
		const hook = this.hooks.find(({ event }) => event === change.event);
		if (!hook || !this.isExpected(hook)) return;
		this.n8n.store = async () => await Promise.reject(new Error('database is locked'));
		const status = await this.send(hook, change);
		await this.n8n.idle();
		this.n8n.store = async () => {};
		if (status !== 200) this.ledger.noteHeldBack(change);
		await this.deliver(change);
	}

	/** Changes are delivered while a publish waits for the service. */
	async deliverDuringPublish(random: RandomChange, skip: number): Promise<void> {
		if (!this.published) return;
		await this.unpublish();
		const at = skip % this.settings.events.length;
		const held = holdNext(this.n8n.service.faults, { method: 'POST', path: /hooks$/, skip: at });
		const change = this.change(random);
		await this.publish(async () => {
			await held.arrived;
			this.noteHooks();
			for (const hook of this.hooks.filter(({ event }) => event === change.event)) {
				const before = this.n8n.runs.length;
				const status = await this.send(hook, change);
				const isFine = status === 200 || status === 404;
				assert(isFine || !this.isOfKey(hook), `a delivery during a publish got ${status}`);
				const runs = this.n8n.runs.length - before;
				if (status === 200) this.settle(change, status, runs);
			}
			held.release();
		});
		await this.deliver(change);
	}

	// n8n

	async restart(back = 0): Promise<void> {
		this.overwrite(back);
		this.ledger.forgetMain();
		await this.n8n.restartQuietly();
	}

	/** n8n starts, and finds all webhooks in its database. */
	async start(): Promise<void> {
		this.ledger.forgetMain();
		const before = this.n8n.requests.length;
		await this.n8n.restart();
		assert(this.n8n.requests.length === before, 'a start sent requests');
	}

	/** A run or another process that began earlier saves its static data; 0 changes nothing. */
	overwrite(back: number): void {
		this.snapshots.push(JSON.stringify(this.n8n.saved));
		if (back === 0) return;
		this.n8n.saved = JSON.parse(this.snapshots.at(-1 - (back % this.snapshots.length)) ?? '{}');
	}

	/** A Code node empties the static data. */
	empty(): void {
		this.n8n.saved = {};
	}

	async switchProcess(): Promise<void> {
		this.processor = 1 - this.processor;
		this.ledger.process = `processor ${this.processor}`;
		await this.n8n.useProcessor(this.processor);
	}

	/** At the end everything is quiet: every change that a webhook delivers has run. */
	async end(): Promise<void> {
		for (const change of this.waiting) await this.deliver(change);
		if (!this.published) return;
		this.edits++;
		await this.publish();
		for (const event of this.published.events) {
			this.advanceClock(1000);
			const change = changeOf(event, { ...NO_CHANGE, record: ++this.count }, ++this.count);
			await this.deliver(change);
			assert(!this.passes(change) || this.ledger.hasRun(change), `no run for ${event}`);
		}
	}

	private node({ events, minScore, routeBy }: Settings): INode {
		const filters = minScore === undefined ? {} : { minScore };
		// n8n activates a trigger again only if its parameters changed.
		const revision = this.edits;
		return this.n8n.node({ events, routeBy, filters, options: {}, revision });
	}

	private get hooks(): Hook[] {
		return this.n8n.service.state.hooks.map(({ id, event, target }) => ({
			id,
			event: String(event),
			target: String(target),
		}));
	}

	private noteHooks(): void {
		for (const { id } of this.hooks) {
			if (!this.keys.has(id)) this.keys.set(id, this.n8n.apiKey);
		}
	}

	private isOfKey({ id }: Hook): boolean {
		return this.keys.get(id) === this.n8n.apiKey;
	}

	/** True for a delivery that the published trigger has to run. */
	private isExpected(hook: Hook): boolean {
		const isChosen = this.published?.events.includes(hook.event) === true;
		return isChosen && this.isOfKey(hook);
	}

	private passes({ score }: Change): boolean {
		const { minScore = 0 } = this.settings;
		return score === undefined || score >= minScore;
	}

	private async post(hook: Hook, change: Change): Promise<void> {
		const before = this.n8n.runs.length;
		const status = await this.send(hook, change);
		await this.n8n.idle();
		const runs = this.n8n.runs.length - before;
		if (!this.published) return assert(runs === 0, 'an unpublished workflow ran');
		if (this.isExpected(hook)) return this.settle(change, status, runs);
		// A webhook of an earlier key works as long as n8n remembers that key.
		if (runs > 0) this.settle(change, status, runs);
	}

	/** Checks the outcome of a valid delivery. */
	private settle(change: Change, status: number, runs: number): void {
		const passes = this.passes(change);
		if (status === 200) this.waiting = this.waiting.filter((one) => one !== change);
		const wrong = passes
			? this.ledger.check(change, { status, runs }, this.publishedAt)
			: runs > 0 && 'let through by a filter';
		if (!passes) this.ledger.noteHeldBack(change);
		assert(!wrong, `${wrong}: ${change.event} ${JSON.stringify(change.data)}`);
	}

	private async send(hook: Hook, change: Change): Promise<number> {
		const data = ++this.count % 2 === 0 ? change.data : reversed(change.data);
		const body = deliveryBody(hook, data);
		// Two saves never have the same time.
		this.advanceClock(1);
		const { status } = await axios.post(hook.target, body, { validateStatus: () => true });
		return status;
	}
}

const NO_CHANGE = { event: 0, record: 0, value: 10, isEarlier: false, isOfTags: false };

function assert(condition: boolean, message: string): void {
	if (!condition) throw new BrokenPromise(message);
}
