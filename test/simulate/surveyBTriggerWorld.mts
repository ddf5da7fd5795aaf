import axios from 'axios';
import { sleep } from 'n8n-workflow';

import { deliveryBody, EVENTS, startServiceB } from '../../sandbox';
import type { FaultKind } from '../../sandbox';
import { EmulatedN8n, Killed } from '../contract/surveyBTrigger/emulatedN8n';

class BrokenPromise extends Error {}

/** What stays the same in a world. */
export interface Nature {
	/** n8n's way of publishing since 2.40, or the one before. */
	hasOutbox: boolean;
	/** True if webhook processors take the deliveries. */
	isQueue: boolean;
	/** How the service answers a removal: whether it has such a request is not documented. */
	deletion: 204 | 404 | 405;
	/** What it does about a webhook that equals one. */
	equal: 'another' | 'existing' | 'refused';
}

/** Faults that pass. */
export type Fault = 'lost' | 'refused' | 503;

interface Hook {
	id: number;
	event: string;
	target: string;
}

const KINDS: Record<Fault, FaultKind> = {
	lost: 'reset-after',
	refused: { status: 403, body: { detail: 'Forbidden' } },
	503: { status: 503 },
};

const MINUTE = 60_000;

/** More than n8n and the trigger leave to the background, by their documents. */
const QUIET = 11 * MINUTE;

const PROCESSORS = 2;

const DELIVERIES_PER_SECOND = 25;

/**
 * A service with webhooks, n8n, and users around one workflow with one trigger. It knows the contract and n8n's order of
 * calls, and nothing of how the trigger works.
 */
export class World {
	private events: string[];
	private edits = 0;
	private count = 0;
	private copies = 0;
	/** The events whose changes have to start a run now. */
	private readonly heard = new Set<string>();
	/** Webhooks that nobody can know any more: n8n was killed while it created them, or the response was lost. */
	private readonly unknown = new Set<number>();
	/** Those, and webhooks that the service has failed to remove. */
	private readonly doubtful = new Set<number>();
	/** Webhooks of an unpublished workflow whose removal failed, or was cut off by the end of n8n. The next publish removes them. */
	private readonly stranded = new Set<number>();
	/** Webhooks of a test or of a node that is no more, whose removal failed: the log names them, and no publish removes them. */
	private readonly abandoned = new Set<number>();
	/** Events of which somebody removed a webhook, until users do what the documents say, and the newest of these webhooks. */
	private readonly byHand = new Map<string, number>();
	/** True while requests meet faults. */
	private isFaulty = false;
	/** The newest webhook when n8n started last. Its process has created the later ones: a start may end a publish. */
	private newestAtStart = 0;
	/** True once static data may be older than the last publish. */
	private isOverwritten = false;
	private readonly snapshots: string[] = [];

	private constructor(
		private readonly n8n: EmulatedN8n,
		private readonly nature: Nature,
		events: string[],
	) {
		this.events = events;
	}

	static async open(nature: Nature, events: string[]): Promise<World> {
		const service = await startServiceB();
		service.state.hooks = [];
		service.state.feedback.length = 0;
		Object.assign(service.settings, {
			hookDeletion: nature.deletion,
			equalWebhook: nature.equal,
		});
		const n8n = await EmulatedN8n.open(service);
		n8n.hasOutbox = nature.hasOutbox;
		const world = new World(n8n, nature, events);
		if (nature.isQueue) await world.useProcessors();
		return world;
	}

	async close(): Promise<void> {
		await this.n8n.idle();
		await this.n8n.close();
	}

	private async useProcessors(): Promise<void> {
		for (let number = 0; number < PROCESSORS; number++) await this.n8n.useProcessor(number);
	}

	// Users

	/** Publishes other events, or the same ones with another parameter. */
	async edit(events = this.events): Promise<void> {
		this.events = events;
		this.edits++;
		if (this.n8n.isPublished) await this.publish();
	}

	async publish(): Promise<void> {
		const wasPublished = this.n8n.isPublished;
		const before = this.numberEach();
		const begun = Date.now();
		const [result] = await Promise.allSettled([this.n8n.publish(this.node())]);
		assert(Date.now() - begun < 84_000, 'n8n would have cancelled the publish');
		if (result.status === 'rejected' && result.reason instanceof Killed) throw result.reason;
		this.noteUnanswered();
		if (result.status === 'rejected') return await this.giveUp(result.reason);
		this.checkAll(wasPublished, before);
	}

	/** A publish has failed. The user unpublishes, as n8n 2.41 offers. */
	private async giveUp(reason: unknown): Promise<void> {
		assert(this.isFaulty, `publishing failed without a fault: ${String(reason)}`);
		assert(/^Could not subscribe to '/.test(Object(reason).message), String(reason));
		this.heard.clear();
		await this.unpublish();
	}

	/** @param isEdit true if webhooks are used again that this process of n8n has created */
	private checkAll(isEdit: boolean, before: Record<string, number>): void {
		for (const event of [...this.heard]) if (!this.events.includes(event)) this.heard.delete(event);
		for (const event of this.events) {
			const isUsedAgain = isEdit && (this.byHand.get(event) ?? 0) > this.newestAtStart;
			// If the service removes no webhooks, this node uses its old ones again.
			const isNew = this.nature.deletion === 204 && !isUsedAgain;
			if (this.byHand.has(event) && !isNew) continue;
			assert(this.working(event).length > 0, `no webhook for ${event} after a publish`);
			this.byHand.delete(event);
			this.heard.add(event);
			const isMore = this.nature.deletion !== 204 && before[event];
			const after = this.numberEach()[event];
			assert(!isMore || isMore === after, `a publish added a webhook for ${event}`);
		}
	}

	async unpublish(): Promise<void> {
		this.heard.clear();
		await this.n8n.unpublish();
	}

	/** Replaces the trigger by a copy of it, which n8n gives another ID and URL. */
	async copyNode(): Promise<void> {
		if (!this.n8n.isPublished) return;
		this.copies++;
		this.heard.clear();
		this.byHand.clear();
		await this.edit();
	}

	/** Unpublishes, and publishes at once or later. */
	async toggle(seconds: number): Promise<void> {
		await this.unpublish();
		await sleep(seconds * 1000);
		await this.publish();
	}

	/** Two users act in the same moment; n8n does one after the other. */
	async together(one: string[], other?: string[]): Promise<void> {
		if (!this.n8n.isPublished) return;
		this.edits++;
		const first = this.n8n.publish(this.node(one));
		const second = other ? this.edit(other) : this.unpublish();
		await Promise.all([first, second]);
	}

	/** Somebody removes a webhook in the service's settings. */
	removeByHand(at: number): void {
		const { hooks } = this.n8n.service.state;
		const [removed] = hooks.splice(at % Math.max(1, hooks.length), 1);
		if (!removed || String(removed.target).includes('-test/')) return;
		const event = String(removed.event);
		this.heard.delete(event);
		this.byHand.set(event, Math.max(removed.id, this.byHand.get(event) ?? 0));
	}

	/** Listens in the editor, and stops. */
	async test(): Promise<void> {
		const work = this.n8n.listen(this.node());
		const [result] = await Promise.allSettled([work]);
		await sleep(1000);
		await this.n8n.stopListening();
		this.noteUnanswered();
		const isMissing = result.status === 'rejected';
		assert(!isMissing || this.isFaulty, `a test failed: ${String(Object(result).reason)}`);
		if (this.nature.deletion === 204) return;
		for (const event of EVENTS) {
			const hooks = this.testHooks().filter((hook) => hook.event === event);
			const ofNode = hooks.filter(({ target }) =>
				target.includes(`-test/hook-of-node-${this.copies}/`),
			);
			const known = ofNode.filter(({ id }) => !this.unknown.has(id) && !this.abandoned.has(id));
			assert(known.length <= 1, `tests left ${names(known)}`);
		}
	}

	// n8n

	/** The main process is killed in the middle, and started again. */
	async killDuring(steps: number, work: () => Promise<void>): Promise<void> {
		const known = new Set(this.hooks.map(({ id }) => id));
		this.n8n.killAfter(steps);
		const [result] = await Promise.allSettled([work()]);
		const isKilled = result.status === 'rejected' && result.reason instanceof Killed;
		if (result.status === 'rejected' && !isKilled) throw result.reason;
		// Requests that were under way arrive.
		await sleep(1);
		for (const { id } of this.hooks) if (!known.has(id)) this.forget(id);
		// Nobody publishes a test or a node that is no more.
		const isOfNode = ({ target }: Hook) => target.includes(this.path);
		for (const hook of this.hooks) if (!isOfNode(hook)) this.forget(hook.id);
		if (!this.n8n.isPublished) for (const { id } of this.hooks) this.stranded.add(id);
		if (isKilled) this.heard.clear();
		this.newestAtStart = this.n8n.service.state.lastHookId;
		await this.n8n.restart();
		if (!isKilled || !this.n8n.isPublished) return;
		for (const event of this.events) if (!this.byHand.has(event)) this.heard.add(event);
	}

	/** n8n ends, and starts again. */
	async restart(): Promise<void> {
		await sleep(MINUTE);
		for (const { id } of this.testHooks()) this.forget(id);
		const before = this.n8n.requests.length;
		this.newestAtStart = this.n8n.service.state.lastHookId;
		await this.n8n.restart();
		const isSame = this.n8n.requests.length === before;
		assert(isSame || this.isOverwritten, 'a start sent requests');
	}

	/** A run of the workflow, which began some publishes ago, saves the static data that it loaded. */
	saveEarlier(back: number): void {
		this.snapshots.push(JSON.stringify(this.n8n.saved));
		this.n8n.saved = JSON.parse(this.snapshots.at(-1 - (back % this.snapshots.length)) ?? '{}');
		this.isOverwritten = true;
		for (const { id } of this.hooks) this.forget(id);
	}

	async wait(seconds: number): Promise<void> {
		await sleep(seconds * 1000);
	}

	// The service

	/** The next requests of a kind meet a fault. */
	async faulty(
		method: 'POST' | 'DELETE',
		fault: Fault,
		skip: number,
		work: () => Promise<void>,
	): Promise<void> {
		const { faults } = this.n8n.service;
		faults.add({ method, path: /hooks/, skip, times: 5, kind: KINDS[fault] });
		this.isFaulty = true;
		// In queue mode, a webhook that the service fails to remove may start second runs.
		if (method === 'DELETE') for (const { id } of this.hooks) this.doubtful.add(id);
		try {
			await work();
			if (method === 'DELETE') await sleep(MINUTE);
			for (const { id, target } of this.hooks) {
				if (method === 'DELETE' && !target.includes(this.path)) this.abandoned.add(id);
			}
			if (!this.n8n.isPublished) for (const { id } of this.hooks) this.stranded.add(id);
		} finally {
			faults.clear();
			this.noteUnanswered();
			this.isFaulty = false;
		}
	}

	/** Something of each event happens at the service. */
	async changeAll(): Promise<void> {
		for (const event of EVENTS.slice(0, 5)) await this.change(event);
	}

	private async change(event: string): Promise<void> {
		const data = { id: 2000 + ++this.count, score: 3, changed: this.count };
		const statuses = await this.deliver(event, data);
		const runs = this.runsOf(data.id);
		const isSelected = this.n8n.isPublished && this.events.includes(event);
		assert(isSelected || runs === 0, `${event} is not selected, and ran`);
		const isHeard = this.heard.has(event);
		assert(!isHeard || runs > 0, `${event} started no run: ${statuses.join()}`);
		const hasDoubtful = this.working(event).some(({ id }) => this.doubtful.has(id));
		const isOnce = runs <= 1 || (this.nature.isQueue && hasDoubtful);
		assert(isOnce, `${event} ran ${runs} times, by webhooks ${this.namesOf(event)}`);
	}

	/** Changes go on while a user publishes. What n8n itself answered with 404 comes again, since it has no webhook then. */
	async changesDuring(work: () => Promise<void>): Promise<void> {
		let isOver = false;
		// In queue mode, an edit after a restart has two webhooks of an event for a moment.
		const replaced = this.hooks.filter(({ id }) => id <= this.newestAtStart);
		const ids: Array<{ event: string; id: number }> = [];
		const going = async () => {
			for (let at = 0; !isOver && at < 40; at++) {
				const event = [...this.heard][at % Math.max(1, this.heard.size)];
				if (event === undefined) return;
				const data = { id: 2000 + ++this.count, score: 3, changed: this.count };
				ids.push({ event, id: data.id });
				await this.deliver(event, data);
				await sleep(1000 / DELIVERIES_PER_SECOND);
			}
		};
		// n8n stores a run while a publish goes on, and saves the static data that it loaded before.
		this.n8n.store = async () => {
			for (let turn = 0; turn < 60; turn++) await new Promise((resolve) => setImmediate(resolve));
		};
		await Promise.all([work().finally(() => (isOver = true)), going()]);
		await this.n8n.idle();
		this.n8n.store = async () => {};
		for (const { event, id } of ids) {
			const hasDoubtful = this.working(event).some((hook) => this.doubtful.has(hook.id));
			const isReplaced = replaced.some((hook) => hook.event === event);
			const mayBeTwice = this.nature.isQueue && (hasDoubtful || isReplaced);
			const isOnce = this.runsOf(id) <= 1 || mayBeTwice;
			assert(isOnce, `${event} ran ${this.runsOf(id)} times during a publish`);
		}
	}

	/** In the end, users unpublish and publish, and then everything is as the documents say. */
	async end(): Promise<void> {
		const { deletion } = this.nature;
		await this.unpublish();
		await sleep(QUIET);
		this.checkLeft();
		await this.publish();
		await sleep(QUIET);
		this.stranded.clear();
		if (this.byHand.size > 0) await this.copyNode();
		await sleep(QUIET);
		await this.changeAll();
		for (const event of this.events) {
			const hooks = this.working(event).filter(({ id }) => !this.unknown.has(id));
			const isOne = this.working(event).length > 0 && (deletion !== 204 || hooks.length <= 1);
			assert(isOne, `webhooks of ${event} in the end: ${names(hooks)}`);
		}
		await this.unpublish();
		await sleep(QUIET);
		this.checkLeft();
	}

	// What the world looks at

	private node(events = this.events) {
		const parameters = { events, filters: {}, options: {}, revision: this.edits };
		return this.n8n.node(parameters, { id: `node-${this.copies}` });
	}

	private get hooks(): Hook[] {
		return this.n8n.service.state.hooks.map(({ id, event, target }) => ({
			id,
			event: String(event),
			target: String(target),
		}));
	}

	private get path(): string {
		return `/webhook/hook-of-node-${this.copies}/`;
	}

	private testHooks(): Hook[] {
		return this.hooks.filter(({ target }) => target.includes('-test/'));
	}

	/** The webhooks that call the published workflow. */
	private working(event: string): Hook[] {
		return this.hooks.filter((hook) => hook.event === event && hook.target.includes(this.path));
	}

	/** The number of webhooks of each event that the trigger can know. */
	private numberEach(): Record<string, number> {
		const known = (event: string) => this.working(event).filter(({ id }) => !this.unknown.has(id));
		return Object.fromEntries(EVENTS.map((event) => [event, known(event).length]));
	}

	private namesOf(event: string): string {
		return names(this.working(event));
	}

	private async deliver(event: string, data: object): Promise<number[]> {
		const hooks = this.working(event);
		const statuses = await Promise.all(
			hooks.map(async (hook, i) => {
				const headers = { 'x-processor': (this.count + i) % PROCESSORS };
				const options = { validateStatus: () => true, headers };
				return (await axios.post(hook.target, deliveryBody(hook, data), options)).status;
			}),
		);
		await this.n8n.idle();
		return statuses;
	}

	private runsOf(id: number): number {
		const items = this.n8n.runs.flatMap(({ outputs }) => outputs.flat());
		return items.filter(({ data }) => Object(data).id === id).length;
	}

	private forget(id: number): void {
		this.unknown.add(id);
		this.doubtful.add(id);
	}

	/** Notes webhooks whose creation n8n cannot have read. Every other one has its name in the log. */
	private noteUnanswered(): void {
		for (const { id, event } of this.hooks) {
			const isNamed = this.n8n.messages.some((line) => line.startsWith(`Webhook ${id} (`));
			if (isNamed || this.unknown.has(id)) continue;
			const isLogged = this.n8n.messages.some((line) => line.includes(`unknown ID (${event})`));
			assert(this.isFaulty && isLogged, `webhook ${id} (${event}) has no name in the log`);
			this.forget(id);
		}
	}

	/** After an unpublish, nothing is left that could be removed, and the rest has a name in a warning. No line has a token. */
	private checkLeft(): void {
		const left = this.hooks.filter(({ id }) => !this.unknown.has(id) && !this.stranded.has(id));
		const isRemovable = ({ id }: Hook) => this.nature.deletion === 204 && !this.abandoned.has(id);
		const removable = left.filter(isRemovable);
		assert(removable.length === 0, `left after an unpublish: ${names(removable)}`);
		const warned = this.n8n.warnings.join('\n');
		const unnamed = left.filter(({ id }) => !warned.includes(`Webhook ${id} (`));
		assert(unnamed.length === 0, `left without a warning: ${names(unnamed)}`);
		for (const { target } of this.hooks) {
			const token = new URL(target).searchParams.get('token') ?? target;
			assert(!this.n8n.log.includes(token), 'the log has a token');
		}
	}
}

function names(hooks: Hook[]): string {
	return hooks.map(({ id, event }) => `${id} (${event})`).join(', ') || 'none';
}

function assert(condition: unknown, message: string): asserts condition {
	if (!condition) throw new BrokenPromise(message);
}
