import { z } from 'zod/v4';

import { once } from '../../../shared/http/once';
import { HASH_LENGTH, recordHash } from './hash';
import type { Change } from './hash';

/** So many records are remembered; those that were delivered longest ago are forgotten first. */
const MOST_RECORDS = 1000;

/** Milliseconds since 1970 in base 36, up to the year 2059. */
const TIME_LENGTH = 8;

/** A record as it is saved: its hash, that of its last data, and when that was delivered. */
const ENTRY_LENGTH = 2 * HASH_LENGTH + TIME_LENGTH;

/** The last delivery of a record. */
interface Seen {
	content: string;
	at: number;
	/** `pending` until it is handed to n8n; `storing` until n8n has stored its run; `released` where it did not. */
	state: 'pending' | 'storing' | 'settled' | 'released';
	/** What was there before it, for as long as it is pending. */
	before?: Seen;
	/** Tells whether its run was stored, for those that wait for it. */
	outcome: Promise<boolean>;
}

/**
 * A delivery: the first of its kind, or the repeat of another. The first is handed over when n8n is
 * about to store its run, and settled by one call.
 */
export type Claim =
	| { kind: 'first'; handOver: () => void; settle: (stored: boolean) => void }
	/** `stored` tells whether the run of the delivery that it repeats is stored. */
	| { kind: 'duplicate'; stored: Promise<boolean> };

/** What version 0.1.0 saved: event and record in words, their data's hash, the time. */
const earlierRecord = once(() => z.array(z.tuple([z.string(), z.string(), z.number()])).catch([]));

/**
 * Tells repeated deliveries from real changes, by the last data of each event's record: A, A is a
 * repeat, A, B, A are three changes. This memory is the process's own, so that two deliveries of the
 * same moment cannot both pass. n8n's webhook processors (queue mode) share only what was saved with
 * the workflow: two of them that get the same delivery at the same moment start two runs.
 */
export class Duplicates {
	private readonly records = new Map<string, Seen>();
	private loaded: unknown;
	private storingCount = 0;

	/** How many deliveries n8n is storing the run of. */
	get storing(): number {
		return this.storingCount;
	}

	/**
	 * Claims a delivery, at once and without waiting for anything.
	 *
	 * @param lifetime how long equal data counts as a repeat, in ms
	 */
	claim({ record, content }: Pick<Change, 'record' | 'content'>, lifetime = Infinity): Claim {
		const before = standing(this.records.get(record));
		// The clock of the process that took the one before may be ahead.
		const at = Math.max(Date.now(), (before?.at ?? 0) + 1);
		if (before?.content === content && at - before.at < lifetime) {
			return { kind: 'duplicate', stored: before.outcome };
		}
		let tell: ((stored: boolean) => void) | undefined;
		const outcome = new Promise<boolean>((resolve) => (tell = resolve));
		const seen: Seen = { content, at, state: 'pending', before, outcome };
		this.put(record, seen);
		const handOver = () => {
			if (seen.state !== 'pending') return;
			this.storingCount++;
			seen.state = 'storing';
		};
		const settle = (stored: boolean) => {
			if (seen.state !== 'pending' && seen.state !== 'storing') return;
			if (seen.state === 'storing') this.storingCount--;
			seen.state = stored ? 'settled' : 'released';
			if (stored) seen.before = undefined;
			tell?.(stored);
		};
		return { kind: 'first', handOver, settle };
	}

	/**
	 * Takes in what was saved, by this process or another one. Under load that is often older than what
	 * the process knows: what was forgotten since then stays so.
	 */
	load(saved: unknown): void {
		if (saved === this.loaded) return;
		this.loaded = saved;
		const [oldest] = this.records.values();
		const forgotten = oldest && this.records.size >= MOST_RECORDS ? oldest.at : -Infinity;
		const news = read(saved).filter(
			([record, , at]) => at > (this.records.get(record)?.at ?? forgotten),
		);
		if (news.length === 0) return;
		for (const [record, content, at] of news) {
			this.records.set(record, { content, at, state: 'settled', outcome: Promise.resolve(true) });
		}
		const byTime = [...this.records].sort(([, one], [, other]) => one.at - other.at);
		this.records.clear();
		for (const [record, seen] of byTime.slice(-MOST_RECORDS)) this.records.set(record, seen);
	}

	/** What to save, one text of 24 characters a record: the deliveries whose runs are stored. */
	dump(): string {
		let text = '';
		for (const [record, seen] of this.records) {
			const settled = settledOf(seen);
			if (settled) text += record + settled.content + timeText(settled.at);
		}
		this.loaded = text;
		return text;
	}

	/** Forgets everything. */
	clear(): void {
		this.records.clear();
		this.loaded = undefined;
	}

	private put(record: string, seen: Seen): void {
		this.records.delete(record);
		this.records.set(record, seen);
		const [oldest] = this.records.keys();
		if (this.records.size > MOST_RECORDS && oldest !== undefined) this.records.delete(oldest);
	}
}

function timeText(at: number): string {
	return at.toString(36).padStart(TIME_LENGTH, '0');
}

function read(saved: unknown): Array<[record: string, content: string, at: number]> {
	if (typeof saved !== 'string') {
		return earlierRecord()
			.parse(saved)
			.map(([key, content, at]) => [recordHash(key), content.slice(0, HASH_LENGTH), at]);
	}
	const entries = saved.match(new RegExp(`.{${ENTRY_LENGTH}}`, 'g')) ?? [];
	return entries.map((entry) => [
		entry.slice(0, HASH_LENGTH),
		entry.slice(HASH_LENGTH, 2 * HASH_LENGTH),
		parseInt(entry.slice(2 * HASH_LENGTH), 36) || 0,
	]);
}

/** The delivery that a further one is compared with: what was released does not count. */
function standing(seen: Seen | undefined): Seen | undefined {
	return seen?.state === 'released' ? standing(seen.before) : seen;
}

function settledOf(seen: Seen | undefined): Seen | undefined {
	return seen === undefined || seen.state === 'settled' ? seen : settledOf(seen.before);
}
