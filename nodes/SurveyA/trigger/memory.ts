import { randomUUID } from 'crypto';
import type { IPollFunctions } from 'n8n-workflow';
import { z } from 'zod';

import { watermark } from './watermark';
import type { Watermark } from './watermark';

const memory = z.object({
	/** Changes whenever items come out. */
	stamp: z.string(),
	/** By event. An event that is not chosen has none. */
	marks: z.record(watermark),
});

/** What the trigger remembers from one poll to the next: how far it read the list of each event. */
export type Marks = Record<string, Watermark>;

/**
 * n8n stores what a poll remembers only when items came out, or when the workflow is published. What
 * polls without items have learned since is kept here, so that publishing changed filters does not
 * bring back rows that the former ones had held back.
 */
const sinceItems = new Map<string, z.infer<typeof memory>>();

/** What the last poll remembered; undefined before the first one. */
export function recall(context: IPollFunctions): Marks | undefined {
	const stored = memory.safeParse(context.getWorkflowStaticData('node'));
	if (!stored.success) return undefined;
	const later = sinceItems.get(nodeOf(context));
	return later?.stamp === stored.data.stamp ? later.marks : stored.data.marks;
}

/**
 * Remembers for the next poll. n8n (2.41) first stores it and then the run that gets the items, a few
 * milliseconds later: a kill between the two loses those items. With durable poll cursors
 * (N8N_POLLER_DURABLE_CURSORS_ENABLED) it stores both in one transaction, and nothing can be lost.
 */
export function remember(context: IPollFunctions, marks: Marks, withItems: boolean): void {
	const data = context.getWorkflowStaticData('node');
	const stamp = withItems || typeof data.stamp !== 'string' ? randomUUID() : data.stamp;
	Object.assign(data, { stamp, marks });
	if (withItems) sinceItems.delete(nodeOf(context));
	else sinceItems.set(nodeOf(context), { stamp, marks });
}

function nodeOf(context: IPollFunctions): string {
	return `${context.getWorkflow().id} ${context.getNode().id}`;
}
