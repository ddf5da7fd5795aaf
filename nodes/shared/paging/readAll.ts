import type { IDataObject } from 'n8n-workflow';

import type { Page } from '../http/service';
import { forEachConcurrent } from '../parallel';
import { changesTooFast, PageFetcher } from './pages';
import type { PageClient, PagedList } from './pages';
import { Walk } from './walk';

/** A list, and what comes out for each of its records. */
export interface ListToRead extends PagedList {
	/** Returns a value that identifies a record across pages; by default its `id`. */
	identity?(record: IDataObject): unknown;
	/** Returns whether a record comes out, if the service cannot filter for it. */
	keeps?(record: IDataObject): boolean;
	/** Returns the output of a record. Only this is kept in memory. */
	output?(record: IDataObject): IDataObject;
	/** The most records to return; absent for all. */
	limit?: number;
}

interface WholeList {
	records: IDataObject[];
	/** For the user. */
	warnings: string[];
}

// docs/reading.md: up to 32 at once
const PAGES_IN_FLIGHT = 32;

/** Bounds the memory that unread responses take. */
const RECORDS_IN_FLIGHT = 16_000;

// docs/reading.md: up to five readings
const MOST_READINGS = 5;

/** The same for a list whose order differs between requests: each reading brings most of what is missing. */
const MOST_READINGS_UNORDERED = 20;

/** How often two neighboring pages, or the ends of the list, are read again in one reading. */
const MOST_REPEATS = 20;

/**
 * Reads a whole list: a record that is there from start to end comes out exactly once, although other
 * records come and go and shift the pages. docs/reading.md has the rule and its condition.
 *
 * @throws Failure when a page fails, or when the list cannot be read whole
 */
export async function readAll(client: PageClient, list: ListToRead): Promise<WholeList> {
	const { limit = Infinity, keeps, pageSize } = list;
	const size = keeps || pageSize === undefined ? pageSize : Math.min(limit, pageSize);
	const fetcher = new PageFetcher(client, { ...list, pageSize: size });
	for (;;) {
		try {
			return await new ListReader(client.service.name, list, fetcher).read();
		} catch (error) {
			fetcher.shrink(error);
		}
	}
}

/** A record that came: on which page first, and in which reading last. */
interface FoundRecord {
	page: number;
	reading: Reading;
	output?: IDataObject;
}

class ListReader {
	private reading = new Reading();
	private readonly found = new Map<string, FoundRecord>();
	/** The number of records that come out. */
	private kept = 0;
	/** True if a record was removed in any reading, so that those that came may be gone and their number proves nothing. */
	private hasShrunk = false;
	/** True if the order of the list differed between requests in any reading. */
	private isUnordered = false;

	constructor(
		private readonly service: string,
		private readonly list: ListToRead,
		private readonly fetcher: PageFetcher,
	) {}

	async read(): Promise<WholeList> {
		for (let count = 1, most = MOST_READINGS; count <= most; count++) {
			const before = this.reading;
			const known = this.found.size;
			const isInOrder = count > 1 && !before.isUnordered;
			this.reading = new Reading(isInOrder);
			await (isInOrder ? this.walk(0) : this.readTogether());
			await this.readEnds();
			const { reading } = this;
			this.hasShrunk ||= reading.hasShrunk;
			this.isUnordered ||= reading.isUnordered;
			// promise: return-all
			if (this.isFull || this.isProven) return this.result();
			const isSame = before.total === reading.total && known === this.found.size;
			if (count > 1 && isSame && !reading.isUnordered) return this.result(this.shortage);
			if (reading.isUnordered) most = MOST_READINGS_UNORDERED;
		}
		const { size, total, least } = this.reading;
		// Records that were added meanwhile may be missing, but none of those that were there before.
		if (this.reading.isInOrder && !this.isUnordered && size >= least) return this.result();
		throw changesTooFast(this.service, `: ${size} of ${total} records came`);
	}

	/** True if no record can be missing that is there all the time. */
	private get isProven(): boolean {
		const { reading, hasShrunk } = this;
		return this.hasAll && (reading.isInOrder || !hasShrunk);
	}

	/** Reads several pages at once, as far as the list states how many there are. */
	private async readTogether(): Promise<void> {
		const { fetcher, list } = this;
		await this.page(1);
		const needed = list.keeps ? Infinity : Math.ceil((list.limit ?? Infinity) / fetcher.size);
		const count = Math.min(fetcher.count, needed);
		const inFlight = Math.min(PAGES_IN_FLIGHT, Math.ceil(RECORDS_IN_FLIGHT / fetcher.size));
		await forEachConcurrent(range(2, count), inFlight, async (number) => {
			await this.page(number);
			await this.fit(number - 1);
			await this.fit(number);
			// A first total may have been wrong by millions of pages.
			return !this.isFull && fetcher.isStated(number);
		});
		if (fetcher.goesOn(count) && !this.isFull) await this.walk(count);
	}

	/** Reads one page after another. @param start the number of pages to leave out @param isShort ends it where nothing new comes */
	private async walk(start: number, isShort = false): Promise<void> {
		const { fetcher } = this;
		const walk = new Walk(fetcher, start * fetcher.size, fetcher.total);
		for (let page = await walk.step(); page; page = await walk.step()) {
			const fresh = this.take(page, page.from / fetcher.size + 1);
			if (this.isFull || (isShort && fresh === 0)) return;
		}
	}

	/** Reads on at both ends, where new records appear, until as many have come as the list counts, or nothing new comes. */
	private async readEnds(): Promise<void> {
		const { fetcher, reading } = this;
		for (let repeat = 1; repeat <= MOST_REPEATS && !this.hasAll && !this.isFull; repeat++) {
			const known = reading.size;
			await this.walk(Math.max(0, fetcher.count - 1));
			await this.walk(0, true);
			if (reading.size === known) return;
		}
	}

	/**
	 * Reads two neighboring pages again where a record may have moved from one to the other unseen: the first one states more
	 * records than the second. Then the same may be true of the next two.
	 */
	private async fit(start: number): Promise<void> {
		for (let number = start, repeat = 1; repeat <= MOST_REPEATS; repeat++) {
			if (!this.reading.fallsAfter(number)) return;
			await this.page(number);
			await this.page(number + 1);
			if (!this.reading.fallsAfter(number)) number++;
		}
	}

	private async page(number: number): Promise<void> {
		const { most } = this.reading;
		this.take(await this.fetcher.page(number), number, most);
	}

	/**
	 * Takes the records of a page.
	 *
	 * @param most the largest total that was known when the page was requested
	 * @returns how many of them are new in this reading
	 */
	private take({ records, total }: Page, page: number, most = this.reading.most): number {
		const { reading } = this;
		const known = reading.size;
		const times = new Map<string, number>();
		for (const record of records) this.takeRecord(record, page, times);
		reading.note(page, records.length, total, most);
		return reading.size - known;
	}

	/** The same record twice on one page is two records; on two pages it is one that moved. */
	private takeRecord(record: IDataObject, page: number, times: Map<string, number>): void {
		const { found, reading } = this;
		const { identity = ({ id }) => id, keeps, output } = this.list;
		const name = JSON.stringify(identity(record) ?? record);
		const time = (times.get(name) ?? 0) + 1;
		times.set(name, time);
		const key = `${name} ${time}`;
		const known = found.get(key);
		if (known?.reading !== reading) reading.size++;
		if (known) known.reading = reading;
		if (known) return;
		const isKept = keeps?.(record) !== false;
		if (isKept) this.kept++;
		found.set(key, { page, reading, output: isKept ? (output?.(record) ?? record) : undefined });
	}

	private get isFull(): boolean {
		return this.kept >= (this.list.limit ?? Infinity);
	}

	/** True if as many records came as the list counts: in any reading, since none was removed, or in this one. */
	private get hasAll(): boolean {
		const { hasShrunk, found, reading } = this;
		const came = hasShrunk || reading.hasShrunk ? reading.size : found.size;
		return came >= (reading.total ?? 0);
	}

	private get shortage(): string {
		const { size, total } = this.reading;
		return `counts ${total} records, but lists only ${size} in several readings. All that it lists came out`;
	}

	private result(warning?: string): WholeList {
		const inOrder = [...this.found.values()].sort((one, other) => one.page - other.page);
		const records = inOrder.flatMap(({ output }) => (output ? [output] : []));
		const { circularAt } = this.fetcher;
		const circle = circularAt
			? `repeats earlier records on page ${circularAt}: the ${this.found.size} that came are taken for the whole list`
			: undefined;
		const warnings = [warning, circle].flatMap((text) => (text ? `${this.service} ${text}` : []));
		return { records: records.slice(0, this.list.limit), warnings };
	}
}

function* range(first: number, last: number): Generator<number> {
	for (let number = first; number <= last; number++) yield number;
}

/** One reading of a list from end to end, with the evidence that it missed no record. */
class Reading {
	/** The number of different records that came. */
	size = 0;
	/** The total that the last response stated. */
	total?: number;
	/** The largest and the smallest total that a response stated. */
	most = 0;
	least = Infinity;
	/** True if a record was certainly removed. */
	hasShrunk = false;
	/** What each page stated last as the total. */
	private readonly totals = new Map<number, number>();
	/** The number of records on each page when it came first. */
	private readonly lengths = new Map<number, number>();

	/** @param isInOrder true if one page is read after another, so that none is missed although records are removed */
	constructor(readonly isInOrder = false) {}

	note(page: number, length: number, total: number | undefined, most: number): void {
		if (!this.lengths.has(page)) this.lengths.set(page, length);
		if (total === undefined) return;
		this.total = total;
		this.totals.set(page, total);
		this.most = Math.max(this.most, total);
		this.least = Math.min(this.least, total);
		this.hasShrunk ||= total < most;
	}

	/** Returns whether a record may have moved between a page and the next one unseen. */
	fallsAfter(page: number): boolean {
		return (this.totals.get(page) ?? 0) > (this.totals.get(page + 1) ?? Infinity);
	}

	/**
	 * True if the order of the list is not the same for each request: nothing was added or removed, the pages have as many
	 * records as the list counts, and some of them came twice.
	 */
	get isUnordered(): boolean {
		const { most, least, size, lengths } = this;
		const records = [...lengths.values()].reduce((sum, length) => sum + length, 0);
		return most === least && records >= most && size < most;
	}
}
