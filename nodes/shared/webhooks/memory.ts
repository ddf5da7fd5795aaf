import { randomUUID } from 'crypto';
import type { IDataObject, IHookFunctions, IWebhookFunctions } from 'n8n-workflow';
import { z } from 'zod/v4';

import { Cache, lazy } from '../base/cache';
import type { Failure } from '../base/failure';
import { newerThan, StaticData } from '../triggers/staticData';
import type { Change } from './change';

/** Limits the size of a workflow's static data. */
// promise: long-id
const LONGEST_ID = 200;
const MOST_LEFTOVERS = 100;

/** Reads the ID of a webhook. */
export const webhookId = z.union([z.number(), z.string().min(1).max(LONGEST_ID)]);

/** A webhook that may exist at the service. */
const webhookRecord = z.object({
	id: webhookId,
	event: z.string(),
	/** The node's webhook URL when it was created. */
	url: z.string(),
	/** The service's base URL when it was created. */
	baseUrl: z.string(),
});

const strayRecord = webhookRecord.extend({ key: z.string() });

/** The memory of a node's live URL, or of its test URL. */
const nodeRecord = lazy(() =>
	z.object({
		/** The node's ID, with "test" for its test URL. */
		key: z.string(),
		/** Grows with every change, so that the newer of two versions is known. */
		savedAt: z.number().default(0),
		/** When a user last published, in ms since 1970. */
		publishedAt: z.number().default(0),
		/** The node's webhook URL of the last publish, and the hash of its token. */
		url: z.string().default(''),
		tokenHash: z.string().default(''),
		/** The webhooks of the last publish. */
		webhooks: z.array(webhookRecord).default([]),
		/** Earlier webhooks that may still exist. They are removed, never used again. */
		leftovers: z.array(webhookRecord).default([]),
	}),
);

/** A webhook, as the memory of a workflow has it. */
export type Webhook = z.infer<typeof webhookRecord>;
/** The last publish of a node's live or test URL, and its webhooks. */
export type NodeState = z.infer<ReturnType<typeof nodeRecord>>;
type Stray = z.infer<typeof strayRecord>;
type SavedMemory = z.infer<ReturnType<typeof savedMemory>>;

/** Returns the key of a node's live URL, or of its test URL, which exists while the editor listens. */
export function keyOfNode(context: Pick<IHookFunctions, 'getNode'>, isTest: boolean): string {
	return isTest ? `${context.getNode().id} test` : context.getNode().id;
}

/** Returns the webhooks, each once, without others; of a long list, the newest. */
export function without(webhooks: Webhook[], others: Webhook[]): Webhook[] {
	const keys = new Set(others.map(keyOf));
	const remaining = webhooks.filter((webhook) => !keys.has(keyOf(webhook)));
	const byKey = new Map(remaining.map((webhook) => [keyOf(webhook), webhook]));
	return [...byKey.values()].slice(-MOST_LEFTOVERS);
}

function keyOf({ baseUrl, id }: Webhook): string {
	return `${addressOf(baseUrl)} ${id}`;
}

/** Returns a base URL without its scheme: http and https are the same account. */
export function addressOf(baseUrl: string): string {
	return baseUrl.replace(/^https?:\/\//i, '');
}

/** Deliveries of a workflow that this process remembers. */
// docs/deliveries.md: 1,000 deliveries
const MOST_DELIVERIES = 1000;

/** The newest of them that are saved: 13 kB of static data, all of which n8n reads and writes for each delivery. */
// docs/deliveries.md: last 400
const MOST_SAVED = 400;

/** A delivery that is later than the clock by more than this was taken while the clock was ahead, in ms. */
const MOST_AHEAD = 60 * 60 * 1000;

/** Workflows that this process remembers; it forgets the least recently used first. */
const MOST_WORKFLOWS = 5000;

const PROCESS = randomUUID();

type Context = IHookFunctions | IWebhookFunctions;

const savedMemory = lazy(() =>
	z.object({
		/** The n8n instance and the workflow, so that a copy of the workflow ignores it. */
		owner: z.string(),
		/** The process that saved it, so that it knows its own writing. */
		writer: z.string(),
		nodes: z.array(nodeRecord()),
		/** Webhooks, with the key of their node, that delivered although the memory had lost them. */
		strays: z.array(strayRecord).default([]),
		/** `subject content time` of each, with commas between: n8n goes through each list in static data for each delivery. */
		deliveries: z.string(),
	}),
);

/** A delivery, as the memory compares it. */
interface Remembered {
	/** Empty if the content is not known to be that of a run: every delivery is a change then. */
	content: string;
	/** In ms since 1970. Of two versions, the later one counts. */
	at: number;
	/** Resolves when n8n has stored the run, or has failed to; absent once it is stored. */
	storing?: Promise<boolean>;
	/** Its text in static data, set once its run is stored. Made once, since each later delivery writes it again. */
	saved?: string;
}

/** Ends the claim of a delivery: it is remembered if its run is stored; otherwise its repeat starts the run. */
type EndClaim = (isStored: boolean) => void;

/** A publish that failed, which n8n tries again a few seconds later. */
export interface FailedPublish {
	/** By `performance.now()`: when the publish began, and when its last try failed. */
	startedAt: number;
	failedAt: number;
	tries: number;
	/** The event whose webhook could not be created, and why. */
	event: string;
	failure: Failure;
	/** The webhooks that exist for other events; the next try uses them. */
	created: Webhook[];
	/** True once n8n has called `delete`, as it does after each try. A further call means that nobody tries again. */
	isDeleted: boolean;
}

const memories = new Cache<WorkflowMemory>(MOST_WORKFLOWS);

/**
 * The webhooks and recent deliveries of all nodes of one type in a workflow, in this process and in the workflow's static
 * data. n8n saves static data as a whole, and a run may save what it loaded long ago, so it is always written whole.
 * No delivery is accepted or rejected by this memory alone.
 */
export class WorkflowMemory {
	/** The publishes, by node, that failed last. */
	readonly failedPublishes = new Map<string, FailedPublish>();
	/** Stops removals in the background, by node. */
	readonly removals = new Map<string, AbortController>();
	private readonly nodes = new Map<string, NodeState>();
	private strays: Stray[] = [];
	private readonly deliveries = new Map<string, Remembered>();
	private lastWork: Promise<unknown> = Promise.resolve();
	private hasSaved = false;
	/** False once another process has saved the static data beside this one. */
	private isAlone = true;
	/** True if the static data lacks deliveries that this process has saved: another one saved at the same time. */
	isOverwritten = false;

	private constructor(
		/** The name in the workflow's static data, which all nodes of a workflow share. */
		private readonly name: string,
		private readonly owner: string,
	) {}

	/** Returns the memory of the context's node type and workflow, with what other processes have saved. */
	static of(context: Context): WorkflowMemory {
		const owner = `${context.getInstanceId()}/${context.getWorkflow().id}`;
		const name = context.getNode().type.replace(/^.*\./, '');
		const memory = memories.of(`${name} ${owner}`, () => new WorkflowMemory(name, owner));
		const data = context.getWorkflowStaticData('global');
		const isOwn = Object(data[name]).writer === PROCESS;
		const loaded = isOwn ? undefined : memory.savedIn(data).load(owner);
		if (loaded) memory.merge(loaded);
		return memory;
	}

	/** Writes the memory into static data, which n8n saves. */
	save(context: Context): void {
		this.savedIn(context.getWorkflowStaticData('global')).save({
			owner: this.owner,
			writer: PROCESS,
			nodes: [...this.nodes.values()],
			strays: this.strays,
			deliveries: this.newest().join(),
		});
		this.hasSaved = true;
		this.isOverwritten = false;
	}

	private savedIn(data: IDataObject): StaticData<SavedMemory> {
		return new StaticData(data, this.name, savedMemory());
	}

	node(key: string): NodeState {
		return this.nodes.get(key) ?? nodeRecord().parse({ key });
	}

	change(key: string, changes: Partial<NodeState>): void {
		const before = this.node(key);
		const savedAt = newerThan(before.savedAt);
		this.nodes.set(key, { ...before, ...changes, savedAt });
	}

	/** Returns whether a node knows a webhook. */
	knows(key: string, id: Webhook['id']): boolean {
		const { webhooks, leftovers } = this.node(key);
		const known = [...webhooks, ...leftovers, ...this.straysOf(key)];
		return known.some((webhook) => String(webhook.id) === String(id));
	}

	/** Notes a webhook that delivers to a node and that the memory has lost. */
	addStray(key: string, webhook: Webhook): void {
		this.strays = [...this.strays, { ...webhook, key }].slice(-MOST_LEFTOVERS);
	}

	private straysOf(key: string): Webhook[] {
		return this.strays.filter((stray) => stray.key === key);
	}

	/** Takes over the webhooks of a node that the memory had lost. */
	takeStrays(key: string): Webhook[] {
		const taken = this.straysOf(key);
		this.strays = this.strays.filter((stray) => stray.key !== key);
		return taken.map(({ id, event, url, baseUrl }) => ({ id, event, url, baseUrl }));
	}

	/**
	 * Claims a delivery, unless it repeats the last one of its subject: A, A is a repeat; A, B, A are three changes. Waits
	 * for the outcome of an equal delivery that n8n is storing. Synchronous until then, so that of two equal deliveries at
	 * the same moment one is the repeat.
	 *
	 * @param since the time from which deliveries are compared, in ms since 1970
	 * @returns undefined for a repeat of a delivery whose run is stored
	 */
	async claim({ subject, content }: Change, since: number): Promise<EndClaim | undefined> {
		for (;;) {
			const last = this.deliveries.get(subject);
			const isRepeat =
				last?.content === content && (last.storing !== undefined || timeOf(last) >= since);
			if (!isRepeat) return this.begin(subject, content, last);
			if (last.storing === undefined || (await last.storing)) return undefined;
		}
	}

	/**
	 * Notes that a filter holds a delivery back: after it, the content of the last run is a change again. The note is an
	 * entry of its own, since other processes would not see that one is missing.
	 *
	 * @returns true if there is something to save
	 */
	holdBack({ subject, content }: Change): boolean {
		const last = this.deliveries.get(subject);
		// Another process may have started a run for the subject and not have saved it yet.
		const known = last?.content ?? (this.isAlone ? '' : undefined);
		if (known === '' || known === content) return false;
		this.put(subject, stored(subject, '', timeAfter(last)));
		return true;
	}

	/** Runs work on the webhooks after all earlier work. */
	async serialize<Result>(work: () => Promise<Result>): Promise<Result> {
		const result = this.lastWork.then(work);
		this.lastWork = result.catch(() => undefined);
		return await result;
	}

	private begin(subject: string, content: string, last?: Remembered): EndClaim {
		let resolve: ((isStored: boolean) => void) | undefined;
		const storing = new Promise<boolean>((end) => (resolve = end));
		const delivery: Remembered = { content, at: timeAfter(last), storing };
		this.put(subject, delivery);
		return (isStored) => {
			const isLast = this.deliveries.get(subject) === delivery;
			// n8n may store a run hours later, and the service repeats the delivery after that. If it could not, nothing
			// equals the last content, and what another process has saved is older.
			if (isLast) this.put(subject, stored(subject, isStored ? content : '', timeAfter(last)));
			resolve?.(isStored);
		};
	}

	private put(subject: string, delivery: Remembered): void {
		this.deliveries.delete(subject);
		this.deliveries.set(subject, delivery);
		const [oldest] = this.deliveries.keys();
		// promise: memory-size
		if (this.deliveries.size > MOST_DELIVERIES && oldest !== undefined) {
			this.deliveries.delete(oldest);
		}
	}

	/** Returns the deliveries that are saved, as text. */
	private newest(): string[] {
		const saved = [...this.deliveries.values()].slice(-MOST_SAVED).map((one) => one.saved);
		return saved.filter((text) => text !== undefined);
	}

	/** Adds what another process has saved, or this one before it was started again. Of two versions, the newer counts. */
	private merge(data: SavedMemory): void {
		if (this.hasSaved) this.isAlone = false;
		for (const node of data.nodes) {
			if (node.savedAt > this.node(node.key).savedAt) this.nodes.set(node.key, node);
		}
		for (const stray of data.strays) {
			if (!this.knows(stray.key, stray.id)) this.addStray(stray.key, stray);
		}
		const saved = data.deliveries.split(',').filter(Boolean);
		const newer = saved.map(parse).filter(([subject, delivery]) => {
			const known = this.deliveries.get(subject);
			return !known || (known.storing === undefined && timeOf(known) < timeOf(delivery));
		});
		for (const [subject, delivery] of newer) this.put(subject, delivery);
		const inStaticData = new Set(saved);
		this.isOverwritten = this.hasSaved && this.newest().some((text) => !inStaticData.has(text));
	}
}

/** Returns when a delivery was taken; 0 if the clock was ahead then. */
function timeOf({ at }: Remembered): number {
	return at > Date.now() + MOST_AHEAD ? 0 : at;
}

/** Returns the time of the delivery after another one. The clock of the process that took that may be ahead a little. */
function timeAfter(last?: Remembered): number {
	return newerThan(last && timeOf(last));
}

function stored(subject: string, content: string, at: number): Remembered {
	return { content, at, saved: `${subject} ${content} ${at.toString(36)}` };
}

function parse(saved: string): [subject: string, delivery: Remembered] {
	const [subject = '', content = '', at = ''] = saved.split(' ');
	return [subject, { content, at: parseInt(at, 36) || 0, saved }];
}
