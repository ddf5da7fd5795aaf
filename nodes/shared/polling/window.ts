import { keyOf } from '../paging/pages';
import type { NumberedPage } from '../paging/pages';
import { shortHash } from './memory';
import type { EventState, Rest } from './memory';
import { dated } from './pollingTrigger';
import type { Dated, EventList } from './pollingTrigger';

// Which records of a list are new. docs/reading.md has the rule: a record that was not seen, and that is not older than a date.

/** The facts with which a poll of a list starts, besides how far it was read. */
export interface PollStart {
	/** A hash of the base URL and the key. */
	account: string;
	/** Start Date, in ms. */
	startDate?: number;
	/** How long a record waits for its comment, in ms. */
	wait: number;
}

/** How far a poll came. */
interface Progress {
	/** The service's clock. */
	now: number;
	/** The part that the next poll reads. */
	rest?: Rest;
	/** True if `rest` begins where the newest records ended. */
	isCut: boolean;
	/** True if records that wait for their date may have got it since they were looked for. */
	mayWait: boolean;
}

/** A date before all others, which JSON can write. */
const EVER = Number.MIN_SAFE_INTEGER;

/** A record may be late by so much, in ms, or if it is among so many newest ones. */
// docs/reading.md: ten minutes
const LATE = 10 * 60 * 1000;
// docs/reading.md: among the newest 50
const NEWEST = 50;

/** The most records in a window, apart from those of one date. */
// docs/reading.md: the newest 2,000
const MOST_IN_WINDOW = 2000;

/** How long a record of an account that was empty may have been created before it is listed, in ms. */
const FIRST_LATE = 24 * 60 * 60 * 1000;

/** The records of a list that are new in a poll. All dates are in ms, by the service's clock. */
export class Window {
	/** The records that came and are new, by their keys. */
	readonly fresh = new Map<string, Dated>();
	/** From this date on, all records were read, but those of the rest. */
	since: number;
	/** From this date on, a record that was not seen is new. */
	private oldest: number;
	/** The dates of the records that earlier polls saw, and of those that came, by their keys. */
	private seen: ReadonlyMap<string, number>;
	private readonly came = new Map<string, number>();
	/** The records of the window on the pages that came, and their number without those that came twice because others were added. */
	private readonly listed = { keys: new Set<string>(), count: 0 };
	/** Just after the date of the last record on the first page; `EVER` if that is the whole list. */
	private edge?: number;

	/** @param before how far earlier polls read; undefined before the first one */
	constructor(
		private readonly list: EventList,
		private readonly start: PollStart,
		private readonly before?: EventState,
	) {
		const { since = start.startDate ?? EVER, seen = {}, rest } = before ?? {};
		this.since = since;
		this.oldest = rest?.since ?? since;
		this.seen = new Map(Object.entries(seen));
	}

	/** True for the poll from which on records are new. */
	get isFirst(): boolean {
		return this.before === undefined && this.start.startDate === undefined;
	}

	/** True if the first page is the whole list. */
	get isWhole(): boolean {
		return this.edge === EVER;
	}

	/** True if no record came that counts. */
	get isEmpty(): boolean {
		return this.came.size === 0;
	}

	/** Returns whether a record came that was seen before. */
	knows({ seen }: EventState): boolean {
		return [...this.came.keys()].some((key) => key in seen);
	}

	/** Returns whether a page has a record that came before, and that is not older than a date. */
	hasSeen({ records }: NumberedPage, from: number): boolean {
		const { list, seen, came } = this;
		return records
			.filter((data) => (dated(list, data)?.created ?? EVER) >= from)
			.map((data) => shortHash(keyOf(list, data)))
			.some((key) => seen.has(key) || came.has(key));
	}

	/** Begins in another account. */
	beginAt(since: number): void {
		this.since = this.oldest = since;
		this.seen = new Map();
	}

	/** Takes a page, and returns its records that have a date. */
	take(page: NumberedPage, now: number, last?: NumberedPage): Dated[] {
		const { list, start, oldest, seen, came, fresh, listed } = this;
		const rows = page.records.flatMap((data) => dated(list, data) ?? []);
		if (page.number === 1) {
			listed.keys.clear();
			listed.count = 0;
			this.edge ??= this.edgeOf(page, rows, now);
		}
		// Records that wait when the trigger begins are older than its start. One that is dated further ahead waits for nothing.
		const wait = this.isFirst ? 0 : start.wait;
		const keys = new Set<string>();
		let place = Infinity;
		for (const row of rows) {
			// One that is dated ahead may be listed among older ones.
			place = Math.min(place, row.created);
			const age = now - place;
			const key = shortHash(keyOf(list, row.data));
			if (!seen.has(key) && age < wait && age > -Math.min(wait, LATE)) continue;
			came.set(key, row.created);
			if (row.created < oldest) continue;
			keys.add(key);
			listed.keys.add(key);
			// promise: each-once
			if (!seen.has(key)) fresh.set(key, row);
		}
		listed.count += keys.size - Math.max(0, (page.total ?? 0) - (last?.total ?? Infinity));
		return rows;
	}

	/** Returns the new records, the oldest first. */
	newRecords(): Dated[] {
		if (this.isFirst) return [];
		const oldest = Math.max(this.oldest, this.start.startDate ?? EVER);
		const records = [...this.fresh.values()].filter(({ created }) => created >= oldest);
		// The list has the newest first, also among those of one date.
		return records.reverse().sort((one, other) => one.created - other.created);
	}

	/** Returns the window of the next poll. */
	next({ now, rest: left, isCut, mayWait }: Progress): Pick<EventState, 'since' | 'seen' | 'rest'> {
		const clock = now - this.start.wait;
		if (!this.before) this.since = this.oldest = this.firstSince(now);
		const { oldest, edge = EVER } = this;
		// Records that wait for their comment are newer than the rest.
		const before = Math.min(left?.before ?? EVER, clock);
		const rest = left && before >= oldest ? { ...left, before, since: oldest } : undefined;
		const all = new Map([...this.seen, ...this.came]);
		const newest = [...all.values()].sort((one, other) => other - one);
		const most = newest[MOST_IN_WINDOW - 1] ?? EVER;
		// An import has one date, and its end is before the edge. Without that, each poll would read all of it.
		const byRecords = Math.max(newest[NEWEST] ?? EVER, edge);
		// The clock alone would miss records that are dated by a slow clock.
		const byClock = Math.min(Math.max(clock - LATE, most), byRecords, clock);
		const isHeld = mayWait || this.isTorn(newest);
		const since = Math.max(this.floor(isCut, rest), isHeld ? most : byClock);
		const kept = rest ? oldest : since;
		const seen = Object.fromEntries([...all].filter(([, date]) => date >= kept));
		return { since, seen, rest };
	}

	/** Returns the date from which on everything was read, but the rest. */
	private floor(isCut: boolean, rest?: Rest): number {
		if (!rest) return this.oldest;
		// Records of the same date may be on the next page.
		return isCut ? Math.max(this.since, rest.before + 1) : this.since;
	}

	/** Returns whether records may be hidden: others came twice in their place, as if their order differed between requests. */
	private isTorn(dates: number[]): boolean {
		const { keys, count } = this.listed;
		const known = dates.filter((date) => date >= this.oldest).length;
		// Removed ones are among those that are known.
		return keys.size < count && (known < count || this.fresh.size > 0);
	}

	/** Returns from when on records are new if nothing is known of the list. */
	private firstSince(now: number): number {
		const { start, list, edge = now - FIRST_LATE } = this;
		const since = start.startDate ?? (list.waits && !this.isWhole ? now : edge);
		return Math.min(since, now);
	}

	/** Returns where the window may begin, so that the next poll ends on its first page. */
	private edgeOf({ total, records }: NumberedPage, rows: Dated[], now: number): number | undefined {
		if (total !== undefined && total <= records.length) return EVER;
		// A date ahead says nothing about that.
		const dates = rows.map(({ created }) => created).filter((date) => date <= now);
		if (this.list.waits) dates.sort((one, other) => other - one);
		const last = dates.at(-1);
		return last === undefined ? undefined : last + 1;
	}
}
