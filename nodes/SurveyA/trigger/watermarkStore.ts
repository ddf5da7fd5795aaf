import type { IDataObject, IPollFunctions } from 'n8n-workflow';
import { z } from 'zod/v4';

import { once } from '../../shared/http/once';
import { isScheduled, nodeKey } from './scheduler';
import { storedRecord, storedWatermark, toStored } from './watermark';
import type { Watermark } from './watermark';

/** What the trigger remembers from one poll to the next: how far it read the list of each event. */
export type Watermarks = Partial<Record<string, Watermark>>;

/** What a poll left behind. */
interface Remembered<Marks> {
	/** When items came out last, or else when the trigger began, in ms since 1970. */
	stamp: number;
	/** By event. An event that is not chosen has none. */
	marks: Marks;
}

const stored = once(() =>
	z.object({
		stamp: z.number(),
		marks: storedRecord(z.unknown()),
		/** Whose it is; earlier versions did not store it. */
		nodeId: z.string().optional(),
	}),
);

/** A second record, under the node's ID. */
const copy = once(() => stored().extend({ name: z.string() }));

/**
 * What the last poll of each node remembers. n8n stores it only when items came out, or when the
 * workflow is published. With what polls without items have learned since, publishing changed filters
 * does not bring back rows that the former ones had held back.
 */
const lastPolls = new Map<string, Remembered<Watermarks>>();

/** The most nodes whose last poll is kept in memory. Of more, those go that polled longest ago. */
const MOST_NODES = 1000;

/** How long n8n may take to store what a poll remembers, in ms. */
const STORING = 5000;

/**
 * Whether n8n read what it hands over before it stored what the last poll remembers. That happens in
 * its durable scheduler where one poll follows hard on another.
 */
export function isOutdated(context: IPollFunctions): boolean {
	const last = lastPolls.get(nodeKey(context))?.stamp ?? 0;
	const { stamp = last } = latestIn(context) ?? {};
	const age = Date.now() - last;
	return isScheduled(context) && stamp < last && age >= 0 && age < STORING;
}

/** What the last poll remembered; undefined before the first one. */
export function recall(context: IPollFunctions): Watermarks | undefined {
	const latest = latestIn(context);
	const last = lastPolls.get(nodeKey(context));
	if (!latest || last?.stamp === latest.stamp) return latest && last?.marks;
	const read = Object.entries(latest.marks).map(([event, mark]) => [
		event,
		storedWatermark().safeParse(mark).data,
	]);
	return Object.fromEntries(read);
}

/**
 * Remembers for the next poll. n8n (2.41) first stores it and then the run that gets the items, a few
 * milliseconds later: a kill between the two loses those items. With durable poll cursors
 * (N8N_POLLER_DURABLE_CURSORS_ENABLED) it stores both in one transaction, and nothing can be lost.
 */
export function remember(context: IPollFunctions, marks: Watermarks, withItems: boolean): void {
	const before = latestIn(context);
	const stamp = withItems || !before ? Date.now() : before.stamp;
	keepInMemory(nodeKey(context), { stamp, marks });
	const { id: nodeId, name } = context.getNode();
	const data = { stamp, marks: storedForm(marks), nodeId };
	Object.assign(context.getWorkflowStaticData('node'), data);
	// A durable poll has the workflow's data to itself: to store it would undo what runs changed in it.
	if (isScheduled(context)) return;
	context.getWorkflowStaticData('global')[copyKey(context)] = { name, ...data };
}

function keepInMemory(node: string, last: Remembered<Watermarks>): void {
	lastPolls.delete(node);
	lastPolls.set(node, last);
	const [longestAgo] = lastPolls.keys();
	if (lastPolls.size > MOST_NODES && longestAgo !== undefined) lastPolls.delete(longestAgo);
}

function storedForm(marks: Watermarks): IDataObject {
	const entries = Object.entries(marks).map(([event, mark]) => [event, mark && toStored(mark)]);
	return Object.fromEntries(entries);
}

/**
 * What n8n has stored. It keeps the data of a node under the node's name, and with durable cursors it
 * forgets the poll of an activation that found nothing: then the copy tells, under the node's ID.
 */
function latestIn(context: IPollFunctions): Remembered<Record<string, unknown>> | undefined {
	const inNode = stored().safeParse(context.getWorkflowStaticData('node')).data;
	const copied = copy().safeParse(context.getWorkflowStaticData('global')[copyKey(context)]).data;
	if (!inNode || !copied) return inNode ?? copied;
	const { id, name } = context.getNode();
	// Another node had this name before.
	if (inNode.nodeId !== undefined && inNode.nodeId !== id) return copied;
	const wasRenamed = copied.name !== name;
	return wasRenamed && copied.stamp > inNode.stamp ? copied : inNode;
}

function copyKey(context: IPollFunctions): string {
	return `surveyATrigger ${context.getNode().id}`;
}
