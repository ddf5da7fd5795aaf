import type { IDataObject } from 'n8n-workflow';

import { Failure } from '../base/failure';
import type { ApiRequest } from '../http/request';
import { PageFetcher } from '../paging/pages';
import type { PageClient } from '../paging/pages';
import { Walk } from '../paging/walk';
import type { WalkedPage } from '../paging/walk';
import { datesOf, keysSince, shortHash } from './listState';
import type { ListState } from './listState';

/** A list that shows the records of an event, the oldest first. */
export interface EventList {
	/** The event. Saved workflows depend on it. */
	value: string;
	request: ApiRequest;
	/** The name of the array that holds the records in the response. */
	recordsKey: string;
	/** Returns what identifies a record. */
	identity(data: IDataObject): unknown;
	/** Returns the date of a record, in ms; undefined as long as it has none. */
	dateOf(data: IDataObject): number | undefined;
	/** The field that has the date. */
	dateField: string;
	/** Returns whether a record should have a date already. */
	hasDate(data: IDataObject): boolean;
	/** How long a record may be in the list before it has its date, in ms. 0 if the list is sorted by that date. */
	wait: number;
}

/** A record of a list that has a date. */
export interface Dated<List extends EventList = EventList> {
	list: List;
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

const MINUTE = 60 * 1000;
const DAY = 24 * 60 * MINUTE;

/** A record may appear this much later than others of its date, in ms. */
const LATE = 10 * MINUTE;

/** The most pages that are read again for records that waited. */
const MOST_LOOKED = 20;

/** The most records that one poll returns. The next poll returns the others. */
const MOST_RECORDS = 10_000;

/** Reads a record of a list; undefined if it has no date yet. */
export function dated<List extends EventList>(
	list: List,
	data: IDataObject,
): Dated<List> | undefined {
	const created = list.dateOf(data);
	if (created === undefined) return undefined;
	return { list, data, created, key: shortHash(JSON.stringify(list.identity(data))) };
}

function newest(one: number | undefined, other: number | undefined): number | undefined {
	return one === undefined || other === undefined ? (one ?? other) : Math.max(one, other);
}

/** Records of a page that have a date, with their positions in the list. */
type Found<List extends EventList> = Dated<List> & { index: number };

/** Where the new records of a poll begin and end. */
interface News {
	position: number;
	/** The position of the first record that came. */
	first: number;
	/** The number of records without a date at the end of the list. */
	trailing: number;
}

/** A reading of the window: whole, or cut off at a position. */
interface Look {
	at: number;
	/** The newest date that was known when it began; absent if it began in this poll. */
	until?: number;
	position?: number;
	pages: number;
}

/**
 * Reads what is new in a list. New records are at its end, so they move nobody; removals show as a smaller total. What was
 * read counts, also if a page fails: then there is a failure beside it.
 */
export class ListPoll<List extends EventList> {
	/** The new records, the oldest first. */
	records: Array<Dated<List>> = [];
	failure?: Failure;
	/** False if the list has records, but none with a date that can be read. */
	hasDates = true;
	private readonly now = Date.now();
	private readonly found = new Map<string, Found<List>>();
	/** The largest page size that the service is not known to refuse. */
	private largest = MANY;
	private hasUnreadable = false;
	private walks: Walk[] = [];

	/** @param state how far earlier polls read, and afterwards this one; undefined as long as the list does not say what it holds */
	constructor(
		private readonly client: PageClient,
		private readonly list: List,
		private readonly start: Start,
		public state?: ListState,
	) {}

	async run(): Promise<this> {
		try {
			await this.read();
		} catch (error) {
			this.failure = Failure.from(error);
		}
		this.hasDates = this.found.size > 0 || !this.hasUnreadable;
		return this;
	}

	private async read(): Promise<void> {
		try {
			const { state, start } = this;
			if (state?.account === start.account) return await this.readOn(state);
			// Of another account, only what is newer than all that was read comes out.
			const until = state && newest(state.until, start.until);
			const since = Math.max(start.since, until ?? 0, state?.floor ?? 0);
			if (since > 0)
				await this.readOn({ ...(await this.beginAt(since)), until, seen: state?.seen ?? {} });
			else this.state = await this.beginAtEnd();
		} catch (error) {
			const walk = this.walks.at(-1);
			if (this.largest === FEW || walk === undefined) throw Failure.from(error);
			walk.fetcher.smallerAfter(error);
			this.largest = FEW;
			await this.read();
		}
	}

	private walkFrom(position: number, total: number | undefined, size: number): Walk {
		const { request, recordsKey } = this.list;
		const pageSize = Math.min(size, this.largest);
		const fetcher = new PageFetcher(this.client, { request, recordsKey, pageSize }, pageSize);
		const walk = new Walk(fetcher, position, total);
		this.walks.push(walk);
		return walk;
	}

	/** Finds the first record of a date by halving the list. */
	private async beginAt(since: number): Promise<ListState> {
		const earliest = since - this.list.wait;
		const { fetcher } = this.walkFrom(0, undefined, MANY);
		let { records } = await fetcher.page(1);
		let low = 1;
		for (let high = fetcher.count; low < high; ) {
			const middle = Math.ceil((low + high) / 2);
			const page = await fetcher.page(middle);
			const [first] = this.datedIn(page.records);
			if (first && first.created < earliest) [low, records] = [middle, page.records];
			else high = middle - 1;
		}
		const isNew = (data: IDataObject) => (this.list.dateOf(data) ?? 0) >= earliest;
		const inPage = records.findIndex(isNew);
		const position = (low - 1) * fetcher.size + (inPage < 0 ? records.length : inPage);
		// A Start Date in the future can be corrected later.
		const newest = this.newestOf(this.datedIn(records)) ?? 0;
		const floor = inPage < 0 ? Math.min(since, newest + 1) : since;
		return this.stateAt({ position, floor, seen: {} }, fetcher.total);
	}

	/** Counts all records of the list as seen: by its first page, which says how long it is, and by its last. */
	private async beginAtEnd(): Promise<ListState | undefined> {
		let last: WalkedPage = { from: 0, records: [] };
		for await (last of this.walkFrom(0, undefined, MANY).pages()) {
			const { total = 0, records } = last;
			if (total <= records.length) continue;
			// Pages of equal length, so that the last one is not nearly empty.
			const size = Math.ceil(total / Math.ceil(total / records.length));
			const walk = this.walkFrom(total - 1, total, size);
			for await (last of walk.pages()) if (walk.position >= (walk.total ?? Infinity)) break;
			break;
		}
		const { from, records, total } = last;
		if (records.length === 0 && total === undefined) return undefined;
		const rows = this.take(last);
		const until = this.newestOf(rows);
		// What earlier pages hold is not known.
		const unknown = this.list.wait ? until : rows[0]?.created;
		const floor = Math.max((until ?? 0) - LATE, from === 0 ? 0 : (unknown ?? 0) + 1);
		const seen = keysSince(floor, new Map(rows.map(({ key, created }) => [key, created])));
		return this.stateAt({ position: from + records.length, floor, until, seen }, total);
	}

	private stateAt(
		state: Pick<ListState, 'position' | 'floor' | 'until' | 'seen'>,
		total = state.position,
	): ListState {
		const { now, list, start } = this;
		const window = Math.max(0, state.position - (list.wait ? MOST_LOOKED * MANY : 0));
		return { ...state, total, account: start.account, window, cameAt: now, lookAt: now + LATE };
	}

	/** Reads what is new, and then the window if that is due. */
	private async readOn(state: ListState): Promise<void> {
		this.walks = [];
		const news: News = { position: state.position, first: Infinity, trailing: 0 };
		let look: Look | undefined;
		try {
			const isAtEnd = await this.readNew(state, news);
			if (isAtEnd) look = await this.lookBack(state, news.first);
		} finally {
			this.settle(state, news, look);
		}
	}

	/** Reads from the last known record on. Returns false if there is more than one poll returns. */
	private async readNew(state: ListState, news: News): Promise<boolean> {
		const seen = datesOf(state.seen);
		const isNew = (row?: Dated) => row && row.created >= state.floor && !seen.has(row.key);
		let isFew = true;
		// A list that is not sorted by the date shows nothing by its first record.
		let isAnchored = this.list.wait > 0;
		for (let { position, total }: { position: number; total?: number } = state; ; ) {
			const walk = this.walkFrom(
				Math.max(0, isFew ? position - 1 : position),
				total,
				isFew ? FEW : MANY,
			);
			let left = 0;
			for await (const page of walk.pages()) {
				const rows = this.take(page);
				// Removals that no total shows have moved new records before the position.
				isAnchored ||= page.from === 0 || !isNew(rows[0]);
				if (!isAnchored) {
					position = page.from;
					({ total } = walk);
					left = Infinity;
					break;
				}
				const last = rows.at(-1)?.index ?? page.from - 1;
				// A page of another length than expected may come from far before.
				const known = Math.min(news.first, Math.max(0, state.position - 1 - this.removed));
				const isNext = page.from + page.records.length >= known;
				if (isNext) news.first = Math.min(news.first, page.from);
				news.trailing = page.from + page.records.length - 1 - last;
				({ position, total } = walk);
				news.position = position;
				left = (total ?? 0) - position;
				if (this.found.size >= MOST_RECORDS + FEW) return false;
				// The end is known, and nothing follows a full page.
				if (left === 0 && total === state.total) return true;
				if (isFew && left > FEW) break;
			}
			if (!isAnchored) continue;
			if (!isFew || left <= FEW) return true;
			isFew = false;
		}
	}

	/** Reads the window again if that is due, or if its records came with the new ones. */
	private async lookBack(state: ListState, first: number): Promise<Look | undefined> {
		const { now, removed } = this;
		if (state.window - removed >= first) return { at: now, pages: 0 };
		// The clock may have been set back since.
		const isDue = now >= state.lookAt || state.lookAt - now > 2 * MOST_LOOKED * LATE;
		if (!isDue && !state.look) return undefined;
		const { position, ...begun } = state.look ?? { position: state.window, at: now };
		const walk = this.walkFrom(Math.max(0, position - removed), this.walks.at(-1)?.total, MANY);
		let pages = 0;
		try {
			for await (const page of walk.pages()) {
				this.take(page);
				pages++;
				if (walk.position >= first) break;
			}
			return { ...begun, pages };
		} catch (error) {
			this.failure = Failure.from(error);
			return { ...begun, pages, position: walk.position };
		}
	}

	/** Takes the new records, and sets the state for the next poll. */
	private settle(state: ListState, news: News, look?: Look): void {
		const { now, removed, start } = this;
		const seen = datesOf(state.seen);
		const floor = Math.max(state.floor, start.since);
		const found = [...this.found.values()];
		// promise: each-once
		const fresh = found
			.filter(({ key, created }) => created >= floor && !seen.has(key))
			.sort((one, other) => one.created - other.created || one.index - other.index);
		this.records = fresh.slice(0, MOST_RECORDS);
		const left = new Set(fresh.slice(MOST_RECORDS));
		const rows = found.filter((row) => !left.has(row));
		for (const { key, created } of rows) {
			// If the date of a record changed, it counts as seen for as long as the new date says.
			if (created >= state.floor || seen.has(key)) seen.set(key, created);
		}
		const read = Math.max(news.position, state.position - removed) - Math.min(news.trailing, FEW);
		const next: ListState = {
			...state,
			position: [...left].reduce((least, { index }) => Math.min(least, index), Math.max(0, read)),
			total: this.walks.at(-1)?.total ?? state.total,
			until: this.newestOf(rows, state.until),
			cameAt: fresh.length > 0 ? now : state.cameAt,
			window: Math.max(0, state.window - removed),
		};
		if (look && left.size === 0) this.settleLook(next, look, rows);
		next.seen = keysSince(next.floor, seen);
		this.state = next;
	}

	/** Moves the window on after it was read. After the time in which records may be late, it is closed. */
	private settleLook(next: ListState, look: Look, rows: Array<Found<List>>): void {
		const { wait } = this.list;
		const { at, pages, position } = look;
		const until = look.until ?? next.until;
		if (until === undefined) return;
		if (position !== undefined) {
			next.look = { at, until, position };
			return;
		}
		const isClosed = at - next.cameAt > LATE + wait;
		next.floor = isClosed ? (next.until ?? until) + 1 : Math.max(next.floor, until - LATE);
		const isOpen = (row: Dated) => !isClosed && row.created >= next.floor - wait;
		// The beginning of a reading that was cut off is not known any more.
		if (next.look === undefined) {
			const least = wait ? next.position - MOST_LOOKED * MANY : 0;
			const indices = rows.filter(isOpen).map(({ index }) => index);
			const start = indices.reduce((min, index) => Math.min(min, index), next.position);
			next.window = Math.max(0, least, start);
		}
		next.look = undefined;
		next.lookAt = at + LATE * (wait ? Math.max(1, pages - 1) : 1);
	}

	/** The number of records that were removed during this poll, or since the last one. */
	private get removed(): number {
		return this.walks.reduce((sum, { removed }) => sum + removed, 0);
	}

	private take({ records, from }: WalkedPage): Array<Found<List>> {
		const rows = this.datedIn(records, from);
		this.hasUnreadable ||= rows.length === 0 && records.some(this.list.hasDate);
		const [first, last] = [rows[0], rows.at(-1)];
		if (first && last && first.created > last.created && this.list.wait === 0) {
			const { name } = this.client.service;
			const message = `${name} does not list the oldest records of ${this.list.request.path} first`;
			throw new Failure('failed', message, { hint: 'The next poll tries again' });
		}
		for (const row of rows) this.found.set(row.key, row);
		return rows;
	}

	private datedIn(records: IDataObject[], from = 0): Array<Found<List>> {
		return records.flatMap((data, inPage) => {
			const found = dated(this.list, data);
			return found ? { ...found, index: from + inPage } : [];
		});
	}

	/** Returns the newest date. One that is far ahead says nothing about the other records. */
	private newestOf(rows: Dated[], before?: number): number | undefined {
		const dates = rows.map(({ created }) => created);
		const usual = dates.filter((date) => date <= Math.max(this.now, before ?? 0) + DAY);
		const counted = usual.length > 0 || before !== undefined ? usual : dates;
		const newest = counted.reduce((one, other) => Math.max(one, other), before ?? -Infinity);
		return newest === -Infinity ? undefined : newest;
	}
}
