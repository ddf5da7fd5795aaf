import type { IDataObject } from 'n8n-workflow';

import { isBlank } from '../base/text';
import { keyOf } from '../paging/pages';
import type { NumberedPage } from '../paging/pages';
import { shortHash } from './memory';
import type { EventState } from './memory';
import { dated } from './pollingTrigger';
import type { Dated, EventList } from './pollingTrigger';

/** The facts with which a poll of a list starts, besides how far it was read. */
export interface PollStart {
	/** A hash of the base URL and the key. */
	account: string;
	/** Start Date, in ms. */
	startDate?: number;
	/** How long a record waits for its comment, in ms. */
	wait: number;
}

/** A date before all others, which JSON can write. */
const EVER = Number.MIN_SAFE_INTEGER;

/** A record may be late by so much, in ms, or if it is among so many newest ones. */
// docs/reading.md: ten minutes
const LATE = 10 * 60 * 1000;
// docs/reading.md: among the newest 50
const NEWEST = 50;

/** While records move between pages, so many polls in a row read the same window: the order of one date may differ each time. */
// docs/reading.md: 20 polls
const ENOUGH = 20;

/** The most records in a window, apart from those of one date. */
// docs/reading.md: the newest 2,000
const MOST_IN_WINDOW = 2000;

/** How long a record of an account that was empty may have been created before it is listed, in ms. */
const FIRST_LATE = 24 * 60 * 60 * 1000;

/** The records of a list that a poll reads, from the newest one back to a date. All dates are in ms, by the service's clock. */
export class Window {
	/** True for the poll from which on records are new. */
	readonly isFirst: boolean;
	/** False if nothing could be read. */
	hasCome = false;
	/** The records that came and are new, by their keys. */
	readonly fresh = new Map<string, Dated>();
	/** The keys of the newest records, if the poll before was cut off. */
	readonly recent: ReadonlySet<string>;
	/** False if the list has records, but none with a date that can be read. */
	hasDates = true;
	/** From this date on, a record that was not seen is new. */
	private readonly since: number;
	/** The dates of the records that earlier polls saw, by their keys. */
	private readonly seen: ReadonlyMap<string, number>;
	/** The dates of the records that came, and their last pages, by their keys. */
	private readonly came = new Map<string, number>();
	private readonly pages = new Map<string, number>();
	/** True if a record of the window came on two pages: it has moved, and another one may have moved to a page that came before. */
	private hasMoved = false;
	/** Just after the oldest date on the first page; `EVER` if that is the whole list. */
	private edge?: number;

	/**
	 * @param before how far earlier polls read; undefined before the first one
	 * @param now returns the time by the service's clock
	 */
	constructor(
		readonly list: EventList,
		private readonly start: PollStart,
		private readonly before: EventState | undefined,
		private readonly now: () => number,
	) {
		this.isFirst = before === undefined && start.startDate === undefined;
		this.since = Math.max(before?.since ?? EVER, start.startDate ?? EVER);
		this.seen = new Map(Object.entries(before?.seen ?? {}));
		const { until = Infinity } = before ?? {};
		this.recent = new Set([...this.seen].flatMap(([key, date]) => (date >= until ? key : [])));
	}

	/** True if the first page is the whole list. */
	get isOnePage(): boolean {
		return this.edge === EVER;
	}

	/** The new records, the oldest first. The list has the newest first, also among those of one date. */
	get records(): Dated[] {
		const records = this.isFirst ? [] : [...this.fresh.values()].reverse();
		return records.sort((one, other) => one.created - other.created);
	}

	/** How many polls in a row had records that moved between pages. */
	private get torn(): number {
		return this.hasMoved ? (this.before?.torn ?? 0) + 1 : 0;
	}

	/** Returns whether a record came that was seen before. */
	knows(state: EventState): boolean {
		return [...this.came.keys()].some((key) => key in state.seen);
	}

	/** Takes a page. Returns whether it has a record that is older than the window. */
	add(page: NumberedPage): boolean {
		this.hasCome = true;
		const rows = page.records.flatMap((data) => dated(this.list, data) ?? []);
		if (page.number === 1) this.begin(page, rows);
		this.take(rows, page.number);
		return rows.some(({ created }) => created < this.since);
	}

	/** Begins at the first page. */
	private begin({ total, records }: NumberedPage, rows: Dated[]): void {
		const { waits, dateField } = this.list;
		const isDue = (record: IDataObject) => !waits || !isBlank(record[dateField]);
		this.hasDates = rows.length > 0 || !records.some(isDue);
		// A date ahead of the clock is no date to begin at.
		const dates = rows.map(({ created }) => created).filter((date) => date <= this.now());
		if (total !== undefined && total <= records.length) this.edge ??= EVER;
		else if (this.isFirst || dates.length > 0) this.edge ??= Math.min(this.now(), ...dates) + 1;
	}

	/** Takes the dated records of a page. */
	private take(rows: Dated[], page: number): void {
		// Records that wait when the trigger begins are older than its start. One that is dated further ahead waits for nothing.
		const wait = this.isFirst ? 0 : this.start.wait;
		let place = Infinity;
		for (const row of rows) {
			// One that is dated ahead may be listed among older ones.
			place = Math.min(place, row.created);
			const age = this.now() - place;
			const key = shortHash(keyOf(this.list, row.data));
			const isSeen = this.seen.has(key);
			if (!isSeen && age < wait && age > -Math.min(wait, LATE)) continue;
			const earlier = this.pages.get(key) ?? page;
			this.came.set(key, row.created);
			this.pages.set(key, page);
			if (row.created < this.since) continue;
			this.hasMoved ||= earlier !== page;
			// promise: each-once
			if (!isSeen) this.fresh.set(key, row);
		}
	}

	/**
	 * Returns how far the list was read.
	 *
	 * @param isWhole false if not all came from `since` on: the next poll reads it again, and further
	 * @param look when records that wait for their date were last looked for
	 */
	stateAfter(isWhole: boolean, look: EventState['look']): EventState {
		const { before, came, start } = this;
		const all = new Map([...this.seen, ...came]);
		const oldest = before ? before.since : this.firstSince();
		const next = isWhole ? Math.max(oldest, this.nextSince([...all.values()], look)) : oldest;
		const isJoined = came.size === 0 || [...this.recent].some((key) => came.has(key));
		const until = [...came.values()].reduce(
			(least, date) => Math.min(least ?? date, date),
			isJoined ? before?.until : undefined,
		);
		return {
			account: start.account,
			since: next,
			seen: Object.fromEntries([...all].filter(([, date]) => date >= next)),
			until: isWhole ? undefined : until,
			readAt: isWhole ? this.now() : (before?.readAt ?? start.startDate ?? this.now()),
			torn: isWhole ? this.torn : 0,
			look,
		};
	}

	/** Returns where the window of the next poll begins, as far as it moves. */
	private nextSince(dates: number[], look: EventState['look']): number {
		const { edge = EVER } = this;
		const clock = this.now() - this.start.wait;
		const newest = dates.sort((one, other) => other - one);
		const most = newest[MOST_IN_WINDOW - 1] ?? EVER;
		const isTorn = this.torn % ENOUGH > 0;
		// Records that wait for their date may have got it since they were looked for.
		if (isTorn || (this.list.waits && look === this.before?.look)) return most;
		// An import has one date, and its end is before the edge. Without that, each poll would read all of it.
		const byRecords = Math.max(newest[NEWEST] ?? EVER, edge);
		// The clock alone would miss records that are dated by a slow clock.
		return Math.min(Math.max(clock - LATE, most), byRecords, clock);
	}

	/** Returns from when on records are new if nothing is known of the list. */
	private firstSince(): number {
		const { edge, isOnePage, start } = this;
		const first = this.list.waits && !isOnePage ? this.now() : (edge ?? this.now() - FIRST_LATE);
		return Math.min(start.startDate ?? first, this.now());
	}
}
