import { createHash } from 'crypto';
import { z } from 'zod/v4';

import { lazy } from '../base/cache';

/** How far the list of an event was read, as it is stored between polls. */
export const listStateSchema = lazy(() =>
	z.object({
		/** A hash of the base URL and the key. */
		account: z.string(),
		/** The number of records at the start of the list that were read. */
		end: z.number(),
		/** The keys of the last of them: eight characters each. */
		seen: z.string(),
		/** When the list was last read to its end, in ms by the service's clock. */
		readAt: z.number(),
	}),
);

/** How far a list was read. */
export type ListState = z.output<ReturnType<typeof listStateSchema>>;

const HASH_LENGTH = 8;

/** How many records of each list are known by their keys. */
// docs/reading.md: the newest 1,000
export const MOST_SEEN = 1000;

/** Stands for the start of the list among the keys, as long as all records since then are known. */
export const START = '-'.repeat(HASH_LENGTH);

/** Returns 48 bits: among 1,000 known records, a new one looks like one of them once in 280 billion times. */
export function shortHash(text: string): string {
	return createHash('sha256').update(text).digest('base64url').slice(0, HASH_LENGTH);
}

/** Returns the keys that a list has in its memory, one after the other. */
export function keysIn(seen: string): Set<string> {
	const keys = new Set<string>();
	for (let at = 0; at < seen.length; at += HASH_LENGTH) keys.add(seen.slice(at, at + HASH_LENGTH));
	return keys;
}

/** Returns the keys as they are stored: the last ones. */
export function storedKeys(keys: Iterable<string>): string {
	return [...keys].slice(-MOST_SEEN).join('');
}
