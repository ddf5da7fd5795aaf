import { isDeepStrictEqual } from 'node:util';

import axios from 'axios';
import type { INode } from 'n8n-workflow';

import type { ServiceB } from '../../sandbox';
import type { EmulatedN8n, TriggerRun } from '../contract/surveyBTrigger/emulatedN8n';
import { CAMPAIGN_NAME, dataIn, reversed } from './surveyBTriggerChanges';
import type { Change } from './surveyBTriggerChanges';

// Deliveries of a service to n8n, and the promise about them: a valid delivery of a selected event to a published workflow
// is run once, now or when the service repeats it. What docs/deliveries.md excepts is named where it is checked.

const HOUR = 60 * 60 * 1000;

/** The service sends a delivery at most four times, and again with the next change. */
const MOST_TRIES = 4;

export interface Settings {
	events: string[];
	/** How the service responds to DELETE. */
	deletion: Deletion;
	/** POST of an equal webhook creates another one, or returns the existing one. */
	equalWebhook: 'another' | 'existing';
	/** Something between the service and n8n removes the query from every URL, or from the target in every body. */
	stripsQuery: '' | 'url' | 'body';
	ignoreRepeats: boolean;
	minScore?: number;
	/** A filter by campaign: nothing, an ID, or a name. */
	campaign: '' | '101' | typeof CAMPAIGN_NAME;
	routeBy: 'none' | 'event' | 'scoreType';
	simplify: boolean;
	hasTwoTriggers: boolean;
}

/** With `busy`, the service is down for as long as one removal of each webhook is tried. */
export type Deletion = 204 | 404 | 405 | 500 | 'lost' | 'html' | 'busy';

export interface Account {
	name: string;
	service: ServiceB;
}

export interface Hook {
	id: number;
	event: string;
	target: string;
}

/** A delivery of a change to one webhook. */
export interface Delivery {
	change: Change;
	account: Account;
	hook: Hook;
	tries: number;
}

/** A delivery of a subject that reached n8n. */
interface Seen {
	content: string;
	at: number;
	hasRun: boolean;
	/** False after n8n lost or reverted what was saved of it. */
	isCertain: boolean;
}

/** The published nodes and their settings. */
export interface Publication {
	settings: Settings;
	nodes: INode[];
}

/** When and with which key a node was last activated: a user may edit the credential and publish only another node. */
interface Activation {
	account: Account;
	apiKey: string;
	address: string;
	publishedAt: number;
}

/** A run that n8n has stored and holds in its queue, whose sender has hung up. */
interface Held {
	delivery: Delivery;
	seen: Seen;
	release: () => void;
}

class BrokenPromise extends Error {}

/** Delivers changes to n8n and checks what comes of each. */
export class Deliveries {
	protected published?: Publication;
	protected held?: Held;
	protected count = 0;
	protected readonly waiting: Delivery[] = [];
	protected readonly delivered: Delivery[] = [];
	protected readonly runs = new Map<string, number>();
	/** Changes that n8n started again by itself, and so may have run twice. */
	protected readonly recovered = new Set<string>();
	protected readonly seen = new Map<string, Seen[]>();
	/** Deliveries that could not be stored, as long as the process that knows them runs. */
	protected readonly unstored: Seen[] = [];
	/** The API key that each webhook was created with. */
	protected readonly keys = new Map<number, string>();
	/** By the ID of the node. */
	protected readonly activations = new Map<string, Activation>();
	/** Nodes whose static data is outdated, until they are published. */
	protected readonly stale = new Set<string>();

	constructor(
		protected readonly accounts: Account[],
		protected readonly n8n: EmulatedN8n,
		protected settings: Settings,
	) {}

	advanceClock(milliseconds: number): void {
		jest.setSystemTime(Date.now() + milliseconds);
	}

	protected async hold(delivery: Delivery): Promise<void> {
		if (this.held || !this.published) return await this.post(delivery);
		const { n8n } = this;
		let release = () => {};
		const queue = new Promise<void>((resolve) => (release = resolve));
		const hangUp = new AbortController();
		let isQueued = false;
		n8n.store = async () => {
			isQueued = true;
			n8n.store = async () => {};
			hangUp.abort();
			await queue;
		};
		const status = await this.send(delivery, hangUp.signal);
		n8n.store = async () => {};
		this.finish(delivery, status);
		if (!isQueued) return this.check(delivery, status, 0);
		// n8n has stored the execution before its queue holds it.
		this.check(delivery, 200, 1);
		const seen = this.listOf(delivery).at(-1);
		if (seen) this.held = { delivery, seen, release };
	}

	/** The process ends, and with it what it knew of deliveries whose run it could not store. */
	protected loseUnstored(): void {
		for (const seen of this.unstored.splice(0)) seen.isCertain = false;
	}

	/** n8n starts the queued execution that it has stored, as soon as it is back. Its sender got no response. */
	protected recoverHeld(): void {
		this.loseUnstored();
		if (!this.held) return;
		this.recovered.add(keyOf(this.held.delivery));
		this.held.seen.isCertain = false;
		this.held = undefined;
	}

	protected async failToStore(delivery: Delivery): Promise<void> {
		if (this.held) return;
		this.n8n.store = async () => {
			await turns(50);
			throw new Error('database is locked');
		};
		// A repeat at the same moment must not get a 200 either.
		const statuses = await Promise.all([this.send(delivery), this.send(delivery)]);
		const status = statuses.includes(200) ? 200 : statuses[0];
		await this.n8n.idle();
		this.n8n.store = async () => {};
		this.finish(delivery, status);
		if (this.isExpected(delivery) && status !== undefined && status >= 500) {
			this.unstored.push(this.see(delivery, false));
			return;
		}
		this.check(delivery, status, 0);
	}

	/** True for a delivery that equals the queued one, if nothing else of its record came in between. */
	protected repeats(delivery: Delivery, held: NonNullable<typeof this.held>): boolean {
		return isEqual(held.delivery, delivery) && this.listOf(delivery).at(-1) === held.seen;
	}

	async post(delivery: Delivery): Promise<void> {
		const { n8n } = this;
		const before = n8n.runs.length;
		const logged = n8n.log.length;
		const { held } = this;
		const hangUp = new AbortController();
		const sending = this.send(delivery, hangUp.signal);
		// n8n may hold a repeat of a queued delivery as long as that one; its sender hangs up. Others never wait for it.
		const isRepeatOfHeld = held !== undefined && this.repeats(delivery, held);
		const patience = isRepeatOfHeld ? 300 : 100_000;
		if (held) void turns(patience, hangUp.signal).then(() => hangUp.abort());
		const status = await sending;
		hangUp.abort();
		await (held ? turns(100) : n8n.idle());
		const started = n8n.runs.slice(before).filter(({ mode }) => mode === 'webhook');
		this.finish(delivery, status);
		if (isRepeatOfHeld && this.published?.settings.ignoreRepeats) {
			assert(started.length === 0, `a queued change ran twice: ${describe(delivery)}`);
		}
		if (isRepeatOfHeld && (status === undefined || status >= 500)) return;
		this.check(delivery, status, started.length);
		const told = n8n.log.slice(logged);
		const isKnown = n8n.hasCredential || !told.includes('earlier Survey B account');
		assert(isKnown, 'the log says that a credential was changed that n8n cannot read');
		const isNamed = told.includes('of its campaign');
		const { campaign = '' } = this.published?.settings ?? {};
		const isCompared = campaign === '' || wantedIn(delivery.change, campaign) !== undefined;
		assert(
			!isCompared || !isNamed,
			`a filter that can be compared is logged: ${describe(delivery)}`,
		);
		const [run] = started;
		if (run) this.checkItem(delivery, run.outputs);
	}

	protected async send(
		{ hook, change, tries }: Delivery,
		signal?: AbortSignal,
	): Promise<number | undefined> {
		const { stripsQuery } = this.settings;
		const [address = ''] = hook.target.split('?');
		const target = stripsQuery === 'body' ? address : hook.target;
		const data = tries % 2 === 0 ? change.data : reversed(change.data);
		const body = { hook: { ...hook, target }, data };
		const url = stripsQuery === 'url' ? address : hook.target;
		const post = axios.post(url, body, { signal, validateStatus: () => true });
		return await post.then(
			({ status }) => status,
			() => undefined,
		);
	}

	protected finish(delivery: Delivery, status: number | undefined): void {
		delivery.tries++;
		const isDone = status !== undefined && status < 500;
		const at = this.waiting.indexOf(delivery);
		if (at >= 0 && (isDone || delivery.tries >= MOST_TRIES)) this.waiting.splice(at, 1);
		if (status === 200) this.delivered.push(delivery);
	}

	/** Checks the outcome of a delivery without a fault. */
	protected check(delivery: Delivery, status: number | undefined, started: number): void {
		const { published } = this;
		if (!published) return assert(started === 0, 'an unpublished workflow ran');
		const key = keyOf(delivery);
		const what = describe(delivery);
		if (!this.isExpected(delivery)) {
			this.runs.set(key, (this.runs.get(key) ?? 0) + started);
			if (started > 0) this.see(delivery, true);
			return;
		}
		// A token of an earlier key is in static data only.
		if (status !== 200 && this.stale.has(nodeOf(delivery.hook)) && !this.isKeyCurrent(delivery))
			return;
		assert(status === 200, `a valid delivery was answered ${status}: ${what}`);
		const passes = this.passes(delivery, published.settings);
		if (passes === false) {
			// A filter that holds back what equals the last one forgets nothing.
			const last = this.listOf(delivery).at(-1);
			if (last?.content !== contentOf(delivery)) this.see(delivery, false);
			return assert(started === 0, `a filter let through: ${what}`);
		}
		const ran = this.runs.get(key) ?? 0;
		const most = published.settings.ignoreRepeats ? 1 : 2;
		assert(started <= most, `${started} runs at once: ${what}`);
		if (started === 0) {
			const { ignoreRepeats } = published.settings;
			assert(ignoreRepeats || passes === undefined, `not run although repeats run: ${what}`);
			const isExcepted = passes === undefined || this.mayLookLikeRepeat(delivery);
			assert(ran > 0 || isExcepted, `lost: ${what}`);
			const only = delivery.change.campaignName === undefined ? 'the ID' : 'the name';
			const isNamed = this.n8n.log.includes(`has only ${only} of its campaign`);
			assert(passes === true || isNamed, `a filter that cannot be compared is not logged: ${what}`);
		} else {
			assert(ran === 0 || this.mayRunAgain(delivery), `double: ${what}`);
			this.runs.set(key, ran + started);
			this.see(delivery, true);
		}
	}

	/**
	 * A change looks like a repeat if it equals the last one of its record that reached n8n: under the same date, or
	 * undated within an hour and since publishing.
	 */
	protected mayLookLikeRepeat(delivery: Delivery): boolean {
		const list = this.listOf(delivery);
		const candidates = list.some(({ isCertain }) => !isCertain) ? list : list.slice(-1);
		return candidates.some((one) => {
			const isRecent = delivery.change.date || this.isRecent(delivery, one) || !one.isCertain;
			return isRecent && one.hasRun && one.content === contentOf(delivery);
		});
	}

	/** A repeat may start a run after another content, if undated after an hour or a publish, and after lost data. */
	protected mayRunAgain(delivery: Delivery): boolean {
		if (!this.published?.settings.ignoreRepeats || this.recovered.has(keyOf(delivery))) return true;
		const last = this.listOf(delivery).at(-1);
		if (last === undefined || !last.isCertain || last.content !== contentOf(delivery)) return true;
		return !last.hasRun || (!delivery.change.date && !this.isRecent(delivery, last));
	}

	protected isRecent({ hook }: Delivery, { at }: Seen): boolean {
		return Date.now() - at < HOUR && at >= (this.activations.get(nodeOf(hook))?.publishedAt ?? 0);
	}

	/** Returns whether the filters accept it; undefined if its campaign cannot be compared. */
	protected passes({ change, hook }: Delivery, settings: Settings): boolean | undefined {
		const { minScore, campaign } = settings;
		const { score, campaignId, campaignName } = change;
		const wanted = wantedIn(change, campaign);
		if (nodeOf(hook) === 'copy') return true;
		if (minScore !== undefined && score !== undefined && score < minScore) return false;
		if (campaign === '') return true;
		const other = campaign === '101' ? campaignName : campaignId;
		if (wanted !== undefined) return String(wanted) === campaign;
		// Of another campaign, it must not pass; of this one, the trigger cannot know.
		if (other === undefined) return true;
		return other === 101 || other === CAMPAIGN_NAME ? undefined : false;
	}

	protected checkItem(delivery: Delivery, outputs: object[][]): void {
		const { change, hook } = delivery;
		const filled = outputs.flatMap((items, i) => (items.length > 0 ? [i] : []));
		assert(filled.length === 1, `an item in ${filled.length} outputs: ${describe(delivery)}`);
		const { routeBy, events, simplify } = this.published?.settings ?? this.settings;
		const isCopy = nodeOf(hook) === 'copy';
		const at = isCopy ? 0 : outputFor(routeBy, events, change);
		assert(filled[0] === at, `${describe(delivery)} came out at ${filled[0]}, not at ${at}`);
		const { event, deliveryId, ...item } = Object(outputs.flat()[0]);
		assert(event === change.event, `an item with the event ${event}`);
		assert(/^[0-9a-f]{32}$/.test(deliveryId), 'an item without a delivery ID');
		const isMarked = 'issues' in item || 'sample' in item;
		assert(!isMarked, `an item of a valid change with issues, or marked as a sample: ${event}`);
		if (simplify && !isCopy) {
			const isSame = isDeepStrictEqual(withoutNull(item), withoutNull(change.simplified));
			assert(isSame, `${describe(delivery)} came out as ${JSON.stringify(item)}`);
		} else {
			assert(isDeepStrictEqual(item.data, change.data), 'an item with other data');
			assert(item.revision === change.revision, `an item of revision ${item.revision}`);
			const [target] = hook.target.split('?');
			assert(item.hook.target === target, `an item of the webhook ${item.hook.target}`);
		}
	}

	/** Returns true for a run that this delivery started. */
	protected isRunOf(run: TriggerRun, { change, hook }: Delivery): boolean {
		const body = Object(run.body);
		const isNode = run.node === (nodeOf(hook) === 'copy' ? 'Copy' : this.nameOfPublished());
		return isNode && body.hook.id === hook.id && isDeepStrictEqual(body.data, change.data);
	}

	protected nameOfPublished(): string | undefined {
		return this.published?.nodes.find(({ id }) => id === 'node')?.name;
	}

	/** True for a delivery that a published trigger has to run: of its account, key, events and nodes. */
	protected isExpected({ account, change, hook }: Delivery): boolean {
		const { published } = this;
		const activation = this.activations.get(nodeOf(hook));
		return (
			published !== undefined &&
			account === activation?.account &&
			this.keys.get(hook.id) === activation.apiKey &&
			published.settings.events.includes(change.event) &&
			this.isPublished(hook) &&
			!isTestUrl(hook.target)
		);
	}

	protected isPublished(hook: Hook): boolean {
		return this.published?.nodes.some(({ id }) => id === nodeOf(hook)) ?? false;
	}

	protected isKeyCurrent({ hook }: Delivery): boolean {
		const { apiKey, baseUrl, hasCredential } = this.n8n;
		const activation = this.activations.get(nodeOf(hook));
		const isSame = activation?.apiKey === apiKey && activation.account.service.url === baseUrl;
		return hasCredential && isSame;
	}

	protected see(delivery: Delivery, hasRun: boolean): Seen {
		const seen = { content: contentOf(delivery), at: Date.now(), hasRun, isCertain: true };
		this.listOf(delivery).push(seen);
		return seen;
	}

	protected listOf(delivery: Delivery): Seen[] {
		const key = subjectOf(delivery);
		const list = this.seen.get(key) ?? [];
		this.seen.set(key, list);
		return list;
	}

	protected hooksOf({ service }: Account, isLive = true): Hook[] {
		return service.state.hooks
			.filter((hook) => !isForeign(hook))
			.map(({ id, event, target }) => ({ id, event: String(event), target: String(target) }))
			.filter(({ target }) => !isLive || target.includes('/webhook/'));
	}

	protected liveHooks(): Hook[] {
		return this.accounts.flatMap((account) => this.hooksOf(account));
	}

	protected exists({ hook, account }: Delivery): boolean {
		return this.hooksOf(account, false).some(({ id }) => id === hook.id);
	}
}

export type StoredHook = ServiceB['state']['hooks'][number];

export function isForeign({ target }: StoredHook): boolean {
	return target === 'https://other.example/';
}

export function isTestUrl(target: string): boolean {
	return target.includes('-test/');
}

/** Returns what a filter by campaign compares: the ID or the name, if the change has it. */
function wantedIn({ campaignId, campaignName }: Change, campaign: Settings['campaign']) {
	return campaign === '101' ? campaignId : campaignName;
}

function outputFor(routeBy: Settings['routeBy'], events: string[], change: Change): number {
	if (routeBy === 'none') return 0;
	if (routeBy === 'event') return events.indexOf(change.event);
	if (change.score === undefined) return 3;
	return change.score >= 9 ? 2 : Number(change.score >= 7);
}

export function keyOf({ change, hook }: Pick<Delivery, 'change' | 'hook'>): string {
	return `${change.number} ${nodeOf(hook)}`;
}

export function subjectOf({ change, hook }: Delivery): string {
	return [nodeOf(hook), change.event, change.record, change.date].join(' ');
}

export function nodeOf({ target }: Hook): string {
	return /hook-of-(\w+)/.exec(target)?.[1] ?? '';
}

function withoutNull(item: object): object {
	return Object.fromEntries(Object.entries(item).filter(([, value]) => value !== null));
}

/** True for deliveries that look alike to n8n. */
function isEqual(one: Delivery, other: Delivery): boolean {
	return subjectOf(one) === subjectOf(other) && contentOf(one) === contentOf(other);
}

function contentOf({ change }: Delivery): string {
	return dataIn(change);
}

export function describe({ change, hook }: Delivery): string {
	return `${change.event} ${JSON.stringify(change.data)} at webhook ${hook.id}`;
}

export async function turns(count: number, end?: AbortSignal): Promise<void> {
	for (let i = 0; i < count && end?.aborted !== true; i++)
		await new Promise((resolve) => setImmediate(resolve));
}

export function assert(condition: boolean, message: string): void {
	if (!condition) throw new BrokenPromise(message);
}
