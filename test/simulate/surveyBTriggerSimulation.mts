import axios from 'axios';
import { sleep } from 'n8n-workflow';
import type { INode } from 'n8n-workflow';

import { SurveyB } from '../../nodes/SurveyB/SurveyB.node';
import { startServiceB } from '../../sandbox';
import type { Fault } from '../../sandbox';
import { EmulatedN8n } from '../contract/surveyBTrigger/emulatedN8n';
import { dropDownContext } from '../support/runner';
import { holdNext } from '../support/hold.mts';
import { runOperation } from '../support/runOperation';
import { changeOf, EVENTS, reversed } from './surveyBTriggerChanges';
import type { Change, RandomChange } from './surveyBTriggerChanges';
import { Ledger } from './surveyBTriggerLedger';

class BrokenPromise extends Error {}

/** What a user sets in the trigger. */
export interface Settings {
	events: string[];
	minScore?: number;
	routeBy: 'none' | 'scoreType';
}

/** Faults of requests that create webhooks. */
export type Creation = 'lost' | 503 | 404 | 429 | 'html';

/** How the service answers requests that remove webhooks. */
export type Deletion = 204 | 500 | 'lost';

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
	private deletion: Deletion = 204;
	/** Webhooks that may stay: their removal was refused for good, or the trigger cannot know them. */
	private readonly staying = new Set<number>();
	private readonly snapshots: string[] = [];
	/** The key of the credential when each webhook was created. */
	private readonly keys = new Map<number, string>();
	private isFirstProcess = true;
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
	async publish(during?: () => Promise<void>, longest = MINUTE): Promise<void> {
		const begun = Date.now();
		const { settings } = this;
		const publishing = this.n8n.publish(this.node(settings));
		const [[result]] = await Promise.all([Promise.allSettled([publishing]), during?.()]);
		assert(Date.now() - begun <= longest, `publishing took ${(Date.now() - begun) / 1000} s`);
		this.noteHooks();
		const isFaulty = this.isFaulty;
		this.endFaults();
		if (result.status === 'rejected') {
			this.published = undefined;
			assert(isFaulty, `publishing failed without a fault: ${String(result.reason)}`);
			return;
		}
		this.published = settings;
		this.publishedAt = Date.now();
		await this.checkWebhooks();
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
		for (const { id } of this.hooks) {
			const isNamed = this.n8n.warnings.some((line) => line.includes(`Webhook ${id} (`));
			assert(isNamed || this.staying.has(id), `webhook ${id} is left and not named`);
		}
	}

	/** Edits a trigger of nine events while the credential allows ten requests a minute. */
	async editPaced(): Promise<void> {
		if (!this.published) return;
		await this.unpublish();
		this.settings = { ...this.settings, events: EVENTS.slice(0, 9) };
		await this.slowly(10, async () => await this.publish());
	}

	/** Edits while a run sends all that Requests per Minute allows. */
	async editBesideRun(): Promise<void> {
		if (!this.published || !this.isFirstProcess) return;
		await this.unpublish();
		await this.slowly(60, async () => {
			let cancel = () => {};
			const input = Array.from({ length: 300 }, (_, i) => ({ email: `row${i}@example.com` }));
			const columns = { mappingMode: 'autoMapInputData', value: null };
			const run = runOperation(
				this.n8n.service,
				'contact.upsert',
				{ columns },
				{ requestsPerMinute: 60, input, onStart: (stop) => (cancel = stop) },
			);
			await sleep(5000);
			await this.publish();
			cancel();
			await Promise.allSettled([run]);
		});
	}

	/** Listens in the editor, and stops while the webhook is being created. */
	async stopWhileListening(): Promise<void> {
		const held = holdNext(this.n8n.service.faults, { method: 'POST', path: /hooks$/ });
		// A test of feedback gets a sample, and needs no webhook.
		const settings = { ...this.settings, events: ['contact.unsubscribed'] };
		const listening = this.n8n.listen(this.node(settings));
		await held.arrived;
		const stopping = this.n8n.stopListening();
		held.release();
		await Promise.allSettled([listening, stopping]);
		await this.checkTestIsOver();
	}

	rotateKey(): void {
		this.n8n.service.apiKey = `rotated-key-number-${++this.count}`;
		this.n8n.apiKey = this.n8n.service.apiKey;
		for (const { id } of this.hooks) this.staying.add(id);
	}

	/** A stranger guesses tokens while the credential cannot be read. */
	async guessTokens(): Promise<void> {
		const [hook] = this.hooks;
		if (!hook || !this.published) return;
		const [address = ''] = hook.target.split('?');
		const lines = () =>
			this.n8n.messages.filter((line) => line.includes('could not be handled')).length;
		const before = lines();
		const change = changeOf(hook.event, NO_CHANGE, ++this.count);
		const runs = this.n8n.runs.length;
		this.n8n.hasCredential = false;
		for (const token of ['a', 'b', 'c']) {
			await this.send({ ...hook, target: `${address}?token=${token}` }, change);
		}
		this.n8n.hasCredential = true;
		assert(this.n8n.runs.length === runs, 'a guessed token started a run');
		assert(lines() - before <= 1, `guessed tokens added ${lines() - before} lines to the log`);
	}

	// The service

	setDeletion(deletion: Deletion): void {
		this.deletion = deletion;
		this.endFaults();
	}

	failToCreate(creation: Creation, skip: number): void {
		const fault: Record<Creation, Pick<Fault, 'kind' | 'times'>> = {
			lost: { kind: 'reset-after' },
			html: { kind: 'html' },
			503: { kind: { status: 503 }, times: 5 },
			404: { kind: { status: 404 } },
			429: { kind: { status: 429, headers: { 'retry-after': '5' } } },
		};
		this.n8n.service.faults.add({ method: 'POST', path: /hooks$/, skip, ...fault[creation] });
		this.isFaulty = true;
	}

	/** A tag has a value that n8n would evaluate as an expression if a user chose it. */
	async listTags(): Promise<void> {
		const { service } = this.n8n;
		const tags = ['={{ $json }}', 'slow'].map((name) => ({ name, category: 'PASSIVE' }));
		Object.assign(service.state.feedback[0] ?? {}, { tags });
		const credential = { baseUrl: service.url, apiKey: service.apiKey, requestsPerMinute: 0 };
		const context = dropDownContext('surveyB', credential);
		const { results } = await new SurveyB().methods.listSearch.searchTags.call(context);
		const bad = results.find(({ value }) => String(value).startsWith('='));
		assert(bad === undefined, `the entry ${bad?.value} is an expression`);
	}

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
		this.isFirstProcess = false;
		this.ledger.forgetMain();
		await this.n8n.restartQuietly();
	}

	/** n8n starts, and finds all webhooks in its database. */
	async start(): Promise<void> {
		this.isFirstProcess = false;
		this.ledger.forgetMain();
		const before = this.n8n.requests.length;
		await this.n8n.restart();
		assert(this.n8n.requests.length === before, 'a start sent requests');
	}

	/** A run or another process that began earlier saves its static data; 0 changes nothing. */
	overwrite(back: number): void {
		this.snapshots.push(JSON.stringify(this.n8n.saved));
		if (back === 0) return;
		this.lose(this.snapshots.at(-1 - (back % this.snapshots.length)) ?? '{}');
	}

	/** A Code node empties the static data. */
	empty(): void {
		this.lose('{}');
	}

	async switchProcess(): Promise<void> {
		this.isFirstProcess = false;
		this.processor = 1 - this.processor;
		this.ledger.process = `processor ${this.processor}`;
		await this.n8n.useProcessor(this.processor);
	}

	/** At the end everything is quiet: every change that a webhook delivers has run, and one webhook per event is left. */
	async end(): Promise<void> {
		this.setDeletion(204);
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

	private isFaulty = false;

	private endFaults(): void {
		const { service } = this.n8n;
		this.isFaulty = false;
		service.faults.clear();
		const kind = this.deletion === 500 ? { status: 500 } : 'reset-after';
		if (this.deletion === 500 || this.deletion === 'lost') {
			service.faults.add({ method: 'DELETE', kind, times: Infinity });
		}
	}

	private async slowly(requestsPerMinute: number, work: () => Promise<void>): Promise<void> {
		this.n8n.requestsPerMinute = requestsPerMinute;
		await work();
		// What could not be removed in time is removed in the background.
		await sleep(5 * MINUTE);
		this.n8n.requestsPerMinute = 0;
		this.noteHooks();
		if (this.published && this.deletion === 204) this.checkReplaced();
	}

	private get hooks(): Hook[] {
		return this.hooksOf(false);
	}

	private hooksOf(isTest: boolean): Hook[] {
		const { hooks } = this.n8n.service.state;
		const chosen = hooks.filter(({ target }) => String(target).includes('-test/') === isTest);
		return chosen.map(({ id, event, target }) => ({
			id,
			event: String(event),
			target: String(target),
		}));
	}

	private noteHooks(): void {
		for (const { id, event } of this.hooks) {
			if (!this.keys.has(id)) this.keys.set(id, this.n8n.apiKey);
			// Its response was lost, or the service has refused to remove it.
			const isUnknown = !this.n8n.messages.includes(
				`Webhook ${id} (${event}) was created in Survey B`,
			);
			if (isUnknown || this.deletion !== 204) this.staying.add(id);
		}
	}

	private lose(saved: string): void {
		this.n8n.saved = JSON.parse(saved);
		for (const { id } of this.hooks) this.staying.add(id);
	}

	/** Each event has a webhook, and soon no other one is left. */
	private async checkWebhooks(): Promise<void> {
		for (const event of this.published?.events ?? []) {
			const hook = this.hooks.find((one) => one.event === event);
			assert(hook !== undefined, `no webhook for ${event}`);
		}
		if (this.n8n.requestsPerMinute === 0 && this.deletion === 204) {
			await sleep(MINUTE);
			this.checkReplaced();
		}
	}

	private checkReplaced(): void {
		const known = this.hooks.filter(({ id }) => !this.staying.has(id));
		const events = known.map(({ event }) => event).sort();
		const wanted = [...(this.published?.events ?? [])].sort();
		const extra = events.filter(
			(event, i) => events.indexOf(event) !== i || !wanted.includes(event),
		);
		assert(extra.length === 0, `webhooks are left: ${extra.join()}`);
	}

	/** Some time after a test, none of its webhooks is left. */
	private async checkTestIsOver(): Promise<void> {
		await sleep(2 * MINUTE);
		const left = this.deletion === 204 ? this.hooksOf(true) : [];
		assert(left.length === 0, `webhook ${left[0]?.id} of a test is left`);
		const { service } = this.n8n;
		service.state.hooks = service.state.hooks.filter(
			({ target }) => !String(target).includes('-test/'),
		);
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

	private async send({ id, event, target }: Hook, change: Change): Promise<number> {
		const data = ++this.count % 2 === 0 ? change.data : reversed(change.data);
		const body = { hook: { id, event, target }, data };
		// Two saves never have the same time.
		this.advanceClock(1);
		const { status } = await axios.post(target, body, { validateStatus: () => true });
		return status;
	}
}

const NO_CHANGE = { event: 0, record: 0, value: 10, isEarlier: false, isOfTags: false };

function assert(condition: boolean, message: string): void {
	if (!condition) throw new BrokenPromise(message);
}
