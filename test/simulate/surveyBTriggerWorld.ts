import axios from 'axios';
import type { INode } from 'n8n-workflow';

import { startServiceB } from '../../sandbox';
import type { ServiceB } from '../../sandbox';
import { Stage } from '../contract/surveyBTrigger/stage';

// The outside world of one trigger node: two accounts at two services, one n8n, and what each of them may do.
// Every step checks the promises of docs/deliveries.md.

const HOUR = 60 * 60 * 1000;

/** Time between a failed publish and a user removing a webhook by hand: they read the log first. */
const READING_TIME = 10 * 60 * 1000;

const GIVE_UP_AFTER = 3;

export const EVENTS = [
	'feedback.added_or_changed',
	'feedback.tags_added_or_changed',
	'feedback.status_changed',
	'feedback.removed',
	'metric.score_changed',
	'contact.unsubscribed',
	'tag.merged',
	'tag.removed',
	'tag.renamed',
];

/** A random change, which the state of the world makes a real one. */
export interface Happening {
	event: number;
	record: number;
	value: number;
	/** True for a payload of the earlier revision of the webhooks. */
	isEarlier: boolean;
	account: number;
}

/** A real change at a service. */
interface Change {
	number: number;
	event: string;
	account: Account;
	data: object;
	/** Names the record that changed; equal contents of one record look the same in undated events. */
	record: string;
	/** True if the payload has a date of the change, so that two changes never look the same. */
	isDated: boolean;
}

interface Hook {
	id: number;
	event: string;
	target: string;
}

/** One change on its way to one webhook. */
interface Delivery {
	change: Change;
	hook: Hook;
	triesLeft: number;
}

interface Account {
	name: string;
	service: ServiceB;
}

/** What the trigger may remember of a record: its last content that reached n8n. */
interface Seen {
	content: string;
	at: number;
	isStored: boolean;
}

interface Publication {
	account: Account;
	apiKey: string;
	events: string[];
	confirms: boolean;
	nodes: INode[];
}

/** A run that waits in n8n's queue, after its sender has hung up. */
interface Held {
	delivery: Delivery;
	release: () => void;
}

/** The settings that a sequence begins with. */
export interface Settings {
	events: string[];
	confirms: boolean;
	deletion: Deletion;
}

/** The status that the services respond with to a request to remove a webhook. */
export type Deletion = 204 | 404 | 405 | 500;

export class World {
	published?: Publication;
	held?: Held;
	events: string[] = [];
	confirms = false;
	private isCopied = false;
	private name = 'Trigger';
	private account: Account;
	private readonly waiting: Delivery[] = [];
	private readonly delivered: Delivery[] = [];
	private readonly snapshots: Array<{ at: number; data: string }> = [];
	private readonly runs = new Map<string, { count: number; at: number; isForgotten: boolean }>();
	private readonly seen = new Map<string, Seen[]>();
	/** When n8n last began each node, by its ID. */
	private readonly begunAt = new Map<string, number>();
	private changes = 0;
	/** When a part of n8n's memory was last lost. */
	private lostAt = -Infinity;
	/** Webhooks that the trigger cannot know of, or cannot remove: they may be left over without a line in the log. */
	private isKnowledgeLost = false;
	private mayLeaveWebhooks = false;
	/** The key that each webhook was created with: after a publish with another, its deliveries are rejected. */
	private readonly keys = new Map<number, string>();

	private constructor(
		private readonly accounts: Account[],
		private readonly stage: Stage,
		first: Account,
	) {
		this.account = first;
	}

	static async open({ events, confirms, deletion }: Settings): Promise<World> {
		const first = { name: 'one', service: await startServiceB() };
		const second = { name: 'two', service: await startServiceB() };
		second.service.apiKey = 'another-key-of-service-b';
		second.service.state.lastId = 5000;
		for (const { name, service } of [first, second]) {
			for (const feedback of service.state.feedback) Object.assign(feedback, { account: name });
			service.state.hooks.length = 0;
		}
		const stage = await Stage.open(first.service);
		stage.activationTries = 5;
		const world = new World([first, second], stage, first);
		world.events = events;
		world.confirms = confirms;
		world.setDeletion(deletion);
		world.takeSnapshot();
		return world;
	}

	async close(): Promise<void> {
		this.held?.release();
		await this.stage.idle();
		this.stage.stopServing();
		for (const { service } of this.accounts) await service.close();
	}

	// What users do

	async publish(): Promise<void> {
		await this.unpublish();
		await this.begin(this.stage.apiKey);
	}

	/** Publishes again if the workflow is published: n8n ends the nodes that changed, and begins them anew. */
	async change(work: (world: World) => void): Promise<void> {
		work(this);
		const isChanged = JSON.stringify(this.nodes()) !== JSON.stringify(this.published?.nodes);
		if (this.published && isChanged) await this.begin(this.stage.apiKey);
	}

	rename(): void {
		this.name = this.name === 'Trigger' ? 'Renamed' : 'Trigger';
	}

	copy(): void {
		this.isCopied = !this.isCopied;
	}

	async unpublish(): Promise<void> {
		if (!this.published) return;
		const live = this.liveHooks();
		this.published = undefined;
		await this.stage.unpublish();
		this.takeSnapshot();
		this.checkLeftovers(live);
	}

	async listen(): Promise<void> {
		const [node] = this.nodes();
		const live = this.liveHooks();
		const options = { ...Object(node?.parameters).options, sampleOnTest: false };
		const parameters = { ...node?.parameters, options };
		const listening = this.stage.listen({ ...this.node('node'), ...node, parameters });
		const [result] = await Promise.allSettled([listening]);
		if (result.status === 'fulfilled') await this.stage.stopListening();
		const left = this.liveHooks().filter(({ id }) => !live.some((one) => one.id === id));
		// Webhooks of the test URL are not those of the published workflow.
		for (const hook of left) this.removeHook(hook.id);
		const lost = live.filter(({ id }) => !this.liveHooks().some((one) => one.id === id));
		assert(lost.length === 0 || this.hasLostKnowledge, 'listening removed a live webhook');
	}

	editCredential(index: number): void {
		const account = this.accounts[index % this.accounts.length];
		if (!account) return;
		this.account = account;
		this.stage.hasCredential = true;
		this.stage.baseUrl = account.service.url;
		this.stage.apiKey = account.service.apiKey;
	}

	rotateKey(): void {
		this.account.service.apiKey = `rotated-key-number-${++this.changes}`;
		this.stage.apiKey = this.account.service.apiKey;
		this.stage.hasCredential = true;
	}

	deleteCredential(): void {
		this.stage.hasCredential = false;
	}

	/** A user removes a webhook in the service. */
	removeByHand(index: number): void {
		const hook = pick(this.liveHooks(), index);
		if (!hook) return;
		this.pass(READING_TIME);
		this.removeHook(hook.id);
	}

	// What n8n does

	async restart(index: number): Promise<void> {
		if (this.held) return;
		this.restore(index);
		if (!this.published) return await this.stage.restartQuietly();
		const live = this.liveHooks();
		const [result] = await Promise.allSettled([this.stage.restart()]);
		this.takeSnapshot();
		if (result.status === 'rejected') return await this.fail(live);
		const { stage, account } = this;
		// n8n asks the trigger when it starts: it may have subscribed with a credential that was edited.
		this.published = { ...this.published, account, apiKey: stage.apiKey };
		this.mayLeaveWebhooks = true;
	}

	/** A run that began earlier, or another process, writes its older static data. */
	overwrite(index: number): void {
		this.restore(index);
	}

	async switchProcess(): Promise<void> {
		// Each process has a memory of its own of what is not saved, such as a run that n8n holds in its queue.
		if (this.held) return;
		this.lostAt = Date.now();
		await this.stage.switchProcess();
	}

	pass(milliseconds: number): void {
		jest.setSystemTime(Date.now() + milliseconds);
	}

	// What the services do

	setDeletion(status: Deletion): void {
		for (const { service } of this.accounts) {
			service.faults.clear();
			service.settings.hookDeletion = status === 500 ? 204 : status;
			const kind = { status: 500, body: { detail: 'Server Error' } };
			if (status === 500) service.faults.add({ method: 'DELETE', kind, times: Infinity });
		}
	}

	/** The service loses the response to a request to create a webhook, or is down for a few of them. */
	failToCreate(kind: 'lost' | 'down', skip: number): void {
		const down = { status: 503, body: { detail: 'Maintenance' } };
		const kinds = { down, lost: 'reset-after' } as const;
		if (kind === 'lost') this.isKnowledgeLost = true;
		const times = kind === 'lost' ? 1 : 5;
		const fault = { method: 'POST', path: /hooks$/, skip, times, kind: kinds[kind] };
		this.account.service.faults.add(fault);
	}

	/** The service refuses webhooks for one event, as often as n8n tries a publish. */
	refuseEvent(index: number): void {
		const event = pick(this.events, index);
		const when = ({ body }: { body?: unknown }) => Object(body).event === event;
		const kind = { status: 403, body: { detail: 'Forbidden' } };
		this.account.service.faults.add({ method: 'POST', path: /hooks$/, when, times: 5, kind });
	}

	/** Something changes at an account that has webhooks. */
	happen({ event, record, value, isEarlier, account }: Happening): Delivery[] {
		const accounts = this.accounts.filter((one) => this.hooksOf(one).length > 0);
		const at = pick(accounts, account) ?? this.account;
		const change = this.changeOf(at, pick(this.events, event) ?? '', record, value, isEarlier);
		const hooks = this.hooksOf(at).filter((hook) => hook.event === change.event);
		const deliveries = hooks.map((hook) => ({ change, hook, triesLeft: GIVE_UP_AFTER }));
		this.waiting.push(...deliveries);
		return deliveries;
	}

	/** Several changes of one record are delivered in any order, some of them again. */
	async deliverMixed(happening: Happening, values: number[], order: number[]): Promise<void> {
		const deliveries = values.flatMap((value) => this.happen({ ...happening, value }));
		for (const index of order) {
			const delivery = pick(deliveries, index);
			if (!delivery || !this.isAlive(delivery)) return;
			this.pass(1000);
			await this.attempt(delivery);
		}
	}

	async deliver(index: number, how: 'stored' | 'failing' | 'held' | 'again'): Promise<void> {
		const list = how === 'again' ? this.delivered : this.waiting;
		const delivery = pick(list, index);
		if (!delivery || !this.isAlive(delivery)) return;
		if (how === 'held') await this.hold(delivery);
		else if (how === 'failing') await this.failToStore(delivery);
		else await this.attempt(delivery);
	}

	async strangerCalls(): Promise<void> {
		const hook = this.liveHooks()[0];
		if (!hook || this.held) return;
		const [address = ''] = hook.target.split('?');
		const runs = this.stage.runs.length;
		for (const query of ['', '?token=', '?token=guess']) {
			const body = { hook: { ...hook, target: address }, data: { id: 1, score: 1 } };
			await this.stage.post(address + query, body);
		}
		await this.stage.idle();
		assert(this.stage.runs.length === runs, 'a stranger started a run');
	}

	/** A run leaves n8n's queue. */
	async release(): Promise<void> {
		const { held } = this;
		if (!held) return;
		this.held = undefined;
		const before = this.stage.runs.length;
		held.release();
		await this.stage.idle();
		this.count(held.delivery, this.stage.runs.length - before, true);
	}

	// Steps inside

	private async begin(apiKey: string): Promise<void> {
		const { stage, account, events, confirms } = this;
		const live = this.liveHooks();
		const nodes = this.nodes();
		const earlier = this.published?.nodes.map((node) => JSON.stringify(node)) ?? [];
		const begun = nodes.filter((node) => !earlier.includes(JSON.stringify(node)));
		for (const { id } of begun) this.begunAt.set(id, Date.now());
		const [result] = await Promise.allSettled([stage.publish(...nodes)]);
		this.takeSnapshot();
		if (result.status === 'rejected') return await this.fail(live);
		this.published = { account, apiKey, events, confirms, nodes };
		this.checkBound(live);
		if (stage.hasCredential && !this.held) await this.checkHearing(begun);
	}

	private async fail(live: Hook[]): Promise<void> {
		this.published = undefined;
		this.takeSnapshot();
		this.checkBound(live);
		this.checkLeftovers(this.liveHooks());
	}

	/** The webhooks that one publish adds are no more than its events. */
	private checkBound(before: Hook[]): void {
		const added = this.liveHooks().filter(({ id }) => !before.some((one) => one.id === id));
		const most = this.nodes().length * this.events.length;
		const allowed = this.isKnowledgeLost ? most * 6 : most;
		assert(added.length <= allowed, `one publish added ${added.length} webhooks`);
	}

	/** Each event of a published workflow has a webhook, and a change that it delivers starts a run. */
	private async checkHearing(begun: INode[]): Promise<void> {
		const { published } = this;
		if (!published) return;
		for (const event of published.events) {
			const hooks = this.hooksOf(published.account).filter((hook) => hook.event === event);
			for (const node of begun) {
				const ofNode = hooks.filter((hook) => nodeOf(hook) === node.id);
				assert(ofNode.length > 0, `no webhook for ${event} after publishing`);
				const change = this.changeOf(
					published.account,
					event,
					++this.changes,
					++this.changes,
					false,
				);
				const hook = ofNode.at(-1);
				if (hook) await this.attempt({ change, hook, triesLeft: 1 });
				const run = hook && this.runs.get(keyOf({ change, hook }));
				assert(run?.count === 1, `a change of ${event} started no run after publishing`);
			}
		}
	}

	/** Everything that is left at the service is in the log. */
	private checkLeftovers(candidates: Hook[]): void {
		if (this.hasLostKnowledge || this.mayLeaveWebhooks) return;
		const lines = this.stage.warnings.join('\n');
		const left = candidates.filter(({ id }) => this.liveHooks().some((one) => one.id === id));
		for (const { id } of left)
			assert(lines.includes(`Webhook ${id} (`), `webhook ${id} left, not in log`);
	}

	private async hold(delivery: Delivery): Promise<void> {
		if (this.held || !this.published) {
			await this.attempt(delivery);
			return;
		}
		let release = () => {};
		const queue = new Promise<void>((resolve) => (release = resolve));
		let isQueued = false;
		const hangUp = new AbortController();
		this.stage.store = async () => {
			isQueued = true;
			hangUp.abort();
			this.stage.store = async () => {};
			await queue;
		};
		this.held = { delivery, release };
		const status = await this.attempt(delivery, hangUp.signal);
		this.stage.store = async () => {};
		if (!isQueued || status !== undefined) this.held = undefined;
	}

	private async failToStore(delivery: Delivery): Promise<void> {
		this.stage.store = async () => await Promise.reject(new Error('database is locked'));
		await this.attempt(delivery);
		this.stage.store = async () => {};
	}

	/** Posts a delivery and checks what comes of it. Gives undefined if the sender hung up. */
	private async attempt(delivery: Delivery, signal?: AbortSignal): Promise<number | undefined> {
		const { stage, published } = this;
		const { change, hook } = delivery;
		const before = stage.runs.length;
		const body = { hook, data: change.data };
		const post = axios.post(hook.target, body, { signal, validateStatus: () => true });
		const status = await post.then(
			({ status }) => status,
			() => undefined,
		);
		if (!this.held) await stage.idle();
		const started = stage.runs.length - before;
		this.note(delivery, status);
		if (!published) {
			assert(started === 0, 'an unpublished workflow ran');
			return status;
		}
		if (status === undefined) return status;
		this.checkAnswer(delivery, published, status, started);
		if (started > 0) this.checkItem(delivery, published);
		return status;
	}

	private note(delivery: Delivery, status: number | undefined): void {
		delivery.triesLeft--;
		const isDone = status !== undefined && status < 500;
		const at = this.waiting.indexOf(delivery);
		if (at >= 0 && (isDone || delivery.triesLeft <= 0)) this.waiting.splice(at, 1);
		if (status === 200) this.delivered.push(delivery);
	}

	private checkAnswer(
		delivery: Delivery,
		published: Publication,
		status: number,
		started: number,
	): void {
		const { change, hook } = delivery;
		const isExpected =
			change.account === published.account &&
			this.keys.get(hook.id) === published.apiKey &&
			published.events.includes(change.event) &&
			published.nodes.some(({ id }) => id === nodeOf(hook));
		const isKeyKnown = published.apiKey === this.stage.apiKey && this.stage.hasCredential;
		if (isExpected && (isKeyKnown || !this.isKnowledgeLost)) {
			assert(status === 200 || status >= 500, `deaf: ${change.event} was answered ${status}`);
		}
		if (!isExpected) {
			if (started > 0) this.count(delivery, started, true);
			return;
		}
		if (status === 200) {
			const hasRun = started > 0 || (this.runs.get(keyOf(delivery))?.count ?? 0) > 0;
			assert(hasRun || this.isTakenForRepeat(delivery), `lost: ${describe(change)}`);
		}
		const isWaiting = this.held && keyOf(this.held.delivery) === keyOf(delivery);
		assert(!(isWaiting && started > 0), `double while held: ${describe(change)}`);
		if (started > 0) this.count(delivery, started, false);
		else if (status >= 500) this.remember(delivery, false);
	}

	/** Data of a confirmed feedback is that of the account that delivered it. */
	private checkItem({ change }: Delivery, { confirms }: Publication): void {
		const item = this.stage.runs.at(-1)?.outputs.flat()[0];
		if (!confirms || !change.event.startsWith('feedback.')) return;
		if (change.event === 'feedback.removed') return;
		const { account } = Object(Object(item).data);
		assert(account === change.account.name, `confirmed by another account: ${describe(change)}`);
	}

	private count(delivery: Delivery, started: number, isForgiven: boolean): void {
		const key = keyOf(delivery);
		const run = this.runs.get(key) ?? { count: 0, at: Date.now(), isForgotten: false };
		const isUndatedChange = !delivery.change.isDated && this.isNoRepeat(delivery);
		const mayRunAgain = isForgiven || run.isForgotten || isUndatedChange;
		const isDouble = started > 1 || (run.count > 0 && started > 0 && !mayRunAgain);
		assert(!isDouble, `double: ${describe(delivery.change)}`);
		if (started === 0) return;
		this.runs.set(key, { count: run.count + started, at: Date.now(), isForgotten: false });
		this.remember(delivery, true);
	}

	private remember(delivery: Delivery, isStored: boolean): void {
		const content = contentOf(delivery.change);
		this.listOf(delivery).push({ content, at: Date.now(), isStored });
	}

	private listOf({ change, hook }: Delivery): Seen[] {
		const key = `${nodeOf(hook)} ${change.event} ${change.record}`;
		const list = this.seen.get(key) ?? [];
		this.seen.set(key, list);
		return list;
	}

	/**
	 * An undated change that looks like the last one of its record within an hour cannot be told from a repeat. Lost
	 * data may include a later change of the record, or when the node was published.
	 */
	private isTakenForRepeat(delivery: Delivery): boolean {
		const list = this.listOf(delivery);
		const begunAt = this.begunAtOf(delivery);
		const since = this.lostAt >= begunAt ? -Infinity : begunAt;
		const isMemoryLost = list.some(({ at }) => at <= this.lostAt);
		return (isMemoryLost ? list : list.slice(-1)).some((one) => isEqual(one, delivery, since));
	}

	/** A repeat of an undated event may run again after another content, an hour or a publish. */
	private isNoRepeat(delivery: Delivery): boolean {
		const since = this.begunAtOf(delivery);
		return !this.listOf(delivery)
			.slice(-1)
			.some((one) => isEqual(one, delivery, since));
	}

	private begunAtOf({ hook }: Delivery): number {
		return this.begunAt.get(nodeOf(hook)) ?? 0;
	}

	private changeOf(
		account: Account,
		event: string,
		record: number,
		value: number,
		isEarlier: boolean,
	): Change {
		const date = new Date(Date.now())
			.toISOString()
			.replace('Z', `${100 + (++this.changes % 900)}Z`);
		const about = { number: this.changes, event, account, isDated: false };
		const feedback = account.service.state.feedback[record % account.service.state.feedback.length];
		const campaign = { id: 101 + record, Name: 'Relationship' };
		const names = ['slow', 'late', 'rude'];
		const name = (at: number) => (at < 3 ? names[at] : `tag ${at}`) ?? '';
		switch (event) {
			case 'feedback.added_or_changed':
				return isEarlier
					? {
							...about,
							record: `earlier ${feedback?.id}`,
							data: {
								id: feedback?.id,
								score: value % 11,
								posted_date: '2026-01-01',
								campaign: 101,
							},
						}
					: {
							...about,
							record: `${feedback?.id}`,
							isDated: true,
							data: { ...feedback, score: value % 11, score_changed: date },
						};
			case 'feedback.tags_added_or_changed': {
				const tags = [{ name: name(value), category: 'PASSIVE' }];
				return { ...about, record: `${feedback?.id}`, data: { ...feedback, tags } };
			}
			case 'feedback.status_changed': {
				const status = value % 2 === 0 ? 'OPEN' : 'CLOSED';
				const data = { ...feedback, status, status_changed: date };
				return { ...about, record: `${feedback?.id}`, isDated: true, data };
			}
			case 'feedback.removed': {
				const data = { ...feedback, id: 500_000 + this.changes };
				return { ...about, record: `${data.id}`, isDated: true, data };
			}
			case 'metric.score_changed': {
				const data = { campaign_name: `Campaign ${record}`, nps: value };
				return { ...about, record: `${record}`, data };
			}
			case 'contact.unsubscribed': {
				const data = { id: record, email: `person${record}@example.com` };
				return { ...about, record: `${record}`, data };
			}
			case 'tag.removed': {
				const data = { campaign, name: name(value) };
				return { ...about, record: `${record} ${value}`, data };
			}
			default: {
				const [before, after] = [name(value), name((value + 1) % 3)];
				const record1 = [before, after].sort().join(' ');
				return { ...about, record: `${record} ${record1}`, data: { campaign, before, after } };
			}
		}
	}

	private nodes(): INode[] {
		const first = this.node('node', { name: this.name });
		return this.isCopied ? [first, this.node('copy', { name: 'Copy' })] : [first];
	}

	private node(id: string, more: Partial<INode> = {}): INode {
		const options = { confirm: this.confirms };
		const parameters = { events: this.events, simplify: false, options };
		return this.stage.node(parameters, { id, ...more });
	}

	private hooksOf({ service }: Account): Hook[] {
		return service.state.hooks
			.map(({ id, event, target }) => ({ id, event: String(event), target: String(target) }))
			.filter(({ target }) => target.includes('/webhook/'));
	}

	private liveHooks(): Hook[] {
		return this.accounts.flatMap((account) => this.hooksOf(account));
	}

	private isAlive({ hook, change }: Delivery): boolean {
		return this.hooksOf(change.account).some(({ id }) => id === hook.id);
	}

	private removeHook(id: number): void {
		for (const { service } of this.accounts) {
			const at = service.state.hooks.findIndex((hook) => hook.id === id);
			if (at >= 0) service.state.hooks.splice(at, 1);
		}
	}

	private takeSnapshot(): void {
		for (const { id } of this.liveHooks()) {
			if (!this.keys.has(id)) this.keys.set(id, this.stage.apiKey);
		}
		this.snapshots.push({ at: Date.now(), data: JSON.stringify(this.stage.saved) });
	}

	/** Index 0 is the static data of now. */
	private restore(index: number): void {
		this.takeSnapshot();
		const snapshot = this.snapshots.at(-1 - (index % this.snapshots.length));
		if (!snapshot || snapshot === this.snapshots.at(-1)) return;
		this.stage.saved = JSON.parse(snapshot.data);
		this.isKnowledgeLost = true;
		this.lostAt = Date.now();
		for (const run of this.runs.values()) if (run.at >= snapshot.at) run.isForgotten = true;
	}

	private get hasLostKnowledge(): boolean {
		return this.isKnowledgeLost;
	}
}

function keyOf({ change, hook }: Pick<Delivery, 'change' | 'hook'>): string {
	return `${change.number} ${nodeOf(hook)}`;
}

function nodeOf({ target }: Hook): string {
	return /hook-of-(\w+)/.exec(target)?.[1] ?? '';
}

/** True if an undated delivery looks like a stored one of the last hour, and not before the given time. */
function isEqual({ content, at, isStored }: Seen, { change }: Delivery, since: number): boolean {
	const isRecent = Date.now() - at < HOUR && at >= since;
	return !change.isDated && isStored && isRecent && content === contentOf(change);
}

function contentOf({ data }: Change): string {
	return JSON.stringify(data);
}

function describe({ event, data }: Change): string {
	return `${event} ${JSON.stringify(data)}`;
}

function pick<Entry>(list: Entry[], index: number): Entry | undefined {
	return list[index % Math.max(1, list.length)];
}

export class BrokenPromise extends Error {}

function assert(condition: boolean, message: string): void {
	if (!condition) throw new BrokenPromise(message);
}
