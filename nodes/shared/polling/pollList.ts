import type { IDataObject } from 'n8n-workflow';

import { Failure } from '../base/failure';
import { PageFetcher } from '../paging/pages';
import type { PageClient } from '../paging/pages';
import { Walk } from '../paging/walk';
import type { WalkedPage } from '../paging/walk';
import type { EventList } from './eventList';
import { datesOf, keysSince, MINUTE, shortHash } from './listState';
import type { ListState } from './listState';

/** A record of a list that has a date. */
export interface Dated {
	list: EventList;
	data: IDataObject;
	/** In ms. */
	created: number;
	key: string;
}

/** Where the first poll of an event begins, or one of another account. */
interface Start {
	account: string;
	/** Start Date, in ms; 0 without one. */
	since: number;
	/** The newest date that was read of another account. */
	until?: number;
}

/** A page size that is enough for most polls, and the largest that services are known to accept. */
const FEW = 100;
const MANY = 1000;

const DAY = 24 * 60 * MINUTE;

/** A record may appear this much later than others of its date, in ms. */
// docs/reading.md: Every ten minutes
const LATE = 10 * MINUTE;

/** The most records that a look back for those that waited goes through. */
// docs/reading.md: the newest 20,000
const MOST_LOOKED = 20_000;

/** The most records that one poll returns. The next poll returns the others. */
const MOST_POLLED = 10_000;

/** Reads a record of a list; undefined if it has no date yet. */
export function dated(list: EventList, data: IDataObject): Dated | undefined {
	const created = list.dateOf(data);
	if (created === undefined) return undefined;
	return { list, data, created, key: shortHash(JSON.stringify(list.identity(data))) };
}

function newest(one: number | undefined, other: number | undefined): number | undefined {
	return one === undefined || other === undefined ? (one ?? other) : Math.max(one, other);
}

/** A record that came, and its position in the list. */
type Positioned = Dated & { index: number };

/**
 * Reads what is new in a list. New records are at its end, so they move nobody; removals show as a smaller total. What was
 * read counts, also if a page fails: then there is a failure beside it.
 *
 * Every ten minutes a poll looks back: it begins where late records may be, and not at the end.
 */
export class ListPoll {
	/** The new records, the oldest first. */
	records: Dated[] = [];
	failure?: Failure;
	/** False if the list has records, but none with a date that can be read. */
	hasDates = true;
	private readonly now = Date.now();
	private readonly found = new Map<string, Positioned>();
	/** The date of each record since `floor` that came out. */
	private readonly seen: Map<string, number>;
	private newCount = 0;
	/** True if this poll looks back. */
	private isLook = false;
	private hasUnreadable = false;

	/** @param state how far earlier polls read, and afterwards this one; undefined as long as the list does not say what it holds */
	constructor(
		private readonly client: PageClient,
		private readonly list: EventList,
		private readonly start: Start,
		public state?: ListState,
	) {
		this.seen = datesOf(state?.seen ?? {});
	}

	async run(): Promise<this> {
		try {
			const isKnown = this.state?.account === this.start.account;
			if (!isKnown) this.state = await this.begin();
			const { state } = this;
			if (state && (isKnown || state.position < state.total)) await this.readOn(state);
		} catch (error) {
			this.failure = Failure.from(error);
		}
		this.hasDates = this.found.size > 0 || !this.hasUnreadable;
		return this;
	}

	/** Returns where to begin. Of another account, only what is newer than all that was read comes out. */
	private async begin(): Promise<ListState | undefined> {
		const { state, start } = this;
		const until = state && newest(state.until, start.until);
		const known = Math.max(until ?? 0, state?.floor ?? 0);
		const isKnown = start.since > 0 || known > 0;
		return isKnown ? await this.beginAt(known, until) : await this.beginAtEnd();
	}

	/** Counts all records of the list as seen: by its first page, which says how long it is, and by its last. */
	private async beginAtEnd(): Promise<ListState | undefined> {
		const walk = new Walk(this.fetcher(MANY));
		let last: WalkedPage = { from: 0, records: [] };
		for (let page = await walk.next(); page; page = await walk.next()) {
			last = page;
			const { total = Infinity } = page;
			const { length } = page.records;
			if (walk.position >= total) break;
			if (page.from > 0 || total === Infinity) continue;
			// Pages of equal length, so that the last one is not nearly empty.
			walk.fetcher = this.fetcher(Math.ceil(total / Math.ceil(total / length)));
			walk.position = total - 1;
		}
		const { from, records, total } = last;
		if (records.length === 0 && total === undefined) return undefined;
		const positioned = this.take(last);
		for (const { key, created } of positioned) this.seen.set(key, created);
		const until = this.newestOf(positioned);
		// The earlier pages were not read.
		const known = (this.list.wait ? until : positioned[0]?.created) ?? 0;
		const floor = Math.max((until ?? 0) - LATE, from === 0 ? 0 : known + 1);
		const state = this.stateAt(from + records.length, total, floor, until);
		return { ...state, window: Math.min(state.window, from), seen: keysSince(floor, this.seen) };
	}

	/** Finds the first record of a date by halving the list. @param known where another account was read to */
	private async beginAt(known: number, until?: number): Promise<ListState> {
		const since = Math.max(this.start.since, known);
		const earliest = since - this.list.wait;
		const fetcher = this.fetcher(MANY);
		let { records } = await fetcher.page(1);
		let low = 1;
		for (let high = fetcher.count; low < high; ) {
			const middle = Math.ceil((low + high) / 2);
			const page = await fetcher.page(middle);
			const [first] = this.datedIn(page.records);
			if (first && first.created < earliest) [low, records] = [middle, page.records];
			else high = middle - 1;
		}
		const from = (low - 1) * fetcher.size;
		const positioned = this.datedIn(records, from);
		const first = positioned.find(({ created }) => created >= earliest);
		// A Start Date in the future can be corrected later.
		const later = Math.max(known, (this.newestOf(positioned) ?? 0) + 1);
		const floor = first ? since : Math.min(since, later);
		return this.stateAt(first?.index ?? from + records.length, fetcher.total, floor, until);
	}

	private stateAt(
		position: number,
		total = position,
		floor: number,
		until: number | undefined,
	): ListState {
		const { now, list, start } = this;
		const { account } = start;
		const seen = this.state?.seen ?? {};
		const window = list.wait ? 0 : position;
		const times = { cameAt: now, lookAt: now + LATE };
		return { account, position, total, until, floor, nextFloor: floor, window, ...times, seen };
	}

	/** Reads from the last known record on, or looks back if that is due and nothing is left of an earlier poll. */
	private async readOn(before: ListState): Promise<void> {
		const { now } = this;
		const state = (this.state = { ...before });
		// The clock may have been set back since.
		const isDue = now >= state.lookAt || state.lookAt > now + 2 * DAY;
		this.isLook = isDue && state.total - state.position <= FEW;
		if (this.isLook) this.lookBack(state);
		const size = state.total - state.position > FEW ? MANY : FEW;
		const walk = new Walk(this.fetcher(size), Math.max(0, state.position - 1), state.total);
		let isAtEnd = false;
		try {
			isAtEnd = await this.readPages(walk, state);
		} finally {
			this.settle(walk, state, isAtEnd);
		}
	}

	/** Begins at the window. Once all from there on was read, records are old that are later than late. */
	private lookBack(state: ListState): void {
		const { now, list } = this;
		const { position, window, until, cameAt } = state;
		const least = list.wait ? position - MOST_LOOKED : 0;
		state.position = Math.min(position, Math.max(window, least));
		state.lookAt = now + LATE;
		if (until === undefined) return;
		state.nextFloor = now - cameAt >= LATE ? until + 1 : until - LATE;
	}

	/** Returns whether all was read. `state` has the position at any time, also if a page fails. */
	private async readPages(walk: Walk, state: ListState): Promise<boolean> {
		const large = this.fetcher(MANY);
		const { total } = state;
		let isAnchored = false;
		let others = -1;
		for (let page = await walk.next(); page; page = await walk.next()) {
			const positioned = this.take(page, state.floor);
			const { from, records } = page;
			// Removals that no total shows have moved new records before the position.
			isAnchored ||= from === 0 || (records.length > 0 && !this.isNew(positioned[0], state.floor));
			if (!isAnchored) {
				walk.backTo(from - 1);
				state.position = walk.position + 1;
				continue;
			}
			const undated = from + records.length - 1 - (positioned.at(-1)?.index ?? from - 1);
			state.position = walk.position - Math.min(undated, FEW);
			// Besides the one of every poll, a look for records that waited costs one request in ten minutes.
			const least = this.isLook && this.list.wait ? this.now + ++others * LATE : 0;
			state.lookAt = Math.max(state.lookAt, least);
			if (this.newCount >= MOST_POLLED) return false;
			const left = (walk.total ?? 0) - walk.position;
			// Nothing follows a full page if the list is as long as before.
			if (left === 0 && walk.total === total) return true;
			if (left > FEW) walk.fetcher = large;
		}
		return true;
	}

	private isNew(record: Dated | undefined, floor: number): boolean {
		if (record === undefined || this.seen.has(record.key)) return false;
		return record.created >= Math.max(floor, this.start.since);
	}

	/** Takes the new records, and sets the state for the next poll. */
	private settle(walk: Walk, state: ListState, isAtEnd: boolean): void {
		const { now, list, seen } = this;
		const { floor } = state;
		const found = [...this.found.values()];
		// promise: each-once
		const fresh = found
			.filter((record) => this.isNew(record, floor))
			.sort((one, other) => one.created - other.created || one.index - other.index);
		this.records = fresh.slice(0, MOST_POLLED);
		const left = new Set(fresh.slice(MOST_POLLED));
		for (const { index } of left) state.position = Math.min(state.position, index);
		const positioned = found.filter((record) => !left.has(record));
		for (const { key, created } of positioned) {
			// If the date of a record changed, it counts as seen for as long as the new date says.
			if (created >= floor || seen.has(key)) seen.set(key, created);
		}
		if (isAtEnd && left.size === 0) state.floor = Math.max(floor, state.nextFloor);
		const old = positioned.filter(({ created }) => created < state.floor - list.wait);
		const start = old.reduce((end, { index }) => Math.max(end, index + 1), state.window);
		state.window = Math.max(0, Math.min(state.position, start - walk.removed));
		state.total = walk.total ?? state.total;
		state.until = this.newestOf(positioned, state.until);
		if (fresh.length > 0) state.cameAt = now;
		state.seen = keysSince(state.floor, seen);
	}

	private fetcher(size: number, request = this.list.request): PageFetcher {
		const { recordsKey } = this.list;
		return new PageFetcher(this.client, { request, recordsKey, pageSize: size }, size);
	}

	private take({ records, from }: WalkedPage, floor = Infinity): Positioned[] {
		const positioned = this.datedIn(records, from);
		this.hasUnreadable ||= positioned.length === 0 && records.some(this.list.hasDate);
		this.checkOrder(positioned);
		for (const record of positioned) {
			if (!this.found.has(record.key) && this.isNew(record, floor)) this.newCount++;
			this.found.set(record.key, record);
		}
		return positioned;
	}

	/** @throws Failure if the oldest record is not the first one */
	private checkOrder(positioned: Dated[]): void {
		const [first, last] = [positioned[0], positioned.at(-1)];
		if (this.list.wait || !first || !last || first.created <= last.created) return;
		const { name } = this.client.service;
		const message = `${name} does not list the oldest records of ${this.list.request.path} first`;
		throw new Failure('failed', message, { hint: 'The next poll tries again' });
	}

	private datedIn(records: IDataObject[], from = 0): Positioned[] {
		return records.flatMap((data, inPage) => {
			const found = dated(this.list, data);
			return found ? { ...found, index: from + inPage } : [];
		});
	}

	/** Returns the newest date. One that is far ahead says nothing about the other records. */
	private newestOf(positioned: Dated[], before?: number): number | undefined {
		const dates = positioned.map(({ created }) => created);
		const usual = dates.filter((date) => date <= Math.max(this.now, before ?? 0) + DAY);
		const counted = usual.length > 0 || before !== undefined ? usual : dates;
		const newest = counted.reduce((one, other) => Math.max(one, other), before ?? -Infinity);
		return newest === -Infinity ? undefined : newest;
	}
}
