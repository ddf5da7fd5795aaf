import { createHash } from 'crypto';
import { z } from 'zod/v4';

import { lazy } from '../base/cache';

/** How far the list of an event was read. All dates are the service's own, in ms; other times are n8n's. */
export const listStateSchema = lazy(() =>
	z.object({
		/** A hash of the base URL and the key. */
		account: z.string(),
		/** The number of records at the start of the list that were read. */
		position: z.number(),
		/** The number of records in the list at that time. */
		total: z.number(),
		/** The newest date that was read; absent as long as the list is empty. */
		until: z.number().optional(),
		/** Records dated before this are old. */
		floor: z.number(),
		/** `floor` once a poll has read to the end of the list. */
		nextFloor: z.number(),
		/** When a new record last came. */
		cameAt: z.number(),
		/** The position from which on late records may be: all before it are older than `floor`. */
		window: z.number(),
		/** When a poll looks back to the window again. */
		lookAt: z.number(),
		/** The keys of the records since `floor`, by the minute of their date: eight characters each. */
		seen: z.record(z.string(), z.string()),
	}),
);

/** How far the list of an event was read, as it is stored between polls. */
export type ListState = z.output<ReturnType<typeof listStateSchema>>;

/** A minute, in ms. */
export const MINUTE = 60 * 1000;

const HASH_LENGTH = 8;

/** Returns 48 bits: among 50,000 known records, a new one looks like one of them once in five billion times. */
export function shortHash(text: string): string {
	return createHash('sha256').update(text).digest('base64url').slice(0, HASH_LENGTH);
}

/** Returns the date of each key, in ms: the start of its minute. */
export function datesOf(seen: ListState['seen']): Map<string, number> {
	const dates = new Map<string, number>();
	for (const [minute, keys] of Object.entries(seen)) {
		for (let at = 0; at < keys.length; at += HASH_LENGTH) {
			dates.set(keys.slice(at, at + HASH_LENGTH), Number(minute) * MINUTE);
		}
	}
	return dates;
}

/** Groups keys by the minute of their date, without those dated before `floor`. */
export function keysSince(floor: number, dates: ReadonlyMap<string, number>): ListState['seen'] {
	const seen: ListState['seen'] = {};
	for (const [key, date] of dates) {
		const minute = Math.floor(date / MINUTE);
		if (minute >= Math.floor(floor / MINUTE)) seen[minute] = (seen[minute] ?? '') + key;
	}
	return seen;
}
