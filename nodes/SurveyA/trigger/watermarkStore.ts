import type { IPollFunctions } from 'n8n-workflow';
import { z } from 'zod/v4';

import { lazy } from '../../shared/http/lazy';
import { isDurable, nodeKey } from './pollContext';
import { storedRecord, storedWatermark } from './watermark';
import type { Watermark } from './watermark';

/** How far the lists of an account were read, by event. An event that is not chosen has none. */
export type Watermarks = Partial<Record<string, Watermark>>;

/** An account of the service, and how far its lists were read. */
export interface Account {
	/** A hash of the base URL and key that read it last. */
	id: string;
	marks: Watermarks;
}

interface Memory {
	/** The version of what n8n stores: when items last came out, in ms since 1970. */
	stamp: number;
	nodeId: string;
	/** The account of the last poll first. */
	accounts: Account[];
}

const storedMemory = lazy(() =>
	z.object({
		stamp: z.number(),
		nodeId: z.string(),
		accounts: z.array(z.object({ id: z.string(), marks: storedRecord(storedWatermark()) })),
	}),
);

/** The number of accounts to remember: a credential may be changed back. */
const MOST_ACCOUNTS = 3;

/**
 * The memory of each node after its last poll in this process. n8n stores it only when items came out, or
 * when the workflow is published. This copy includes polls without items, so that publishing changed filters
 * does not bring back rows that the former filters held back.
 */
const lastPolls = new Map<string, Memory>();

/** The most nodes in `lastPolls`. The nodes that polled longest ago are dropped. */
const MOST_NODES = 1000;

/** How long n8n may take to store the memory of a poll, in ms. */
const STORING = 5000;

/** The memory of the trigger during one poll. */
export class PollMemory {
	private readonly stored?: Memory;
	private readonly last?: Memory;

	constructor(private readonly context: IPollFunctions) {
		this.stored = storedMemoryOf(context);
		this.last = lastPolls.get(nodeKey(context));
	}

	/**
	 * True if n8n loaded the data before it stored that of the last poll. This happens in n8n's durable scheduler
	 * when polls run back to back.
	 */
	get isOutdated(): boolean {
		const { stored, last } = this;
		if (!stored || !last || !isDurable(this.context)) return false;
		const age = Date.now() - last.stamp;
		return stored.stamp < last.stamp && age >= 0 && age < STORING;
	}

	/** The remembered accounts; undefined before the first poll. */
	get accounts(): Account[] | undefined {
		const { stored, last } = this;
		return stored && last?.stamp === stored.stamp ? last.accounts : stored?.accounts;
	}

	/**
	 * Remembers accounts for the next poll. n8n 2.41 first stores them and then the run that gets the items, a
	 * few milliseconds later: a kill between the two loses those items. With durable poll cursors
	 * (N8N_POLLER_DURABLE_CURSORS_ENABLED) it stores both in one transaction, and nothing can be lost.
	 */
	remember(accounts: Account[], hasItems: boolean): void {
		const { context, stored } = this;
		const stamp =
			stored && !hasItems ? stored.stamp : Math.max(Date.now(), (stored?.stamp ?? 0) + 1);
		const kept = accounts.slice(0, MOST_ACCOUNTS);
		const memory = { stamp, nodeId: context.getNode().id, accounts: kept };
		const data = { ...memory, accounts: kept.map(toStored) };
		// A durable poll owns the node's data only. Other polls share the workflow's data with its runs.
		if (isDurable(context)) Object.assign(context.getWorkflowStaticData('node'), data);
		else context.getWorkflowStaticData('global')[dataKey(context)] = data;
		const node = nodeKey(context);
		lastPolls.delete(node);
		lastPolls.set(node, memory);
		const [oldest = node] = lastPolls.keys();
		if (lastPolls.size > MOST_NODES) lastPolls.delete(oldest);
	}
}

function toStored({ id, marks }: Account) {
	const entries = Object.entries(marks).map(([event, mark]) => [event, mark?.toStored()]);
	return { id, marks: Object.fromEntries(entries) };
}

/** Reads what n8n has stored for this node: the newer of its two places. */
function storedMemoryOf(context: IPollFunctions): Memory | undefined {
	const { id } = context.getNode();
	const places = [
		context.getWorkflowStaticData('node'),
		context.getWorkflowStaticData('global')[dataKey(context)],
	];
	return places
		.flatMap((place) => storedMemory().safeParse(place).data ?? [])
		.filter(({ nodeId }) => nodeId === id)
		.sort((one, other) => other.stamp - one.stamp)[0];
}

/** Returns a key of the node's ID: nodes are renamed, and names are given to other nodes. */
function dataKey(context: IPollFunctions): string {
	return `surveyATrigger ${context.getNode().id}`;
}
