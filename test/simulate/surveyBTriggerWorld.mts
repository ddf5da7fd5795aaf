import axios from 'axios';
import { sleep } from 'n8n-workflow';
import type { INode, INodeParameters } from 'n8n-workflow';

import { startServiceB } from '../../sandbox';
import type { Fault, ServiceB } from '../../sandbox';
import { EmulatedN8n } from '../contract/surveyBTrigger/emulatedN8n';
import { changeOf, dataIn } from './surveyBTriggerChanges';
import type { Change, RandomChange } from './surveyBTriggerChanges';

// A service with two accounts, n8n, and users around one workflow with one or two triggers. The world knows the contract
// and n8n, and not how the trigger works. Its promise: a valid delivery of a selected event to a published workflow is
// run once, now or when the service repeats it. What docs/deliveries.md excepts is named where it is checked.

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
	campaign: '' | '101' | 'Relationship';
	routeBy: 'none' | 'event' | 'scoreType';
	hasTwoTriggers: boolean;
}

/** With `busy`, the service is down for as long as one removal of each webhook is tried. */
export type Deletion = 204 | 404 | 405 | 500 | 'lost' | 'html' | 'busy';

/** Faults of requests that create webhooks. */
export type Creation = 'lost' | 503 | 404 | 429 | 'html' | 403;

interface Account {
	name: string;
	service: ServiceB;
}

interface Hook {
	id: number;
	event: string;
	target: string;
}

/** A delivery of a change to one webhook. */
interface Delivery {
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

/** What was published. */
interface Publication {
	settings: Settings;
	nodes: INode[];
}

/** What a node was last activated with. A user may edit the credential and publish only another node again. */
interface Activation {
	account: Account;
	apiKey: string;
	publishedAt: number;
}

/** A run that n8n has stored and holds in its queue, whose sender has hung up. */
interface Held {
	delivery: Delivery;
	seen: Seen;
	release: () => void;
}

export class BrokenPromise extends Error {}

export class World {
	private published?: Publication;
	private held?: Held;
	private deletion: Deletion = 204;
	private name = 'Trigger';
	private account: Account;
	private lastChange?: RandomChange;
	private count = 0;
	private readonly waiting: Delivery[] = [];
	private readonly delivered: Delivery[] = [];
	private readonly runs = new Map<string, number>();
	/** Changes that n8n started again by itself, and so may have run twice. */
	private readonly recovered = new Set<string>();
	private readonly seen = new Map<string, Seen[]>();
	/** Deliveries that could not be stored, as long as the process that knows them runs. */
	private readonly unstored: Seen[] = [];
	private readonly snapshots: Array<{ at: number; data: string }> = [];
	/** The API key that each webhook was created with. */
	private readonly keys = new Map<number, string>();
	/** Webhooks that the trigger cannot know, because a response or static data was lost. */
	private readonly unknown = new Set<number>();
	/** By the ID of the node. */
	private readonly activations = new Map<string, Activation>();
	/** Nodes whose static data is outdated, until they are published. */
	private readonly stale = new Set<string>();
	/** Webhooks that may stay: their removal was refused for good, or they belong to another account, key or address. */
	private readonly staying = new Set<number>();
	/** The faults of creating webhooks since the last publish. */
	private readonly creationFaults = new Set<Creation>();

	private constructor(
		private readonly accounts: Account[],
		private readonly n8n: EmulatedN8n,
		private settings: Settings,
		first: Account,
	) {
		this.account = first;
	}

	static async open(settings: Settings): Promise<World> {
		const first = { name: 'one', service: await startServiceB() };
		const second = { name: 'two', service: await startServiceB() };
		second.service.apiKey = 'another-key-of-service-b';
		second.service.state.lastId = 5000;
		for (const [at, { service }] of [first, second].entries()) {
			service.state.hooks = foreignHooks(at === 0 ? second.service : first.service);
			service.settings.equalWebhook = settings.equalWebhook;
			service.settings.extraEvents = ['survey.response_removed'];
		}
		const n8n = await EmulatedN8n.open(first.service);
		n8n.activationTries = 5;
		const world = new World([first, second], n8n, settings, first);
		world.setDeletion(settings.deletion);
		world.takeSnapshot();
		return world;
	}

	async close(): Promise<void> {
		this.held?.release();
		await this.n8n.idle();
		this.n8n.stopServing();
		for (const { service } of this.accounts) await service.close();
	}

	// Users

	/** Publishes; the workflow may be published already. */
	async publish(): Promise<void> {
		const { n8n, settings } = this;
		await this.unpublish();
		const nodes = this.nodes();
		await this.activating(async () => await n8n.publish(...nodes), { settings, nodes }, nodes);
	}

	async edit(changes: Partial<Settings>): Promise<void> {
		// A node that is gone retries no removal.
		if (changes.hasTwoTriggers === false && this.deletion !== 204) this.letStay();
		this.settings = { ...this.settings, ...changes };
		if (this.published) await this.publishEdited();
	}

	async rename(): Promise<void> {
		this.name = this.name === 'Trigger' ? 'Renamed' : 'Trigger';
		if (this.published) await this.publishEdited();
	}

	async unpublish(): Promise<void> {
		if (!this.published) return;
		const live = this.liveHooks();
		this.published = undefined;
		if (this.isRefusing) this.letStay();
		await this.n8n.unpublish();
		this.takeSnapshot();
		this.checkNamed(live);
	}

	/** Listens in the editor while a change is delivered to all webhooks at the same moment. */
	async listenDuring(random: RandomChange): Promise<void> {
		const live = this.liveHooks();
		const node = this.nodes()[0];
		if (!node) return;
		const [listening] = await Promise.allSettled([this.n8n.listen(node)]);
		if (listening.status === 'fulfilled') {
			await this.changeRecord(random);
			await this.deliverTogether(2);
			await sleep(4000);
			await this.n8n.stopListening();
		}
		for (const { service } of this.accounts) removeWhere(service, isTestUrl);
		const kept = this.liveHooks().map(({ id }) => id);
		const lost = live.filter(({ id }) => !kept.includes(id));
		assert(lost.length === 0, `listening removed the live webhook ${lost[0]?.id}`);
	}

	/** Listens in the editor after the user removed all events. */
	async listenInVain(): Promise<void> {
		const node = this.n8n.node({ events: [] }, { id: 'node', name: this.name });
		const live = this.liveHooks().length;
		const [listening] = await Promise.allSettled([this.n8n.listen(node)]);
		assert(listening.status === 'rejected', 'a test without an event listens');
		assert(this.liveHooks().length === live, 'a test without an event removed live webhooks');
	}

	/** Listens twice in the editor, and the same change is delivered each time, as when a user tries to cause it again. */
	async listenTwice(random: RandomChange): Promise<void> {
		const [node] = this.nodes();
		if (!node || this.held) return;
		const { account, n8n } = this;
		const event = pick(this.settings.events, random.event) ?? '';
		const change = changeOf(event, random, account.service.state.feedback, ++this.count);
		for (const time of ['first', 'second']) {
			this.advanceClock(1000);
			const [listening] = await Promise.allSettled([n8n.listen(node)]);
			const hook = this.hooksOf(account, false).find(
				(one) => one.event === event && isTestUrl(one.target),
			);
			if (listening.status === 'fulfilled' && hook) {
				const before = n8n.runs.length;
				const delivery = { change, account, hook, tries: 0 };
				await this.send(delivery);
				await n8n.idle();
				const isRun = n8n.runs.slice(before).some(({ mode }) => mode === 'manual');
				const mayRun = isRun || this.passes(delivery, this.settings) !== true;
				assert(mayRun, `no test run for ${describe(delivery)} the ${time} time`);
				await n8n.stopListening();
			}
			for (const { service } of this.accounts) removeWhere(service, isTestUrl);
		}
	}

	editCredential(index: number): void {
		this.letStay();
		const account = pick(this.accounts, index);
		if (!account) return;
		this.account = account;
		this.n8n.hasCredential = true;
		this.n8n.baseUrl = account.service.url;
		this.n8n.apiKey = account.service.apiKey;
	}

	rotateKey(): void {
		this.account.service.apiKey = `rotated-key-number-${++this.count}`;
		this.editCredential(this.accounts.indexOf(this.account));
	}

	deleteCredential(): void {
		this.n8n.hasCredential = false;
		this.letStay();
	}

	/** Removes webhooks by hand, as the log says, and publishes at once. */
	async removeByHandAndPublish(index: number): Promise<void> {
		const hook = pick(this.liveHooks(), index);
		if (hook) this.removeHook(hook.id);
		await this.publish();
	}

	// Events in n8n

	/** @param back which earlier version of the static data n8n starts with; 0 for the last one */
	async restart(back = 0): Promise<void> {
		this.overwrite(back);
		await this.start(this.published);
	}

	/** Other events are chosen by an import into the database, of which n8n learns when it starts. */
	async importEvents(events: string[]): Promise<void> {
		this.settings = { ...this.settings, events };
		const { published, settings } = this;
		const isChanged = inOrder(events) !== inOrder(published?.settings.events ?? []);
		await this.start(published && { settings, nodes: this.nodes() }, isChanged);
	}

	/** @param isChanged true if the events were changed while n8n was down */
	private async start(publication?: Publication, isChanged = false): Promise<void> {
		const { n8n } = this;
		this.recoverHeld();
		if (!publication) return await n8n.restartQuietly();
		// Outdated static data may list webhooks that no longer exist, until the next publish.
		const isChecked = this.stale.size === 0;
		const { nodes } = publication;
		const work = async () => await n8n.restart(...nodes);
		await this.activating(work, publication, nodes, { isChecked, isPublish: false, isChanged });
	}

	/**
	 * Restarts n8n, which finds its webhooks in the database and calls no trigger.
	 *
	 * @param back which earlier version of the static data n8n starts with; 0 for the last one
	 */
	async restartQuietly(back = 0): Promise<void> {
		this.overwrite(back);
		this.recoverHeld();
		await this.n8n.restartQuietly();
	}

	/** Restarts n8n with another public address, which reaches the same server. */
	async moveTo(address: string, isQuiet: boolean): Promise<void> {
		this.letStay();
		this.n8n.address = this.n8n.address.replace(/localhost|127\.0\.0\.1/, address);
		await (isQuiet ? this.restartQuietly() : this.restart());
	}

	/**
	 * Somebody unpublishes the workflow in an n8n that has a copy of the database and another address, or a copy of the
	 * workflow with its static data.
	 */
	async unpublishCopy(of: 'database' | 'workflow'): Promise<void> {
		const { published, n8n } = this;
		if (!published) return;
		const { address, saved, workflowId } = n8n;
		const live = this.liveHooks();
		this.recoverHeld();
		if (of === 'database') n8n.address = 'http://copy.example:5678';
		else n8n.workflowId += '-copy';
		await n8n.restartQuietly();
		await n8n.unpublish();
		const kept = this.liveHooks().map(({ id }) => id);
		const lost = live.find(({ id }) => !kept.includes(id));
		assert(lost === undefined, `unpublishing a copy removed webhook ${lost?.id}`);
		Object.assign(n8n, { address, saved, workflowId });
		await this.start(published);
	}

	/** A run that began earlier, or another process, saves its outdated static data. */
	overwrite(back: number): void {
		this.takeSnapshot();
		const snapshot = this.snapshots.at(-1 - (back % this.snapshots.length));
		if (!snapshot || back === 0 || snapshot.data === this.snapshots.at(-1)?.data) return;
		this.n8n.saved = JSON.parse(snapshot.data);
		for (const { id } of this.published?.nodes ?? []) this.stale.add(id);
		for (const { id } of this.liveHooks()) this.unknown.add(id);
		for (const one of [...this.seen.values()].flat()) one.isCertain = false;
	}

	async switchProcess(): Promise<void> {
		// A run in the queue is known to its own process only.
		if (this.held) return;
		this.loseUnstored();
		await this.n8n.switchProcess();
	}

	/** The queued run starts. */
	async release(): Promise<void> {
		const { held } = this;
		if (!held) return;
		const before = this.n8n.runs.length;
		this.held = undefined;
		held.release();
		await this.n8n.idle();
		const started = this.n8n.runs.slice(before).length;
		assert(started === 1, 'a queued run did not start');
		held.seen.at = Date.now();
		// n8n saves the static data that it loaded when the delivery came.
		this.takeSnapshot();
	}

	// The service

	/** Ends all faults but that of DELETE. */
	setDeletion(deletion: Deletion): void {
		this.deletion = deletion;
		this.creationFaults.clear();
		for (const { service } of this.accounts) {
			service.faults.clear();
			service.settings.hookDeletion =
				typeof deletion === 'number' && deletion !== 500 ? deletion : 204;
			const kind = deletionFault(deletion);
			const times = deletion === 'busy' ? 4 * this.settings.events.length : Infinity;
			if (kind) service.faults.add({ method: 'DELETE', kind, times });
		}
	}

	failToCreate(creation: Creation, skip: number): void {
		const when = ({ body }: { body?: unknown }) =>
			Object(body).event === this.settings.events[skip];
		const fault = creationFault(creation);
		this.creationFaults.add(creation);
		const only = creation === 403 ? { when, times: 5 } : { skip };
		this.account.service.faults.add({ method: 'POST', path: /hooks$/, ...fault, ...only });
	}

	/** A record changes at an account; the service queues a delivery to each webhook of the event. */
	async changeRecord(random: RandomChange): Promise<Delivery[]> {
		const accounts = this.accounts.filter((one) => this.hooksOf(one).length > 0);
		const account = pick(accounts, random.account) ?? this.account;
		const event = pick(this.settings.events, random.event) ?? '';
		const change = changeOf(event, random, account.service.state.feedback, ++this.count);
		const hooks = this.hooksOf(account, false).filter((hook) => hook.event === event);
		const deliveries = hooks.map((hook) => ({ change, account, hook, tries: 0 }));
		this.lastChange = random;
		this.waiting.push(...deliveries);
		return deliveries;
	}

	/** Several changes of one record are delivered in any order, some of them repeatedly. */
	async deliverMixed(random: RandomChange, values: number[], order: number[]): Promise<void> {
		const deliveries: Delivery[] = [];
		for (const value of values) deliveries.push(...(await this.changeRecord({ ...random, value })));
		for (const index of order) {
			const delivery = pick(deliveries, index);
			if (!delivery || !this.exists(delivery)) return;
			this.advanceClock(1000);
			await this.post(delivery);
		}
	}

	/** A record changes, changes otherwise, and changes back, and each delivery arrives in time. */
	async changeThereAndBack(random: RandomChange, other: number): Promise<void> {
		for (const value of [random.value, other, random.value]) {
			this.advanceClock(1000);
			const deliveries = await this.changeRecord({ ...random, value });
			for (const delivery of deliveries) await this.post(delivery);
		}
	}

	/** A change waits in the queue of n8n, and the service repeats its delivery. */
	async holdAndRepeat(random: RandomChange, seconds: number): Promise<void> {
		const [delivery] = await this.changeRecord(random);
		if (!delivery) return;
		await this.hold(delivery);
		this.advanceClock(seconds * 1000);
		await this.post(delivery);
	}

	/** n8n restarts, and the service repeats what it delivered last. */
	async restartAndRepeat(address?: string): Promise<void> {
		const last = this.delivered.slice(-8);
		await (address === undefined ? this.restart() : this.moveTo(address, false));
		for (const delivery of last) {
			if (this.exists(delivery)) await this.post(delivery);
		}
	}

	async repeatLastChange(): Promise<void> {
		const { lastChange } = this;
		if (!lastChange) return;
		for (const delivery of await this.changeRecord(lastChange)) await this.post(delivery);
	}

	/** Delivers all that waits at the same moment, each several times. */
	async deliverTogether(repeats: number): Promise<void> {
		if (this.held) return;
		// One of each record, since the order of those that arrive at the same moment is open.
		const waiting = this.waiting.filter((one) => this.exists(one));
		const byRecord = new Map(waiting.map((one) => [[one.hook.id, subjectOf(one)].join(' '), one]));
		const deliveries = [...byRecord.values()].slice(-4);
		const all = deliveries.flatMap((one) => Array.from({ length: repeats }, () => one));
		const before = this.n8n.runs.length;
		// Storing lasts until all have arrived.
		this.n8n.store = async () => await turns(50);
		const statuses = await Promise.all(all.map(async (one) => await this.send(one)));
		await this.n8n.idle();
		this.n8n.store = async () => {};
		const started = this.n8n.runs.slice(before).filter(({ mode }) => mode === 'webhook');
		all.forEach((delivery, i) => this.finish(delivery, statuses[i]));
		const outcomes = [...new Set(all)].map((delivery) => {
			const mine = started.filter((run) => this.isRunOf(run, delivery)).length;
			const worst = Math.max(...statuses.filter((_, i) => all[i] === delivery).map(Number));
			return { delivery, worst, mine };
		});
		// Of two webhooks of one event, one delivery starts the run.
		outcomes.sort((one, other) => other.mine - one.mine);
		for (const { delivery, worst, mine } of outcomes) this.check(delivery, worst, mine);
	}

	async deliver(index: number, how: 'stored' | 'failing' | 'held' | 'again'): Promise<void> {
		const list = how === 'again' ? [...this.delivered].reverse() : this.waiting;
		const delivery = pick(list, index);
		if (!delivery || !this.exists(delivery)) return;
		if (how === 'held') await this.hold(delivery);
		else if (how === 'failing') await this.failToStore(delivery);
		else await this.post(delivery);
	}

	async strangerCalls(): Promise<void> {
		const hook = this.liveHooks().find((one) => this.isPublished(one));
		if (!hook) return;
		const [address = ''] = hook.target.split('?');
		const runs = this.n8n.runs.length;
		for (const query of ['', '?token=', '?token=guess', '?token=a&token=b']) {
			const body = { hook: { ...hook, target: address + query }, data: { id: 1, score: 1 } };
			await this.callInVain(address + query, body, 401);
		}
		const known = this.keys.get(hook.id) === this.activations.get(nodeOf(hook))?.apiKey;
		if (known && !this.stale.has(nodeOf(hook)))
			await this.callInVain(hook.target, { hook, data: 'text' }, 400);
		if (!this.held) await this.n8n.idle();
		assert(this.n8n.runs.length === runs, 'a stranger started a run');
	}

	/** Without the credential, n8n cannot say whether a token is wrong. */
	private async callInVain(url: string, body: object, expected: number): Promise<void> {
		const { status } = await this.n8n.post(url, body);
		const mayFail = !this.n8n.hasCredential && url.includes('?token=');
		const isRight = status === expected || (mayFail && status === 500);
		assert(isRight, `a call that is no valid delivery was answered ${status}, not ${expected}`);
	}

	advanceClock(milliseconds: number): void {
		jest.setSystemTime(Date.now() + milliseconds);
	}

	/** Ends all faults: what still waits is delivered and run. */
	async settle(): Promise<void> {
		await this.release();
		for (const { service } of this.accounts) service.faults.clear();
		for (const delivery of [...this.waiting]) {
			if (this.exists(delivery)) await this.post(delivery);
		}
		const { published } = this;
		if (published && this.n8n.hasCredential) await this.publish();
		this.checkSecrets();
		await this.checkCleared();
		const foreign = this.accounts.flatMap(({ service }) => service.state.hooks.filter(isForeign));
		assert(foreign.length === 2 * FOREIGN, 'the trigger removed a webhook of another program');
	}

	// Checks

	private async publishEdited(): Promise<void> {
		const { n8n, settings } = this;
		const nodes = this.nodes();
		const earlier = this.published?.nodes.map((node) => JSON.stringify(node)) ?? [];
		const edited = nodes.filter((node) => !earlier.includes(JSON.stringify(node)));
		await this.activating(async () => await n8n.publish(...nodes), { settings, nodes }, edited);
	}

	/** Activates triggers and checks that each event of a published workflow starts a run. */
	private async activating(
		work: () => Promise<void>,
		publication: Publication,
		nodes: INode[],
		{ isChecked = true, isPublish = true, isChanged = false } = {},
	): Promise<void> {
		const { account, n8n } = this;
		for (const { id } of nodes) {
			const before = this.activations.get(id)?.publishedAt ?? 0;
			const publishedAt = isPublish ? Date.now() : before;
			this.activations.set(id, { account, apiKey: n8n.apiKey, publishedAt });
		}
		const live = this.liveHooks();
		if (this.isRefusing) this.letStay();
		const [result] = await Promise.allSettled([work()]);
		if (this.isRefusing) this.letRefusedStay();
		this.takeSnapshot();
		const added = this.liveHooks().filter(({ id }) => !live.some((one) => one.id === id));
		const most = 2 * nodes.length * publication.settings.events.length;
		const isLost = this.creationFaults.has('lost');
		assert(added.length <= most + Number(isLost), `one publish added ${added.length} webhooks`);
		const isLogged = ({ id }: Hook) => this.n8n.log.includes(`Webhook ${id} (`);
		for (const hook of added) if (isLost && !isLogged(hook)) this.unknown.add(hook.id);
		const isNamed = !isLost || this.n8n.log.includes('Webhook of unknown ID');
		assert(isNamed || added.every(isLogged), 'the log does not name a webhook of unknown ID');
		if (result.status === 'rejected') {
			this.published = undefined;
			assert(this.isFaulty(), `publishing failed without a fault: ${String(result.reason)}`);
			return this.checkNamed(this.liveHooks());
		}
		this.published = publication;
		this.setDeletion(this.deletion);
		if (isPublish) for (const { id } of nodes) this.stale.delete(id);
		// A start that changes nothing tries no removal again, as the log says.
		if (this.deletion === 204 && (isPublish || isChanged))
			this.checkReplaced(publication.settings, nodes);
		if (isChecked && n8n.hasCredential) await this.checkReceives(publication.settings, nodes);
	}

	/** A publish may fail only because of the service, or without a credential. */
	private isFaulty(): boolean {
		return !this.n8n.hasCredential || this.creationFaults.size > 0;
	}

	/** Each event has a webhook whose delivery starts a run. */
	private async checkReceives(settings: Settings, nodes: INode[]): Promise<void> {
		const { account } = this;
		for (const event of settings.events) {
			for (const node of nodes) {
				const hook = this.hooksOf(account)
					.filter((one) => one.event === event && nodeOf(one) === node.id && this.isOfToday(one))
					.at(-1);
				assert(hook !== undefined, `no webhook for ${event} after publishing`);
				if (!hook) return;
				const fresh = { event: 0, account: 0, record: ++this.count, value: ++this.count + 100 };
				const { feedback } = account.service.state;
				const change = changeOf(event, { ...fresh, isEarlier: false }, feedback, ++this.count);
				const delivery = { change, account, hook, tries: 0 };
				await this.post(delivery);
				const isRun = this.runs.get(keyOf(delivery)) === 1;
				const passes = this.passes(delivery, settings);
				assert(isRun || passes !== true, `a change of ${event} started no run after publishing`);
			}
		}
	}

	/** Earlier webhooks of the nodes are gone. */
	private checkReplaced({ events }: Settings, nodes: INode[]): void {
		for (const { id } of nodes) {
			const hooks = this.liveHooks().filter((one) => nodeOf(one) === id && !this.mayStay(one));
			const isOne = hooks.every(({ event }, i) => {
				const same = hooks.findIndex((one) => one.event === event);
				return same === i && events.includes(event);
			});
			assert(isOne, 'an earlier webhook stayed after publishing');
		}
	}

	private mayStay({ id }: Hook): boolean {
		return this.staying.has(id) || this.unknown.has(id);
	}

	/** True for a webhook of n8n's current address and the credential's current key. */
	private isOfToday({ id, target }: Hook): boolean {
		return target.startsWith(this.n8n.address) && this.keys.get(id) === this.n8n.apiKey;
	}

	/** The log names every webhook that is left at the service. */
	private checkNamed(candidates: Hook[]): void {
		const lines = this.n8n.warnings.join('\n');
		const live = this.liveHooks().map(({ id }) => id);
		for (const { id } of candidates) {
			const isNamed = lines.includes(`Webhook ${id} (`) || this.unknown.has(id);
			assert(
				isNamed || !live.includes(id),
				this.n8n.log + `webhook ${id} is left, and the log does not name it`,
			);
		}
	}

	private checkSecrets(): void {
		const token = this.liveHooks()[0]?.target.split('token=')[1];
		const text = this.n8n.log + JSON.stringify([this.n8n.runs, this.n8n.saved]);
		assert(
			token === undefined || !text.includes(token),
			'the token is in a log, an item or static data',
		);
	}

	/** Unpublishing removes all webhooks once the service lets it, also those whose removal had failed. */
	private async checkCleared(): Promise<void> {
		if (!this.published || !this.n8n.hasCredential) return;
		this.setDeletion(204);
		await this.unpublish();
		const left = this.liveHooks().find((hook) => !this.mayStay(hook));
		assert(left === undefined, `webhook ${left?.id} is left after a removal that works`);
	}

	/** True while the service says that it cannot remove webhooks, so that nobody tries again. */
	private get isRefusing(): boolean {
		return this.deletion === 404 || this.deletion === 405;
	}

	private letStay(): void {
		for (const { id } of this.liveHooks()) this.staying.add(id);
	}

	/** A webhook whose removal the service has refused stays until somebody removes it by hand. */
	private letRefusedStay(): void {
		const requests = this.accounts.flatMap(({ service }) => service.requests);
		for (const { method, path } of requests) {
			if (method === 'DELETE') this.staying.add(Number(path.split('/').at(-1)));
		}
	}

	private async hold(delivery: Delivery): Promise<void> {
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
	private loseUnstored(): void {
		for (const seen of this.unstored.splice(0)) seen.isCertain = false;
	}

	/** n8n starts the queued execution that it has stored, as soon as it is back. Its sender got no response. */
	private recoverHeld(): void {
		this.loseUnstored();
		if (!this.held) return;
		this.recovered.add(keyOf(this.held.delivery));
		this.held.seen.isCertain = false;
		this.held = undefined;
	}

	private async failToStore(delivery: Delivery): Promise<void> {
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
	private repeats(delivery: Delivery, held: NonNullable<typeof this.held>): boolean {
		return isEqual(held.delivery, delivery) && this.listOf(delivery).at(-1) === held.seen;
	}

	async post(delivery: Delivery): Promise<void> {
		const { n8n } = this;
		const before = n8n.runs.length;
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
		const [run] = started;
		if (run) this.checkItem(delivery, run.outputs);
	}

	private async send(
		{ hook, change }: Delivery,
		signal?: AbortSignal,
	): Promise<number | undefined> {
		const { stripsQuery } = this.settings;
		const [address = ''] = hook.target.split('?');
		const target = stripsQuery === 'body' ? address : hook.target;
		const body = { hook: { ...hook, target }, data: change.data };
		const url = stripsQuery === 'url' ? address : hook.target;
		const post = axios.post(url, body, { signal, validateStatus: () => true });
		return await post.then(
			({ status }) => status,
			() => undefined,
		);
	}

	private finish(delivery: Delivery, status: number | undefined): void {
		delivery.tries++;
		const isDone = status !== undefined && status < 500;
		const at = this.waiting.indexOf(delivery);
		if (at >= 0 && (isDone || delivery.tries >= MOST_TRIES)) this.waiting.splice(at, 1);
		if (status === 200) this.delivered.push(delivery);
	}

	/** Checks the outcome of a delivery without a fault. */
	private check(delivery: Delivery, status: number | undefined, started: number): void {
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
	private mayLookLikeRepeat(delivery: Delivery): boolean {
		const list = this.listOf(delivery);
		const candidates = list.some(({ isCertain }) => !isCertain) ? list : list.slice(-1);
		return candidates.some((one) => {
			const isRecent = delivery.change.date || this.isRecent(delivery, one) || !one.isCertain;
			return isRecent && one.hasRun && one.content === contentOf(delivery);
		});
	}

	/** A repeat may start a run after another content, if undated after an hour or a publish, and after lost data. */
	private mayRunAgain(delivery: Delivery): boolean {
		if (!this.published?.settings.ignoreRepeats || this.recovered.has(keyOf(delivery))) return true;
		const last = this.listOf(delivery).at(-1);
		if (last === undefined || !last.isCertain || last.content !== contentOf(delivery)) return true;
		return !last.hasRun || (!delivery.change.date && !this.isRecent(delivery, last));
	}

	private isRecent({ hook }: Delivery, { at }: Seen): boolean {
		return Date.now() - at < HOUR && at >= (this.activations.get(nodeOf(hook))?.publishedAt ?? 0);
	}

	/** Returns whether the filters accept it; undefined if its campaign cannot be compared. */
	private passes({ change, hook }: Delivery, settings: Settings): boolean | undefined {
		const { minScore, campaign } = settings;
		const { score, campaignId, campaignName } = change;
		if (nodeOf(hook) === 'copy') return true;
		if (minScore !== undefined && score !== undefined && score < minScore) return false;
		if (campaign === '') return true;
		const wanted = campaign === '101' ? campaignId : campaignName;
		const other = campaign === '101' ? campaignName : campaignId;
		if (wanted !== undefined) return String(wanted) === campaign;
		// Of another campaign, it must not pass; of this one, the trigger cannot know.
		if (other === undefined) return true;
		return other === 101 || other === 'Relationship' ? undefined : false;
	}

	private checkItem(delivery: Delivery, outputs: object[][]): void {
		const { change, hook } = delivery;
		const filled = outputs.flatMap((items, i) => (items.length > 0 ? [i] : []));
		assert(filled.length === 1, `an item in ${filled.length} outputs: ${describe(delivery)}`);
		const { routeBy, events } = this.published?.settings ?? this.settings;
		const at = nodeOf(hook) === 'copy' ? 0 : outputFor(routeBy, events, change);
		assert(filled[0] === at, `${describe(delivery)} came out at ${filled[0]}, not at ${at}`);
		const item = Object(outputs.flat()[0]);
		assert(item.event === change.event, `an item with the event ${item.event}`);
		assert(JSON.stringify(item.data) === JSON.stringify(change.data), 'an item with other data');
		assert(/^[0-9a-f]{32}$/.test(item.deliveryId), 'an item without a delivery ID');
	}

	/** Returns true for a run whose item is of this delivery. */
	private isRunOf(run: { node: string; outputs: object[][] }, { change, hook }: Delivery): boolean {
		const item = Object(run.outputs.flat()[0]);
		const isNode = run.node === (nodeOf(hook) === 'copy' ? 'Copy' : this.nameOfPublished());
		const isData = JSON.stringify(item.data) === JSON.stringify(change.data);
		return isNode && isData && item.event === change.event && Object(item.hook).id === hook.id;
	}

	private nameOfPublished(): string | undefined {
		return this.published?.nodes.find(({ id }) => id === 'node')?.name;
	}

	/** True for a delivery that a published trigger has to run: of its account, key, events and nodes. */
	private isExpected({ account, change, hook }: Delivery): boolean {
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

	private isPublished(hook: Hook): boolean {
		return this.published?.nodes.some(({ id }) => id === nodeOf(hook)) ?? false;
	}

	private isKeyCurrent({ hook }: Delivery): boolean {
		const { apiKey, baseUrl, hasCredential } = this.n8n;
		const activation = this.activations.get(nodeOf(hook));
		const isSame = activation?.apiKey === apiKey && activation.account.service.url === baseUrl;
		return hasCredential && isSame;
	}

	private see(delivery: Delivery, hasRun: boolean): Seen {
		const seen = { content: contentOf(delivery), at: Date.now(), hasRun, isCertain: true };
		this.listOf(delivery).push(seen);
		return seen;
	}

	private listOf(delivery: Delivery): Seen[] {
		const key = subjectOf(delivery);
		const list = this.seen.get(key) ?? [];
		this.seen.set(key, list);
		return list;
	}

	private nodes(): INode[] {
		const first = this.n8n.node(this.parameters(), { id: 'node', name: this.name });
		if (!this.settings.hasTwoTriggers) return [first];
		const { events, ignoreRepeats } = this.settings;
		const parameters = { events, options: { ignoreRepeats } };
		return [first, this.n8n.node(parameters, { id: 'copy', name: 'Copy' })];
	}

	private parameters(): INodeParameters {
		const { events, minScore, campaign, routeBy, ignoreRepeats } = this.settings;
		return {
			events,
			routeBy,
			filters: {
				...(minScore !== undefined && { minScore }),
				...(campaign !== '' && { campaignIds: [campaign] }),
			},
			options: { ignoreRepeats },
		};
	}

	private hooksOf({ service }: Account, isLive = true): Hook[] {
		return service.state.hooks
			.filter((hook) => !isForeign(hook))
			.map(({ id, event, target }) => ({ id, event: String(event), target: String(target) }))
			.filter(({ target }) => !isLive || target.includes('/webhook/'));
	}

	private liveHooks(): Hook[] {
		return this.accounts.flatMap((account) => this.hooksOf(account));
	}

	private exists({ hook, account }: Delivery): boolean {
		return this.hooksOf(account, false).some(({ id }) => id === hook.id);
	}

	private removeHook(id: number): void {
		for (const { service } of this.accounts) {
			const at = service.state.hooks.findIndex((hook) => hook.id === id && !isForeign(hook));
			if (at >= 0) service.state.hooks.splice(at, 1);
		}
	}

	private takeSnapshot(): void {
		for (const { id } of this.liveHooks()) {
			if (!this.keys.has(id)) this.keys.set(id, this.n8n.apiKey);
		}
		this.snapshots.push({ at: Date.now(), data: JSON.stringify(this.n8n.saved) });
	}
}

function deletionFault(deletion: Deletion): Fault['kind'] | undefined {
	if (deletion === 500 || deletion === 'busy') {
		return { status: 500, body: { detail: 'Server Error' } };
	}
	if (deletion === 'lost') return 'reset-after';
	if (deletion === 'html') return HTML;
	return undefined;
}

const HTML = { status: 502, body: '<html>Bad Gateway</html>' };

function creationFault(creation: Creation): Pick<Fault, 'kind' | 'times'> {
	if (creation === 'lost') return { kind: 'reset-after', times: 1 };
	if (creation === 'html') return { kind: HTML, times: 1 };
	const headers: Record<string, string> = creation === 429 ? { 'retry-after': '5' } : {};
	const kind = { status: creation, headers, body: { detail: 'Not now' } };
	return { kind, times: creation === 503 ? 5 : 1 };
}

type StoredHook = ServiceB['state']['hooks'][number];

const FOREIGN = 200;

/** Returns webhooks of another program, with the IDs that the other account will give to its webhooks. */
function foreignHooks({ state }: ServiceB): StoredHook[] {
	return Array.from({ length: FOREIGN }, (_, i) => ({
		id: state.lastId + 1 + i,
		event: 'tag.removed',
		target: 'https://other.example/',
	}));
}

function isForeign({ target }: StoredHook): boolean {
	return target === 'https://other.example/';
}

function removeWhere({ state }: ServiceB, isRemoved: (target: string) => boolean): void {
	state.hooks = state.hooks.filter(({ target }) => !isRemoved(String(target)));
}

function isTestUrl(target: string): boolean {
	return target.includes('-test/');
}

function outputFor(routeBy: Settings['routeBy'], events: string[], change: Change): number {
	if (routeBy === 'none') return 0;
	if (routeBy === 'event') return events.indexOf(change.event);
	if (change.score === undefined) return 3;
	return change.score >= 9 ? 2 : Number(change.score >= 7);
}

function keyOf({ change, hook }: Pick<Delivery, 'change' | 'hook'>): string {
	return `${change.number} ${nodeOf(hook)}`;
}

function subjectOf({ change, hook }: Delivery): string {
	return [nodeOf(hook), change.event, change.record, change.date].join(' ');
}

function nodeOf({ target }: Hook): string {
	return /hook-of-(\w+)/.exec(target)?.[1] ?? '';
}

/** True for deliveries that look alike to n8n. */
function isEqual(one: Delivery, other: Delivery): boolean {
	return subjectOf(one) === subjectOf(other) && contentOf(one) === contentOf(other);
}

function contentOf({ change }: Delivery): string {
	return dataIn(change);
}

function describe({ change, hook }: Delivery): string {
	return `${change.event} ${JSON.stringify(change.data)} at webhook ${hook.id}`;
}

async function turns(count: number, end?: AbortSignal): Promise<void> {
	for (let i = 0; i < count && end?.aborted !== true; i++)
		await new Promise((resolve) => setImmediate(resolve));
}

function pick<Entry>(list: Entry[], index: number): Entry | undefined {
	return list[index % Math.max(1, list.length)];
}

function inOrder(events: string[]): string {
	return [...events].sort().join();
}

function assert(condition: boolean, message: string): void {
	if (!condition) throw new BrokenPromise(message);
}
