import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod';

import { isFeedbackEvent } from '../events';
import { hashOf, recordOf } from './hash';

/** So many records are remembered; those that were delivered longest ago are forgotten first. */
const MOST_RECORDS = 1000;

/**
 * How long an equal delivery counts as a repeat where the data bears no date of its change, in ms. A
 * contact who unsubscribed, came back and unsubscribed again looks the same both times.
 */
const UNDATED_LIFETIME = 60 * 60 * 1000;

/** The last delivery of a record. */
interface Seen {
	hash: string;
	at: number;
	/** `pending` until its run is sure to start; `released` where it did not. */
	state: 'pending' | 'settled' | 'released';
	/** What was there before it, for as long as it is pending. */
	before?: Seen;
	/** Tells whether its run started, for those that wait for it. */
	outcome: Promise<boolean>;
}

/** A delivery: the first of its kind, which is to be ended by one call, or the repeat of another. */
export type Claim =
	| { kind: 'first'; end: (started: boolean) => void }
	/** `started` tells whether the delivery that it repeats starts its run. */
	| { kind: 'duplicate'; started: Promise<boolean> };

const storedRecord = z.array(z.tuple([z.string(), z.string(), z.number()])).catch([]);

/**
 * Tells repeated deliveries from real changes, by the last data of each event's record: A, A is a
 * repeat, A, B, A are three changes. This memory is the process's own, so that two deliveries of the
 * same moment cannot both pass. n8n's webhook processes (queue mode) share only what was saved with
 * the workflow: two of them that get the same delivery at the same moment start two runs.
 */
export class Duplicates {
	private readonly records = new Map<string, Seen>();

	/** Claims a delivery, at once and without waiting for anything. */
	claim(event: string, data: IDataObject): Claim {
		const key = `${event} ${recordOf(data)}`;
		const hash = hashOf(data);
		const at = Date.now();
		const before = standing(this.records.get(key));
		const lifetime = isFeedbackEvent(event) ? Infinity : UNDATED_LIFETIME;
		if (before?.hash === hash && at - before.at < lifetime) {
			return { kind: 'duplicate', started: before.outcome };
		}
		let tell: ((started: boolean) => void) | undefined;
		const outcome = new Promise<boolean>((resolve) => (tell = resolve));
		const seen: Seen = { hash, at, state: 'pending', before, outcome };
		this.put(key, seen);
		const end = (started: boolean) => {
			seen.state = started ? 'settled' : 'released';
			if (started) seen.before = undefined;
			tell?.(started);
		};
		return { kind: 'first', end };
	}

	/** Takes in what was saved, by this process or another one. */
	load(stored: unknown): void {
		for (const [key, hash, at] of storedRecord.parse(stored)) {
			const known = this.records.get(key);
			if (known && known.at >= at) continue;
			this.put(key, { hash, at, state: 'settled', outcome: Promise.resolve(true) });
		}
	}

	/** What to save: the deliveries whose runs are sure to start. */
	dump(): Array<[string, string, number]> {
		return [...this.records].flatMap(([key, seen]): Array<[string, string, number]> => {
			const settled = settledOf(seen);
			return settled ? [[key, settled.hash, settled.at]] : [];
		});
	}

	/** Forgets everything. */
	clear(): void {
		this.records.clear();
	}

	private put(key: string, seen: Seen): void {
		this.records.delete(key);
		this.records.set(key, seen);
		for (const [oldest] of this.records) {
			if (this.records.size <= MOST_RECORDS) break;
			this.records.delete(oldest);
		}
	}
}

/** The delivery that a further one is compared with: what was released does not count. */
function standing(seen: Seen | undefined): Seen | undefined {
	return seen?.state === 'released' ? standing(seen.before) : seen;
}

function settledOf(seen: Seen | undefined): Seen | undefined {
	return seen === undefined || seen.state === 'settled' ? seen : settledOf(seen.before);
}
