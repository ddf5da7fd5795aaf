import type { IDataObject, IPollFunctions } from 'n8n-workflow';
import { z } from 'zod/v4';

import { lazy } from '../../shared/http/lazy';
import { isScheduled, nodeKey } from './scheduler';
import { storedRecord, storedWatermark } from './watermark';
import type { Watermark } from './watermark';

/** How far the lists of an account were read, by event. An event that is not chosen has none. */
export type Watermarks = Partial<Record<string, Watermark>>;

/** An account of the service, and how far its lists were read. */
export interface Account {
	/** A hash of the base URL and key by which it was read last. */
	id: string;
	marks: Watermarks;
}

/** What the trigger remembers from one poll to the next. */
interface Memory {
	/** Numbers the versions that n8n stores: when items last came out, in ms since 1970. */
	stamp: number;
	nodeId: string;
	/** The account of the last poll first. */
	accounts: Account[];
}

/** Former accounts are kept too: a credential may be changed back. */
const MOST_ACCOUNTS = 3;

const storedMemory = lazy(() =>
	z.object({
		stamp: z.number(),
		nodeId: z.string(),
		accounts: z.array(z.object({ id: z.string(), marks: storedRecord(storedWatermark()) })),
	}),
);

/**
 * The memory of each node after its last poll in this process. n8n stores it only when items came out, or
 * when the workflow is published. This copy includes what polls without items have learned since, so that
 * publishing changed filters does not bring back rows that the former ones held back.
 */
const lastPolls = new Map<string, Memory>();

/** The most nodes in `lastPolls`. Of more, those are forgotten that polled longest ago. */
const MOST_NODES = 1000;

/** How long n8n may take to store what a poll remembers, in ms. */
const STORING = 5000;

/**
 * Returns whether n8n loaded its data before it stored what the last poll remembers. This happens in
 * n8n's durable scheduler when polls run back to back.
 */
export function isOutdated(context: IPollFunctions): boolean {
	const last = lastPolls.get(nodeKey(context))?.stamp ?? 0;
	const { stamp = last } = stored(context) ?? {};
	const age = Date.now() - last;
	return isScheduled(context) && stamp < last && age >= 0 && age < STORING;
}

/** Returns what the last poll remembered; undefined before the first one. */
export function recall(context: IPollFunctions): Account[] | undefined {
	const latest = stored(context);
	const last = lastPolls.get(nodeKey(context));
	return latest && last?.stamp === latest.stamp ? last.accounts : latest?.accounts;
}

/**
 * Remembers for the next poll. n8n (2.41) first stores it and then the run that gets the items, a few
 * milliseconds later: a kill between the two loses those items. With durable poll cursors
 * (N8N_POLLER_DURABLE_CURSORS_ENABLED) it stores both in one transaction, and nothing can be lost.
 */
export function remember(context: IPollFunctions, accounts: Account[], withItems: boolean): void {
	const before = stored(context)?.stamp;
	const next = Math.max(Date.now(), (before ?? 0) + 1);
	const stamp = withItems || before === undefined ? next : before;
	const { id: nodeId } = context.getNode();
	const memory = { stamp, nodeId, accounts: accounts.slice(0, MOST_ACCOUNTS) };
	keepInMemory(nodeKey(context), memory);
	// A durable poll owns the node's data only. Other polls share the workflow's data with its runs.
	if (isScheduled(context)) Object.assign(context.getWorkflowStaticData('node'), toStored(memory));
	else context.getWorkflowStaticData('global')[dataKey(context)] = toStored(memory);
}

function keepInMemory(node: string, memory: Memory): void {
	lastPolls.delete(node);
	lastPolls.set(node, memory);
	const [longestAgo] = lastPolls.keys();
	if (lastPolls.size > MOST_NODES && longestAgo !== undefined) lastPolls.delete(longestAgo);
}

function toStored({ accounts, ...rest }: Memory): IDataObject {
	return {
		...rest,
		accounts: accounts.map(({ id, marks }) => {
			const entries = Object.entries(marks).map(([event, mark]) => [event, mark?.toStored()]);
			return { id, marks: Object.fromEntries(entries) };
		}),
	};
}

/** Reads what n8n has stored for this node: the later one of its two places. */
function stored(context: IPollFunctions): Memory | undefined {
	const places = [
		context.getWorkflowStaticData('node'),
		context.getWorkflowStaticData('global')[dataKey(context)],
	];
	const { id } = context.getNode();
	return places
		.map((place) => storedMemory().safeParse(place).data)
		.filter((memory) => memory !== undefined)
		.filter(({ nodeId }) => nodeId === id)
		.reduce<Memory | undefined>(
			(one, other) => (one && one.stamp >= other.stamp ? one : other),
			undefined,
		);
}

/** The data's key goes by the node's ID: nodes are renamed, and names are given to other nodes. */
function dataKey(context: IPollFunctions): string {
	return `surveyATrigger ${context.getNode().id}`;
}
