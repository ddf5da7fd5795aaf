import type { IDataObject } from 'n8n-workflow';

import { Failure } from '../base/failure';
import { isBlank } from '../base/text';
import type { ApiClient } from '../http/client';
import { keyOf, pages } from '../paging/pages';
import type { NumberedPage } from '../paging/pages';
import { shortHash } from './memory';
import type { EventState } from './memory';
import { dated } from './pollingTrigger';
import type { Dated, EventList } from './pollingTrigger';

// docs/reading.md has the rule: new is a record that was not seen, and that is not older than a date.

/** The facts with which a poll of a list starts, besides how far it was read. */
interface PollStart {
	/** A hash of the base URL and the key. */
	account: string;
	/** Start Date, in ms. */
	startDate?: number;
	/** How long a record waits for its comment, in ms. */
	wait: number;
}

/** A page size that is enough for most polls, and the largest that services are known to accept. */
const FEW = 100;
const MANY = 1000;

/** The new records after which a poll ends. The next poll returns the others. */
// docs/reading.md: 10,000 records
const MOST_POLLED = 10_000;

/** How often a poll reads the newest 1,000 records of a list in which some wait for their date: as often as by one request in this time, in ms. */
// docs/reading.md: every ten minutes
const LOOK = 10 * 60 * 1000;

/** The accounts in which a place in the list is remembered, for somebody who tries another key and returns. */
const MOST_ACCOUNTS = 3;

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

/** Reads what is new in a list, and returns how far it was read: in the account of this poll, and in those before it. */
export async function pollList(
	client: ApiClient,
	list: EventList,
	start: PollStart,
	states: EventState[] = [],
) {
	const { account } = start;
	const read = async (before?: EventState) => await readList(client, list, start, before);
	const resultOf = (reading: Awaited<ReturnType<typeof read>>) => {
		const { state } = reading;
		const others = states.filter((other) => other.account !== account && !reading.knows(other));
		return { ...reading, states: state ? [state, ...others].slice(0, MOST_ACCOUNTS) : states };
	};
	const [newest] = states;
	const own = states.find((state) => state.account === account);
	// An account may have several keys: the last one that read its records knows most.
	for (const state of own === newest ? [] : states) {
		const reading = await read(state);
		if (reading.knows(state)) return resultOf(reading);
		// Without the end of the window, nobody knows whether this is another account.
		if (reading.failure) return { ...reading, records: [], states };
	}
	const other = newest && { account, since: newest.readAt, readAt: newest.readAt, seen: {} };
	return resultOf(await read(own ?? other));
}

/**
 * Reads a list from its newest record back to a date. All dates are in ms, by the service's clock.
 *
 * @param before how far earlier polls read; undefined before the first one
 */
async function readList(client: ApiClient, list: EventList, start: PollStart, before?: EventState) {
	const { request, recordsKey, identity, waits = false, dateField } = list;
	/** From this date on, a record that was not seen is new. */
	const since = before?.since ?? start.startDate ?? EVER;
	/** True for the poll from which on records are new. */
	const isFirst = before === undefined && start.startDate === undefined;
	const startedAt = Date.now();
	/** Returns the time by the service's clock. */
	const now = () => startedAt + client.clockAhead;
	/** The dates of the records that earlier polls saw, and of those that came, by their keys. */
	const seen = new Map(Object.entries(before?.seen ?? {}));
	/** The newest records, if the poll before was cut off. */
	const { until = Infinity } = before ?? {};
	const recent = new Set([...seen].filter(([, date]) => date >= until).map(([key]) => key));
	const came = new Map<string, number>();
	/** The records that came and are new, by their keys. */
	const fresh = new Map<string, Dated>();
	/** The keys of the window on the pages that came, and their number without those that came twice because others were added. */
	const listed = { keys: new Set<string>(), count: 0 };
	/** Just after the oldest date on the first page; `EVER` if that is the whole list. */
	let edge: number | undefined;
	let hasDates = true;
	/** True if the records that came reach those of `recent`. */
	let isJoined = false;

	/** Begins at the first page. */
	function begin({ total, records }: NumberedPage, rows: Dated[]): void {
		const isDue = (record: IDataObject) => !waits || !isBlank(record[dateField]);
		hasDates = rows.length > 0 || !records.some(isDue);
		listed.keys.clear();
		listed.count = 0;
		// A date ahead of the clock is no date to begin at.
		const dates = rows.map(({ created }) => created).filter((date) => date <= now());
		if (total !== undefined && total <= records.length) edge ??= EVER;
		else if (isFirst || dates.length > 0) edge ??= Math.min(now(), ...dates) + 1;
	}

	/** Takes the dated records of a page. */
	function take(rows: Dated[]): void {
		// Records that wait when the trigger begins are older than its start. One that is dated further ahead waits for nothing.
		const wait = isFirst ? 0 : start.wait;
		const keys = new Set<string>();
		let place = Infinity;
		for (const row of rows) {
			// One that is dated ahead may be listed among older ones.
			place = Math.min(place, row.created);
			const age = now() - place;
			const key = shortHash(keyOf(list, row.data));
			if (!seen.has(key) && age < wait && age > -Math.min(wait, LATE)) continue;
			came.set(key, row.created);
			if (row.created < since) continue;
			keys.add(key);
			listed.keys.add(key);
			// promise: each-once
			if (!seen.has(key)) fresh.set(key, row);
		}
		listed.count += keys.size;
	}

	/**
	 * Reads pages back to the start of the window, or as many as a poll may take.
	 *
	 * @param isOne reads one page only, unless it is the whole list
	 * @param least reads at least so many records
	 * @returns whether all came, and how many pages had the least records
	 */
	async function readBack(pageSize: number, isOne: boolean, least = 0) {
		const paged = { request, recordsKey, identity, pageSize };
		// Hashing each record again would double the work of a poll that follows a whole one.
		const isRecent = (data: IDataObject) =>
			recent.size > 0 && recent.has(shortHash(keyOf(list, data)));
		const known = new KnownRecords(recent.size, isRecent);
		const skip = (page: NumberedPage) => {
			const ahead = known.ahead(page);
			isJoined ||= known.met > 0;
			return read < least ? 0 : ahead;
		};
		let total = Infinity;
		let read = 0;
		let requests = 1;
		for await (const page of pages(client, paged, { inFlight: 1, skip })) {
			if (!known.reach(page)) continue;
			const rows = page.records.flatMap((data) => dated(list, data) ?? []);
			if (page.number === 1) begin(page, rows);
			// As many as were added are on this page and on the one before.
			listed.count -= Math.max(0, (page.total ?? 0) - total);
			total = page.total ?? Infinity;
			take(rows);
			if (read < least) requests = page.number;
			read += page.records.length;
			// A record that is older than the window ends it, also in the outbox: each one behind it was created before it.
			if (read >= least && rows.some(({ created }) => created < since)) break;
			if (isOne ? edge !== EVER : fresh.size >= MOST_POLLED) return { isBack: false, requests };
		}
		return { isBack: true, requests };
	}

	let look = before?.look;
	/** False if not all came from `since` on. The next poll reads it again, and further. */
	let isWhole = false;
	let failure: Failure | undefined;
	try {
		const isLook = waits && !(look && Math.abs(startedAt - look.at) < look.requests * LOOK);
		const newest = await readBack(isLook ? MANY : FEW, isFirst || !isLook, isLook ? MANY : 0);
		isWhole = isFirst || newest.isBack || (!isLook && (await readBack(MANY, false)).isBack);
		if (isLook && isWhole) look = { at: startedAt, requests: newest.requests };
	} catch (error) {
		failure = Failure.from(error);
	}

	/** Returns how far the list was read by now. */
	function stateOf(): EventState {
		const clock = now() - start.wait;
		const all = new Map([...seen, ...came]);
		const newest = [...all.values()].sort((one, other) => other - one);
		const most = newest[MOST_IN_WINDOW - 1] ?? EVER;
		// An import has one date, and its end is before the edge. Without that, each poll would read all of it.
		const byRecords = Math.max(newest[NEWEST] ?? EVER, edge ?? EVER);
		// The clock alone would miss records that are dated by a slow clock.
		const byClock = Math.min(Math.max(clock - LATE, most), byRecords, clock);
		// Others came twice in the place of records, as if their order differed between requests. Removed ones are known.
		const { keys, count } = listed;
		const known = newest.filter((date) => date >= since).length;
		const isTorn = keys.size < count && (known < count || fresh.size > 0);
		// Records that wait for their date may have got it since they were looked for.
		const isHeld = isTorn || (waits && look === before?.look);
		const oldest = before ? since : firstSince();
		const next = isWhole ? Math.max(oldest, isHeld ? most : byClock) : oldest;
		return {
			account: start.account,
			since: next,
			seen: Object.fromEntries([...all].filter(([, date]) => date >= next)),
			until: isWhole ? undefined : Math.min(isJoined ? until : Infinity, oldestOf(came)),
			readAt: isWhole ? now() : (before?.readAt ?? start.startDate ?? now()),
			look,
		};
	}

	/** Returns from when on records are new if nothing is known of the list. */
	function firstSince(): number {
		const { startDate = waits && edge !== EVER ? now() : (edge ?? now() - FIRST_LATE) } = start;
		return Math.min(startDate, now());
	}

	const { startDate = EVER } = start;
	const records = [...fresh.values()].filter(({ created }) => created >= startDate && !isFirst);
	return {
		list,
		/** The new records, the oldest first. The list has the newest first, also among those of one date. */
		records: records.reverse().sort((one, other) => one.created - other.created),
		state: failure && came.size === 0 ? before : stateOf(),
		/** After a failure, the records that were read before it come out. */
		failure,
		/** False if nothing could be read. */
		hasCome: came.size > 0,
		/** False if the list has records, but none with a date that can be read. */
		hasDates,
		/** Returns whether a record came that was seen before. */
		knows: (state: EventState) => [...came.keys()].some((key) => key in state.seen),
	};
}

/**
 * The newest records that came in polls that were cut off: the pages behind them are read first. So each poll comes further than
 * the one before, wherever it is cut off.
 */
class KnownRecords {
	/** The number of them that came again, or were left out. */
	met = 0;
	/** The page up to which all records came, now or then. */
	private last = 0;
	/** A page that was too far ahead. */
	private beyond?: number;

	/** @param count their number, unless some were removed since then */
	constructor(
		private readonly count: number,
		private readonly has: (record: IDataObject) => boolean,
	) {}

	/** Returns whether no record is missing between a page and those that came before it. */
	reach({ number, records }: NumberedPage): boolean {
		return number <= this.last + 1 || records.every(this.has);
	}

	/** Returns how many pages may be left out behind one; less than 0 to go back, where more was left out than is known. */
	ahead(page: NumberedPage): number {
		const { number, records, total = 0, size } = page;
		if (this.reach(page)) {
			const leftOut = Math.max(0, number - this.last - 1) * size;
			this.met += leftOut + records.filter(this.has).length;
			this.last = number;
		} else this.beyond = number;
		const { last, beyond } = this;
		const isAmong = records.slice(-1).some(this.has);
		const left = isAmong ? Math.min(this.count - this.met, total - number * size) : 0;
		const next = beyond ? (last + beyond) / 2 : number + left / size;
		return Math.max(last + 1, Math.floor(next)) - number - 1;
	}
}

function oldestOf(dates: ReadonlyMap<string, number>): number {
	return [...dates.values()].reduce((one, other) => Math.min(one, other), Infinity);
}
