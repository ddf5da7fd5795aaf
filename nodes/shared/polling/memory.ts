import { createHash } from 'crypto';
import { deepCopy } from 'n8n-workflow';
import type { IPollFunctions } from 'n8n-workflow';
import { z } from 'zod/v4';

import { Cache, lazy } from '../base/cache';
import { isDurable, whenEmitted } from '../n8nInternals';

/** How far the list of an event was read in one account, as it is stored between polls. */
const eventStateSchema = lazy(() =>
	z.object({
		/** A hash of the base URL and the key. */
		account: z.string(),
		since: z.number(),
		/** The keys of the records that were seen, and their dates. */
		seen: z.record(z.string(), z.number()),
		/** The oldest date that came in a poll that was cut off: newer records came, too. */
		until: z.number().optional(),
		/** When all of the list was last read, in ms by the service's clock. */
		readAt: z.number(),
		/** How many polls in a row had records that moved between pages. */
		torn: z.number(),
		/** When records that wait for their date were last looked for, by n8n's clock, and by how many requests. */
		look: z.object({ at: z.number(), requests: z.number() }).optional(),
	}),
);

/** How far a list was read. */
export type EventState = z.output<ReturnType<typeof eventStateSchema>>;

const memorySchema = lazy(() =>
	z.object({
		/** The node's ID: names are given to other nodes, and n8n stores a node's data by its name. */
		owner: z.string(),
		/** When it was made, in ms since 1970. */
		stamp: z.number(),
		/** Start Date as the node has it, and the time in ms that it stood for then: `$now` would move with each poll. */
		startDate: z.object({ text: z.string(), time: z.number().optional() }),
		/** How far the list of each event was read, in the account of the credential and in those before it. */
		lists: z.record(z.string(), z.array(eventStateSchema())),
	}),
);

/** The state that a polling trigger stores between polls: Start Date, and how far each list was read. */
export type Memory = z.output<ReturnType<typeof memorySchema>>;

/**
 * The newest memory of each node in this process that n8n took: its items came out, or it had none. n8n stores a memory
 * only with items and when the workflow is published, and a run that saves the static data of its workflow stores
 * what was there when the run began. So the newer one of this memory and the stored one counts.
 */
const lastTaken = new Cache<Memory>(1000);

/** The stamp of the newest memory of each node that n8n's durable scheduler stores with its run, or not at all. */
const lastGiven = new Cache<number>(1000);

/** How long n8n may take to store a memory, in ms. */
const STORING = 5000;

/** Identifies a trigger node. Its name may change, and a copied workflow has the same node IDs. */
export function nodeKey(context: IPollFunctions): string {
	return `${context.getWorkflow().id} ${context.getNode().id}`;
}

/**
 * Returns the memory of the previous poll, undefined before the first one, and a function that remembers this poll. The memory is
 * outdated if n8n's durable scheduler loaded it before it stored the newest one.
 */
export function pollMemory(context: IPollFunctions) {
	const key = nodeKey(context);
	const owner = context.getNode().id;
	const staticData = context.getWorkflowStaticData('node');
	// n8n's static data has hidden fields, which a copy leaves out.
	const { data } = memorySchema().safeParse(deepCopy(staticData.memory));
	const stored = data?.owner === owner ? data : undefined;
	const taken = lastTaken.get(key);
	const last = taken && taken.stamp > (stored?.stamp ?? 0) ? taken : stored;
	const given = lastGiven.get(key) ?? 0;
	// The clock may have been set back since then.
	const isOutdated = given > (stored?.stamp ?? 0) && Math.abs(Date.now() - given) < STORING;

	/** Remembers a poll. n8n stores the static data, and then the run that gets the items. */
	function remember(changes: Omit<Memory, 'stamp' | 'owner'>, hasItems: boolean): void {
		// The clock may stand still, or go back.
		const stamp = Math.max(Date.now(), (last?.stamp ?? 0) + 1);
		const memory: Memory = { ...changes, stamp, owner };
		// `parse` copies, so that n8n shares no object with the process.
		staticData.memory = memorySchema().parse(memory);
		const take = () => lastTaken.set(key, memory);
		if (!hasItems) take();
		else if (isDurable(context)) lastGiven.set(key, stamp);
		else whenEmitted(context, take);
	}

	return { last, isOutdated, remember };
}

/** Returns 48 bits: among 1,000 known records, a new one looks like one of them once in 280 billion times. */
export function shortHash(text: string): string {
	return createHash('sha256').update(text).digest('base64url').slice(0, 8);
}
