import type { IDataObject, IHookFunctions, IWebhookFunctions } from 'n8n-workflow';
import { z } from 'zod/v4';

import { Cache, lazy } from '../base/cache';
import { newerThan, StaticData } from '../triggers/staticData';
import { Deliveries } from './deliveries';

/** Limits the size of a workflow's static data. */
// promise: long-id
const LONGEST_ID = 200;
const MOST_WEBHOOKS = 100;

/** Reads the ID of a webhook. */
export const webhookId = z.union([z.number(), z.string().min(1).max(LONGEST_ID)]);

/** A webhook that was created for a node, and may exist at the service. */
const webhookRecord = z.object({
	id: webhookId,
	event: z.string(),
	/** The node's webhook URL, and the hash of the token in it. */
	url: z.string(),
	tokenHash: z.string(),
	/** The service's base URL. */
	baseUrl: z.string(),
	/**
	 * - `live`: it serves the published workflow
	 * - `toRemove`: it was replaced or unpublished. It may be gone already
	 * - `stays`: the same, but the service does not remove it
	 */
	state: z.enum(['live', 'toRemove', 'stays']),
});

/** The memory of a node's live URL, or of its test URL. */
const nodeRecord = lazy(() =>
	z.object({
		/** The node's ID, with "test" for its test URL. */
		key: z.string(),
		/** Grows with every change, so that the newer of two versions is known. In ms since 1970. */
		savedAt: z.number().default(0),
		/** The node's webhook URL of the last publish. */
		url: z.string().default(''),
		/** All known webhooks, the newest last. */
		webhooks: z.array(webhookRecord).default([]),
		/** True if the service removes webhooks. Absent until the service has shown it. */
		removes: z.boolean().optional(),
	}),
);

const savedMemory = lazy(() =>
	z.object({
		/** The n8n instance and the workflow, so that a copy of the workflow ignores it. */
		owner: z.string(),
		nodes: z.array(nodeRecord()),
	}),
);

/** A webhook, as the memory of a workflow has it. */
export type Webhook = z.infer<typeof webhookRecord>;
/** The last publish of a node's live or test URL, and its webhooks. */
export type NodeState = z.infer<ReturnType<typeof nodeRecord>>;
type SavedMemory = z.infer<ReturnType<typeof savedMemory>>;

/** Returns the key of a node's live URL, or of its test URL, which exists while the editor listens. */
export function keyOfNode(context: Pick<IHookFunctions, 'getNode'>, isTest: boolean): string {
	return isTest ? `${context.getNode().id} test` : context.getNode().id;
}

/** The removal of webhooks that begins some seconds after `delete`, unless `create` comes first. */
interface LaterRemoval {
	controller: AbortController;
	/** The webhooks that were live until `delete`. None once their removal has begun. */
	wereLive: Webhook[];
}

/** Workflows that this process remembers; it forgets the least recently used first. */
const MOST_WORKFLOWS = 5000;

type Context = IHookFunctions | IWebhookFunctions;

const memories = new Cache<WorkflowMemory>(MOST_WORKFLOWS);

/**
 * The webhooks of all nodes of one type in a workflow, in this process and in the workflow's static data, and what only this
 * process knows. n8n saves static data as a whole: only a publish writes, since a delivery would overwrite what a publish saves in
 * the meantime. No delivery is accepted or refused by this memory alone.
 */
export class WorkflowMemory {
	readonly deliveries = new Deliveries();
	/** By the key of a node: the removal in the background, and what identifies the running test. */
	readonly later = new Map<string, LaterRemoval>();
	readonly tests = new Map<string, symbol>();
	/** The nodes whose last publish failed. n8n may try again. */
	readonly failed = new Set<string>();
	private readonly nodes = new Map<string, NodeState>();
	private lastWork: Promise<unknown> = Promise.resolve();

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
		const saved = memory.savedIn(context.getWorkflowStaticData('global')).load(owner);
		for (const node of saved?.nodes ?? []) {
			if (node.savedAt > memory.node(node.key).savedAt) memory.nodes.set(node.key, node);
		}
		return memory;
	}

	/** Writes the memory into static data, which n8n saves. */
	save(context: Context): void {
		const saved = this.savedIn(context.getWorkflowStaticData('global'));
		saved.save({ owner: this.owner, nodes: [...this.nodes.values()] });
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

	/** Adds a webhook, or replaces the one with its ID, which the service may have returned again. */
	put(key: string, webhook: Webhook): void {
		this.drop(key, webhook);
		this.change(key, { webhooks: [...this.node(key).webhooks, webhook].slice(-MOST_WEBHOOKS) });
	}

	drop(key: string, { id }: Webhook): void {
		this.change(key, { webhooks: this.node(key).webhooks.filter((one) => one.id !== id) });
	}

	/** Runs work on the webhooks after all earlier work. */
	async serialize<Result>(work: () => Promise<Result>): Promise<Result> {
		const result = this.lastWork.then(work);
		this.lastWork = result.catch(() => undefined);
		return await result;
	}
}
