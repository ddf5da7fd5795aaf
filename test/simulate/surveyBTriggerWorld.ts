import axios from 'axios';
import type { INode } from 'n8n-workflow';

import { startServiceB } from '../../sandbox';
import type { ServiceB } from '../../sandbox';
import { EmulatedN8n } from '../contract/surveyBTrigger/emulatedN8n';

// The environment of one trigger node: an n8n, and two accounts at two services. Every step checks the promises of
// docs/deliveries.md.

const HOUR = 60 * 60 * 1000;

/** How long after a failed publish a user removes a webhook by hand, in ms. */
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

/** Random numbers that choose a change at a service. */
export interface RandomChange {
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
	/** The record that changed. */
	record: string;
	/** True if the payload has the date of the change. */
	isDated: boolean;
}

interface Hook {
	id: number;
	event: string;
	target: string;
}

/** A delivery of a change to one webhook. */
interface Delivery {
	change: Change;
	hook: Hook;
	triesLeft: number;
}

interface Account {
	name: string;
	service: ServiceB;
}

/** A delivered content of a record, which the trigger may remember. */
interface DeliveredContent {
	content: string;
	at: number;
	isStored: boolean;
	/** True if the static data of before was restored. */
	isForgotten?: boolean;
}

interface Publication {
	account: Account;
	apiKey: string;
	events: string[];
	confirms: boolean;
	nodes: INode[];
}

/** A run in n8n's queue, whose sender has hung up. */
interface QueuedRun {
	delivery: Delivery;
	at: number;
	/** The trigger remembers a delivery when it arrives, not when its run starts. */
	remembered?: DeliveredContent;
	release: () => void;
}

export interface InitialSettings {
	events: string[];
	confirms: boolean;
	deletion: Deletion;
}

/** The status of a request to remove a webhook. */
export type Deletion = 204 | 404 | 405 | 500;

export class World {
	published?: Publication;
	held?: QueuedRun;
	events: string[] = [];
	confirms = false;
	private isCopied = false;
	private name = 'Trigger';
	private account: Account;
	private readonly waiting: Delivery[] = [];
	private readonly delivered: Delivery[] = [];
	private readonly snapshots: Array<{ at: number; name: string; data: string }> = [];
	private readonly runs = new Map<string, { count: number; at: number; isForgotten: boolean }>();
	private readonly seen = new Map<string, DeliveredContent[]>();
	/** When n8n last activated each node, by node ID. */
	private readonly activatedAt = new Map<string, number>();
	private changes = 0;
	private lastChange?: RandomChange;
	/** When n8n last lost a part of its memory. */
	private lostAt = -Infinity;
	/** True if the trigger may leave webhooks that it cannot know, without a line in the log. */
	private isKnowledgeLost = false;
	private mayLeaveWebhooks = false;
	/** The API key that each webhook was created with. A publish with another key rejects its deliveries. */
	private readonly keys = new Map<number, string>();

	private constructor(
		private readonly accounts: Account[],
		private readonly n8n: EmulatedN8n,
		first: Account,
	) {
		this.account = first;
	}

	static async open({ events, confirms, deletion }: InitialSettings): Promise<World> {
		const first = { name: 'one', service: await startServiceB() };
		const second = { name: 'two', service: await startServiceB() };
		second.service.apiKey = 'another-key-of-service-b';
		second.service.state.lastId = 5000;
		for (const { name, service } of [first, second]) {
			for (const feedback of service.state.feedback) Object.assign(feedback, { account: name });
			service.state.hooks.length = 0;
		}
		const n8n = await EmulatedN8n.open(first.service);
		n8n.activationTries = 5;
		const world = new World([first, second], n8n, first);
		world.events = events;
		world.confirms = confirms;
		world.setDeletion(deletion);
		world.takeSnapshot();
		return world;
	}

	async close(): Promise<void> {
		this.held?.release();
		await this.n8n.idle();
		this.n8n.stopServing();
		for (const { service } of this.accounts) await service.close();
	}

	// Actions of users

	async publish(): Promise<void> {
		await this.unpublish();
		await this.activate();
	}

	/** Edits the workflow, and publishes it again if it is published. */
	async edit(work: (world: World) => void): Promise<void> {
		work(this);
		const isChanged = JSON.stringify(this.nodes()) !== JSON.stringify(this.published?.nodes);
		if (this.published && isChanged) await this.activate();
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
		await this.n8n.unpublish();
		this.takeSnapshot();
		this.checkLeftovers(live);
	}

	async listen(): Promise<void> {
		const [node] = this.nodes();
		const live = this.liveHooks();
		const options = { ...Object(node?.parameters).options, sampleOnTest: false };
		const parameters = { ...node?.parameters, options };
		const listening = this.n8n.listen({ ...this.node('node'), ...node, parameters });
		const [result] = await Promise.allSettled([listening]);
		if (result.status === 'fulfilled') await this.n8n.stopListening();
		const left = this.addedSince(live);
		// These are webhooks of the test URL.
		for (const hook of left) this.removeHook(hook.id);
		const lost = live.filter(({ id }) => !this.liveHooks().some((one) => one.id === id));
		assert(lost.length === 0 || this.isKnowledgeLost, 'listening removed a live webhook');
	}

	editCredential(index: number): void {
		const account = this.accounts[index % this.accounts.length];
		if (!account) return;
		this.account = account;
		this.n8n.hasCredential = true;
		this.n8n.baseUrl = account.service.url;
		this.n8n.apiKey = account.service.apiKey;
	}

	rotateKey(): void {
		this.account.service.apiKey = `rotated-key-number-${++this.changes}`;
		this.n8n.apiKey = this.account.service.apiKey;
		this.n8n.hasCredential = true;
	}

	deleteCredential(): void {
		this.n8n.hasCredential = false;
	}

	removeByHand(index: number): void {
		const hook = pick(this.liveHooks(), index);
		if (!hook) return;
		this.advanceClock(READING_TIME);
		this.removeHook(hook.id);
	}

	// Events in n8n

	async restart(index: number): Promise<void> {
		if (this.held) return;
		this.restore(index);
		if (!this.published) return await this.n8n.restartQuietly();
		const live = this.liveHooks();
		const [result] = await Promise.allSettled([this.n8n.restart()]);
		this.takeSnapshot();
		if (result.status === 'rejected') return await this.fail(live);
		const { n8n, account } = this;
		// The trigger may have created webhooks with an edited credential.
		this.published = { ...this.published, account, apiKey: n8n.apiKey };
		this.mayLeaveWebhooks = true;
	}

	/** A run that began earlier, or another process, saves its outdated static data. */
	overwrite(index: number): void {
		this.restore(index);
	}

	async switchProcess(): Promise<void> {
		// A run in n8n's queue is known to its own process only.
		if (this.held) return;
		this.lostAt = Date.now();
		await this.n8n.switchProcess();
	}

	advanceClock(milliseconds: number): void {
		jest.setSystemTime(Date.now() + milliseconds);
	}

	// Events at the services

	setDeletion(status: Deletion): void {
		for (const { service } of this.accounts) {
			service.faults.clear();
			service.settings.hookDeletion = status === 500 ? 204 : status;
			const kind = { status: 500, body: { detail: 'Server Error' } };
			if (status === 500) service.faults.add({ method: 'DELETE', kind, times: Infinity });
		}
	}

	/** Requests to create a webhook lose their response, or get 503. */
	failToCreate(kind: 'lost' | 'down', skip: number): void {
		const down = { status: 503, body: { detail: 'Maintenance' } };
		const kinds = { down, lost: 'reset-after' } as const;
		if (kind === 'lost') this.isKnowledgeLost = true;
		const times = kind === 'lost' ? 1 : 5;
		const fault = { method: 'POST', path: /hooks$/, skip, times, kind: kinds[kind] };
		this.account.service.faults.add(fault);
	}

	/** The service refuses webhooks for one event during one publish. */
	refuseEvent(index: number): void {
		const event = pick(this.events, index);
		const when = ({ body }: { body?: unknown }) => Object(body).event === event;
		const kind = { status: 403, body: { detail: 'Forbidden' } };
		this.account.service.faults.add({ method: 'POST', path: /hooks$/, when, times: 5, kind });
	}

	/** A record changes at an account that has webhooks. */
	changeRecord(random: RandomChange): Delivery[] {
		this.lastChange = random;
		const { event, record, value, isEarlier, account } = random;
		const accounts = this.accounts.filter((one) => this.hooksOf(one).length > 0);
		const at = pick(accounts, account) ?? this.account;
		const change = this.changeOf(at, pick(this.events, event) ?? '', record, value, isEarlier);
		const hooks = this.hooksOf(at).filter((hook) => hook.event === change.event);
		const deliveries = hooks.map((hook) => ({ change, hook, triesLeft: GIVE_UP_AFTER }));
		this.waiting.push(...deliveries);
		return deliveries;
	}

	/** The last change of a record happens again, for example because it was undone in between. */
	async repeatLastChange(): Promise<void> {
		const { lastChange } = this;
		if (lastChange) await this.deliverMixed(lastChange, [lastChange.value], [0]);
	}

	/** Several changes of one record are delivered in any order, some of them repeatedly. */
	async deliverMixed(change: RandomChange, values: number[], order: number[]): Promise<void> {
		const deliveries = values.flatMap((value) => this.changeRecord({ ...change, value }));
		for (const index of order) {
			const delivery = pick(deliveries, index);
			if (!delivery || !this.isAlive(delivery)) return;
			this.advanceClock(1000);
			await this.post(delivery);
		}
	}

	async deliver(index: number, how: 'stored' | 'failing' | 'held' | 'again'): Promise<void> {
		const list = how === 'again' ? this.delivered : this.waiting;
		const delivery = pick(list, index);
		if (!delivery || !this.isAlive(delivery)) return;
		if (how === 'held') await this.hold(delivery);
		else if (how === 'failing') await this.failToStore(delivery);
		else await this.post(delivery);
	}

	async strangerCalls(): Promise<void> {
		const hook = this.liveHooks()[0];
		if (!hook || this.held) return;
		const [address = ''] = hook.target.split('?');
		const runs = this.n8n.runs.length;
		for (const query of ['', '?token=', '?token=guess']) {
			const body = { hook: { ...hook, target: address }, data: { id: 1, score: 1 } };
			await this.n8n.post(address + query, body);
		}
		await this.n8n.idle();
		assert(this.n8n.runs.length === runs, 'a stranger started a run');
	}

	/** The queued run starts. */
	async release(): Promise<void> {
		const { held } = this;
		if (!held) return;
		this.held = undefined;
		const before = this.n8n.runs.length;
		held.release();
		await this.n8n.idle();
		const started = this.n8n.runs.length - before;
		this.recordRuns(held.delivery, started, true);
		const { remembered } = held;
		if (!remembered) return;
		Object.assign(remembered, { at: Date.now(), isStored: started > 0, isForgotten: false });
		// n8n saves all static data that the run loaded on arrival, also that of the other node.
		if (this.activatedAt.size > 1) this.loseDataSince(held.at);
	}

	private async activate(): Promise<void> {
		const { n8n, account, events, confirms } = this;
		const live = this.liveHooks();
		const nodes = this.nodes();
		const earlier = this.published?.nodes.map((node) => JSON.stringify(node)) ?? [];
		const activated = nodes.filter((node) => !earlier.includes(JSON.stringify(node)));
		for (const { id } of activated) this.activatedAt.set(id, Date.now());
		const [result] = await Promise.allSettled([n8n.publish(...nodes)]);
		this.takeSnapshot();
		if (result.status === 'rejected') return await this.fail(live);
		this.published = { account, apiKey: n8n.apiKey, events, confirms, nodes };
		// When n8n tries again, it activates all nodes.
		for (const hook of this.addedSince(live)) this.activatedAt.set(nodeOf(hook), Date.now());
		this.checkBound(live);
		if (n8n.hasCredential && !this.held) await this.checkReceives(activated);
	}

	private async fail(live: Hook[]): Promise<void> {
		this.published = undefined;
		this.takeSnapshot();
		this.checkBound(live);
		this.checkLeftovers(this.liveHooks());
	}

	/** One publish adds at most one webhook per event. */
	private checkBound(before: Hook[]): void {
		const added = this.addedSince(before);
		const most = this.nodes().length * this.events.length;
		const allowed = this.isKnowledgeLost ? most * 6 : most;
		assert(added.length <= allowed, `one publish added ${added.length} webhooks`);
	}

	/** Each event of a published workflow has a webhook whose delivery starts a run. */
	private async checkReceives(activated: INode[]): Promise<void> {
		const { published } = this;
		if (!published) return;
		for (const event of published.events) {
			const hooks = this.hooksOf(published.account).filter((hook) => hook.event === event);
			for (const node of activated) {
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
				if (hook) await this.post({ change, hook, triesLeft: 1 });
				const run = hook && this.runs.get(keyOf({ change, hook }));
				assert(run?.count === 1, `a change of ${event} started no run after publishing`);
			}
		}
	}

	/** The log names every webhook that is left at the service. */
	private checkLeftovers(candidates: Hook[]): void {
		if (this.isKnowledgeLost || this.mayLeaveWebhooks) return;
		const lines = this.n8n.warnings.join('\n');
		const left = candidates.filter(({ id }) => this.liveHooks().some((one) => one.id === id));
		for (const { id } of left)
			assert(lines.includes(`Webhook ${id} (`), `webhook ${id} left, not in log`);
	}

	private async hold(delivery: Delivery): Promise<void> {
		if (this.held || !this.published) {
			await this.post(delivery);
			return;
		}
		let release = () => {};
		const queue = new Promise<void>((resolve) => (release = resolve));
		let isQueued = false;
		const hangUp = new AbortController();
		this.n8n.store = async () => {
			isQueued = true;
			hangUp.abort();
			this.n8n.store = async () => {};
			await queue;
		};
		this.held = { delivery, at: Date.now(), release };
		const status = await this.post(delivery, hangUp.signal);
		this.n8n.store = async () => {};
		if (!isQueued || status !== undefined) this.held = undefined;
		else this.held.remembered = this.remember(delivery, true);
	}

	private async failToStore(delivery: Delivery): Promise<void> {
		this.n8n.store = async () => await Promise.reject(new Error('database is locked'));
		await this.post(delivery);
		this.n8n.store = async () => {};
	}

	/** Posts a delivery and checks the result. Returns undefined if the sender hung up. */
	private async post(delivery: Delivery, signal?: AbortSignal): Promise<number | undefined> {
		const { n8n, published } = this;
		const { change, hook } = delivery;
		const before = n8n.runs.length;
		const body = { hook, data: change.data };
		const post = axios.post(hook.target, body, { signal, validateStatus: () => true });
		const status = await post.then(
			({ status }) => status,
			() => undefined,
		);
		if (!this.held) await n8n.idle();
		const started = n8n.runs.length - before;
		this.recordResponse(delivery, status);
		if (!published) {
			assert(started === 0, 'an unpublished workflow ran');
			return status;
		}
		if (status === undefined) return status;
		this.checkResponse(delivery, published, status, started);
		if (started > 0) this.checkItem(delivery, published);
		return status;
	}

	private recordResponse(delivery: Delivery, status: number | undefined): void {
		delivery.triesLeft--;
		const isDone = status !== undefined && status < 500;
		const at = this.waiting.indexOf(delivery);
		if (at >= 0 && (isDone || delivery.triesLeft <= 0)) this.waiting.splice(at, 1);
		if (status === 200) this.delivered.push(delivery);
	}

	private checkResponse(
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
		const isKeyKnown = published.apiKey === this.n8n.apiKey && this.n8n.hasCredential;
		if (isExpected && (isKeyKnown || !this.isKnowledgeLost)) {
			assert(status === 200 || status >= 500, `deaf: ${change.event} got ${status}`);
		}
		if (!isExpected) {
			if (started === 0) return;
			this.recordRuns(delivery, started, true);
			this.remember(delivery, true);
			return;
		}
		if (status === 200) {
			const hasRun = started > 0 || (this.runs.get(keyOf(delivery))?.count ?? 0) > 0;
			assert(hasRun || this.isTakenForRepeat(delivery), `lost: ${describe(change)}`);
		}
		assert(started === 0 || !this.isInQueue(delivery), `double while held: ${describe(change)}`);
		if (started > 0) this.recordRuns(delivery, started, false);
		const isRefused = status >= 500 && !this.equalsQueued(delivery);
		if (started > 0 || isRefused) this.remember(delivery, started > 0);
	}

	/** Returns true if the queued run is of this change. After another content, an undated repeat is a change back. */
	private isInQueue(delivery: Delivery): boolean {
		const { held } = this;
		if (!held || keyOf(held.delivery) !== keyOf(delivery)) return false;
		const own = contentOf(delivery.change);
		const later = this.listOf(delivery).filter(({ at }) => at > held.at);
		return delivery.change.isDated || later.every(({ content }) => content === own);
	}

	/** Returns true if the record's last delivery is the queued one, and equal: the trigger remembers no other. */
	private equalsQueued(delivery: Delivery): boolean {
		const last = this.listOf(delivery).at(-1);
		if (last === undefined || last !== this.held?.remembered) return false;
		return last.content === contentOf(delivery.change);
	}

	/** Confirmed data comes from the account that sent the delivery. */
	private checkItem({ change }: Delivery, { confirms }: Publication): void {
		const item = this.n8n.runs.at(-1)?.outputs.flat()[0];
		if (!confirms || !change.event.startsWith('feedback.')) return;
		if (change.event === 'feedback.removed') return;
		const { account } = Object(Object(item).data);
		assert(account === change.account.name, `confirmed by another account: ${describe(change)}`);
	}

	private recordRuns(delivery: Delivery, started: number, isForgiven: boolean): void {
		const key = keyOf(delivery);
		const run = this.runs.get(key) ?? { count: 0, at: Date.now(), isForgotten: false };
		const isUndatedChange = !delivery.change.isDated && this.looksLikeChange(delivery);
		const mayRunAgain = isForgiven || run.isForgotten || isUndatedChange;
		const isDouble = started > 1 || (run.count > 0 && started > 0 && !mayRunAgain);
		assert(!isDouble, `double: ${describe(delivery.change)}`);
		if (started === 0) return;
		this.runs.set(key, { count: run.count + started, at: Date.now(), isForgotten: false });
	}

	private remember(delivery: Delivery, isStored: boolean): DeliveredContent {
		const remembered = { content: contentOf(delivery.change), at: Date.now(), isStored };
		this.listOf(delivery).push(remembered);
		return remembered;
	}

	private listOf({ change, hook }: Delivery): DeliveredContent[] {
		const key = `${nodeOf(hook)} ${change.event} ${change.record}`;
		const list = this.seen.get(key) ?? [];
		this.seen.set(key, list);
		return list;
	}

	/**
	 * An undated change that equals the last one of its record within an hour looks like a repeat. Lost data may include
	 * a later change of the record, or the time of the publish.
	 */
	private isTakenForRepeat(delivery: Delivery): boolean {
		const list = this.listOf(delivery);
		const activatedAt = this.activatedAtOf(delivery);
		const since = this.lostAt >= activatedAt ? -Infinity : activatedAt;
		const isMemoryLost = list.some(({ at }) => at <= this.lostAt);
		return (isMemoryLost ? list : list.slice(-1)).some((one) => isEqual(one, delivery, since));
	}

	/** A repeat of an undated change may start a run after another content, an hour or a publish. */
	private looksLikeChange(delivery: Delivery): boolean {
		const since = this.activatedAtOf(delivery);
		return !this.listOf(delivery)
			.filter(({ isForgotten }) => !isForgotten)
			.slice(-1)
			.some((one) => isEqual(one, delivery, since));
	}

	private activatedAtOf({ hook }: Delivery): number {
		return this.activatedAt.get(nodeOf(hook)) ?? 0;
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
		return this.n8n.node(parameters, { id, ...more });
	}

	private hooksOf({ service }: Account): Hook[] {
		return service.state.hooks
			.map(({ id, event, target }) => ({ id, event: String(event), target: String(target) }))
			.filter(({ target }) => target.includes('/webhook/'));
	}

	private liveHooks(): Hook[] {
		return this.accounts.flatMap((account) => this.hooksOf(account));
	}

	private addedSince(before: Hook[]): Hook[] {
		return this.liveHooks().filter(({ id }) => !before.some((one) => one.id === id));
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
			if (!this.keys.has(id)) this.keys.set(id, this.n8n.apiKey);
		}
		const { name } = this;
		this.snapshots.push({ at: Date.now(), name, data: JSON.stringify(this.n8n.saved) });
	}

	/** Restores the static data of an earlier save; index 0 is the current one. */
	private restore(index: number): void {
		this.takeSnapshot();
		const snapshot = this.snapshots.at(-1 - (index % this.snapshots.length));
		if (!snapshot || snapshot === this.snapshots.at(-1)) return;
		this.n8n.saved = JSON.parse(snapshot.data);
		// n8n keeps static data under the node's name.
		this.loseDataSince(snapshot.name === this.name ? snapshot.at : 0);
	}

	private loseDataSince(time: number): void {
		this.isKnowledgeLost = true;
		this.lostAt = Date.now();
		for (const one of [...this.runs.values(), ...[...this.seen.values()].flat()]) {
			if (one.at >= time) one.isForgotten = true;
		}
	}
}

function keyOf({ change, hook }: Pick<Delivery, 'change' | 'hook'>): string {
	return `${change.number} ${nodeOf(hook)}`;
}

function nodeOf({ target }: Hook): string {
	return /hook-of-(\w+)/.exec(target)?.[1] ?? '';
}

/** Returns true if an undated delivery equals a stored one of the last hour, and not before the given time. */
function isEqual(
	{ content, at, isStored }: DeliveredContent,
	{ change }: Delivery,
	since: number,
): boolean {
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
