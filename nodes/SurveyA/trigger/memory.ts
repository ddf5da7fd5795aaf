import type { IDataObject, IPollFunctions } from 'n8n-workflow';
import { z } from 'zod/v4';

import { Cache } from '../../shared/base/cache';
import { isObject } from '../../shared/base/json';
import { lazy } from '../../shared/base/lazy';
import { whenEmitted } from '../../shared/n8nInternals';
import { HASH_LENGTH } from './eventLists';
import { isDurable, nodeKey } from './pollContext';
import type { ListState } from './pollList';

/** How far the lists of all events were read. */
interface Memory {
	/** When it was made, in ms since 1970. */
	stamp: number;
	nodeId: string;
	/** A hash of the base URL and the key. */
	account: string;
	lists: Partial<Record<string, ListState>>;
}

/** Describes a record in n8n's static data. n8n hides a field of its own in such objects, which zod would read. */
function storedRecord<Value extends z.ZodType>(value: Value) {
	const copy = (record: unknown) => (isObject(record) ? { ...record } : record);
	return z.preprocess(copy, z.record(z.string(), value));
}

/** The keys of each minute are stored as one text, which takes eight bytes a record. */
const storedKeys = () =>
	storedRecord(z.string()).transform((minutes) => {
		const seen = new Map<string, number>();
		for (const [minute, keys] of Object.entries(minutes)) {
			for (let at = 0; at < keys.length; at += HASH_LENGTH) {
				seen.set(keys.slice(at, at + HASH_LENGTH), Number(minute));
			}
		}
		return seen;
	});

const storedMemory = lazy(() =>
	z.object({
		stamp: z.number(),
		nodeId: z.string(),
		account: z.string(),
		lists: storedRecord(
			z.object({ floor: z.number(), until: z.number(), readAt: z.number(), seen: storedKeys() }),
		),
	}),
);

function toStored({ seen, ...state }: ListState): IDataObject {
	const minutes: Record<string, string> = {};
	for (const [key, minute] of seen) minutes[minute] = (minutes[minute] ?? '') + key;
	return { ...state, seen: minutes };
}

/**
 * The newest memory of each node in this process that n8n took: its items came out, or it had none. n8n stores a memory
 * only with items and when the workflow is published, and a run that saves the static data of its workflow stores
 * what was there when the run began. So the newer one of this memory and the stored one counts.
 */
const lastTaken = new Cache<{ stamp: number; memory?: Memory }>(1000);

/** How long n8n may take to store the memory of a poll, in ms. */
const STORING = 5000;

/** The memory of the trigger during one poll. */
export class PollMemory {
	/** The memory of the previous poll; undefined before the first one. */
	readonly last?: Memory;
	/** True if n8n's durable scheduler loaded this memory before it stored that of the last poll. */
	readonly isOutdated: boolean;

	constructor(private readonly context: IPollFunctions) {
		const found = storedMemory().safeParse(context.getWorkflowStaticData('node')).data;
		// Names are given to other nodes, and n8n stores a node's data by its name.
		const stored = found?.nodeId === context.getNode().id ? found : undefined;
		const taken = lastTaken.get(nodeKey(context));
		const isBehind = taken !== undefined && taken.stamp > (stored?.stamp ?? 0);
		// Durable cursors are stored together with the run, and no other run can overwrite them.
		const isTrusted = stored !== undefined && isDurable(context);
		const isPending = isBehind && taken.memory?.stamp !== taken.stamp;
		this.isOutdated = isPending && Date.now() - taken.stamp < STORING;
		this.last = isBehind && !isTrusted ? (taken.memory ?? stored) : stored;
	}

	/** Remembers a poll. n8n stores the static data, and then the run that gets the items. */
	remember(changes: Pick<Memory, 'account' | 'lists'>, hasItems: boolean): void {
		const { context, last } = this;
		const stamp = Math.max(Date.now(), (last?.stamp ?? 0) + 1);
		const memory: Memory = { ...changes, stamp, nodeId: context.getNode().id };
		const lists = Object.entries(memory.lists).map(([event, state]) => [
			event,
			state && toStored(state),
		]);
		Object.assign(context.getWorkflowStaticData('node'), {
			...memory,
			lists: Object.fromEntries(lists),
		});
		if (!hasItems) this.take(stamp, memory);
		// n8n stores the cursor together with the run, or neither.
		else if (isDurable(context)) this.take(stamp, last);
		else whenEmitted(context, () => this.take(stamp, memory));
	}

	private take(stamp: number, memory?: Memory): void {
		lastTaken.set(nodeKey(this.context), { stamp, memory });
	}
}
