import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod';

import type { Door } from './door';
import { Failure } from './failure';
import { inParallel } from './parallel';
import type { ApiRequest } from './request';
import type { Page } from './service';

/** A list to read. */
export interface ListRequest {
	request: ApiRequest;
	/** The name of the array that holds the rows in the answer. */
	rows: string;
	/** The page size to ask for. Absent where the whole list comes in one answer. */
	pageSize?: number;
	/** What tells one row from another across pages. */
	identity(row: IDataObject): unknown;
	/** Tells which rows come out, where the service cannot be asked for them alone. */
	keeps?(row: IDataObject): boolean;
	/** What is kept of a row: rows are never held twice. */
	output(row: IDataObject): IDataObject;
	/** The most rows to give; absent for all. */
	limit?: number;
	/** Tells of progress. */
	log(message: string): void;
}

const PAGES_AT_ONCE = 4;
const MOST_READINGS = 6;
const LOG_EVERY = 25;

/** One reading of the list from end to end: what it takes to judge whether it was complete. */
interface Reading {
	/** Identities read, in any order. */
	seen: Set<string>;
	/** The total that the first page stated, before anything could have changed. */
	total?: number;
	/** True as long as every page stated the same total. */
	steady: boolean;
	/** The age of the first page's first row: the youngest of a list with its newest rows first. */
	youngest?: Age;
	/** Rows that are not younger than that. */
	old: number;
	/** Rows that the list had when its last page was read first; see `isWhole`. */
	tail?: { total?: number; age: Age; older: number };
	/** The identities of the first page. */
	head: string[];
}

type Age = string | number | undefined;

/**
 * Reads a list whole: a row that is there from start to end comes out exactly once, although other
 * rows come and go meanwhile and shift the pages.
 *
 * The first reading takes several pages at once. Pages that shift under it show in the count of
 * different rows: in a list with its newest rows first, new rows only ever appear on the page that
 * was read first, so that a count equal to the total stated there proves that nothing was missed.
 * In a list with its oldest rows first, new rows appear at the end; so its last page is read second,
 * rows younger than that are not counted, and the first page is looked at once more. A reading that
 * does not prove itself is followed by another one, page by page in the other direction, until one
 * brings nothing new.
 */
export class Walk {
	/** What the user should know although the list was read. */
	readonly warnings: string[] = [];
	private readonly pages: IDataObject[][] = [];
	private readonly found = new Set<string>();
	/** How many rows come out. */
	private kept = 0;
	private size = 0;
	/** Where new rows come: on the first page or on the last one. Undefined while it does not show. */
	private order: 'newest first' | 'oldest first' | undefined;
	/** The age of the youngest row that was there at the start. */
	private horizon: Age;
	/** Rows found that were there at the start. */
	private foundOld = 0;

	constructor(
		private readonly door: Pick<Door, 'send' | 'service'>,
		private readonly list: ListRequest,
	) {}

	/** @throws Failure when a page fails, or when the list cannot be read whole */
	async all(): Promise<IDataObject[]> {
		const { limit } = this.list;
		const reading = this.newReading();
		const first = await this.read(1, reading);
		if (limit === undefined && this.hasMore(first, 1)) await this.readWhole(first, reading);
		else if (this.hasMore(first, 1)) await this.readRest(first, reading, limit);
		const rows = this.pages.flat();
		return limit === undefined ? rows : rows.slice(0, limit);
	}

	private async readWhole(first: Page, reading: Reading): Promise<void> {
		if (isLinked(first)) {
			await this.follow(first, reading);
			return this.accept(reading);
		}
		await this.readRest(first, reading);
		if (await this.isWhole(reading)) return;
		for (let again = 2, quiet = 0; again <= MOST_READINGS; again++) {
			const known = this.foundOld;
			const backwards = this.order === 'oldest first' || again % 2 === 1;
			const next = await (backwards ? this.readBackwards() : this.readForwards());
			const isProven = backwards
				? this.order === 'oldest first'
				: this.order === 'newest first' && next.old === next.total;
			const nothingNew = this.foundOld === known;
			quiet = nothingNew && next.steady ? quiet + 1 : 0;
			if (isProven || quiet === 2 || (nothingNew && again === MOST_READINGS))
				return this.accept(next);
		}
		throw new Failure({
			words: `The list changes faster than it can be read (${this.found.size} rows found in ${MOST_READINGS} readings)`,
			advice: 'Run this at a quieter time, or narrow the list by a filter',
		});
	}

	/** Whether a reading proves that it missed nothing. */
	private async isWhole({ seen, old, total, tail, head }: Reading): Promise<boolean> {
		if (total === undefined) return true;
		if (tail === undefined) return (this.order === 'newest first' ? old : seen.size) === total;
		if (tail.older < (tail.total ?? total)) return false;
		const again = this.newReading();
		await this.read(1, again);
		return again.head.join() === head.join();
	}

	/** Takes the last of several readings; a list that stood still and is short all the same tells. */
	private accept({ seen, total, steady }: Reading): void {
		if (total === undefined || seen.size >= total || !steady) return;
		const { name } = this.door.service;
		if (seen.size <= this.size) {
			throw new Failure({
				words: `${name} gives the same page again and again: ${seen.size} of ${total} rows came`,
				advice: 'Narrow the list by a filter so that it fits on one page',
			});
		}
		this.warnings.push(
			`${name} counts ${total} rows, but lists only ${this.found.size} in several readings. All that it lists came out`,
		);
	}

	/** Reads what follows the first page, several pages at once where their number is known. */
	private async readRest(first: Page, reading: Reading, limit?: number): Promise<void> {
		if (isLinked(first)) return await this.follow(first, reading, limit);
		const wanted = limit === undefined ? Infinity : Math.ceil(limit / this.size);
		const count = Math.min(this.countOf(first) ?? 1, wanted);
		let last = first;
		if (count > 1) {
			last = await this.readTail(count, first, reading);
			await inParallel(count - 2, PAGES_AT_ONCE, async (index) => {
				await this.read(index + 2, reading);
				return true;
			});
		}
		await this.readOn(count, last, reading, limit);
	}

	/** The last page comes second: it tells the order, and where new rows would appear on it. */
	private async readTail(count: number, first: Page, reading: Reading): Promise<Page> {
		const tail = await this.read(count, reading);
		const [head, second, end] = [first.rows[0], first.rows.at(-1), tail.rows.at(-1)].map(ageOf);
		this.order = orderOf(head, second) ?? orderOf(head, end);
		this.horizon = this.order === 'newest first' ? head : end;
		if (this.order !== 'newest first') {
			reading.tail = { total: tail.total, age: end, older: reading.seen.size };
		}
		return tail;
	}

	/** The stated number of pages may be too low: goes on while pages are full and bring rows. */
	private async readOn(
		count: number,
		last: Page,
		reading: Reading,
		limit = Infinity,
	): Promise<void> {
		let page = last;
		let number = count;
		while (this.hasMore(page, number) && this.kept < limit) {
			const known = reading.seen.size;
			page = await this.read(++number, reading);
			if (page.rows.length > 0 && reading.seen.size === known) {
				if (reading.total === undefined) throw this.loops();
				return;
			}
		}
	}

	/** Follows links that carry no page number. */
	private async follow(first: Page, reading: Reading, limit = Infinity): Promise<void> {
		const visited = new Set<string>();
		let page = first;
		for (let number = 2; page.next && this.kept < limit; number++) {
			const link = JSON.stringify(page.next);
			if (visited.has(link)) throw this.loops();
			visited.add(link);
			page = await this.read(number, reading, page.next);
		}
	}

	/** From the last page to the first: rows that move up when others go are met again. */
	private async readBackwards(): Promise<Reading> {
		const reading = this.newReading();
		// One page further than before: new rows may have pushed the last ones there.
		for (let number = this.pages.length + 1; number >= 1; number--)
			await this.read(number, reading);
		return reading;
	}

	private async readForwards(): Promise<Reading> {
		const reading = this.newReading();
		for (let number = 1; number <= this.pages.length; number++) await this.read(number, reading);
		return reading;
	}

	/** Reads one page into the reading, and its rows that are new into the result. */
	private async read(number: number, reading: Reading, next?: IDataObject): Promise<Page> {
		const page = await this.fetch(number, next);
		if (page.rows.length > 0) reading.total ??= page.total;
		if (number === 1) {
			this.begin(page);
			reading.youngest = ageOf(page.rows[0]);
		}
		const times = new Map<string, number>();
		const kept = (this.pages[number - 1] ??= []);
		for (const row of page.rows) {
			const key = this.keyOf(row, times);
			if (!reading.seen.has(key)) this.count(row, reading);
			reading.seen.add(key);
			if (number === 1) reading.head.push(key);
			if (this.found.has(key)) continue;
			this.found.add(key);
			if (!isYounger(ageOf(row), this.horizon)) this.foundOld++;
			if (this.list.keeps?.(row) === false) continue;
			kept.push(this.list.output(row));
			this.kept++;
		}
		if (page.total !== reading.total && page.rows.length > 0) reading.steady = false;
		return page;
	}

	/** The first page tells how large pages are: what it holds where more rows follow. */
	private begin(page: Page): void {
		const isPart = page.total !== undefined && page.total > page.rows.length;
		this.size = isPart ? page.rows.length : (page.size ?? page.rows.length);
	}

	private count(row: IDataObject, reading: Reading): void {
		const age = ageOf(row);
		if (!isYounger(age, reading.youngest)) reading.old++;
		if (reading.tail && !isYounger(age, reading.tail.age)) reading.tail.older++;
	}

	private async fetch(number: number, next?: IDataObject): Promise<Page> {
		const { request, rows, pageSize } = this.list;
		const { service } = this.door;
		const paged = pageSize === undefined ? undefined : service.pageQuery(number, this.sizeToAsk());
		const query = { ...request.query, ...(next ?? paged) };
		const schema = z.unknown().transform((body, context) => {
			const page = service.readPage(body, rows);
			if (page === undefined) context.addIssue({ code: 'custom', message: 'no list' });
			return page ?? z.NEVER;
		});
		try {
			if (number % LOG_EVERY === 0) this.list.log(`${service.name}: page ${number} of a list`);
			return await this.door.send({ ...request, query }, schema);
		} catch (error) {
			return pastTheEnd(error, number);
		}
	}

	private sizeToAsk(): number {
		const { limit = Infinity, pageSize = 0, keeps } = this.list;
		return keeps ? pageSize : Math.min(limit, pageSize);
	}

	/** A row that stands twice on one page is two rows; on two pages it is one that moved. */
	private keyOf(row: IDataObject, times: Map<string, number>): string {
		const identity = JSON.stringify(this.list.identity(row) ?? row);
		const time = (times.get(identity) ?? 0) + 1;
		times.set(identity, time);
		return time === 1 ? identity : `${identity} ${time}`;
	}

	/** The number of pages; undefined where the answer tells neither it nor a total. */
	private countOf({ pages, total }: Page): number | undefined {
		if (total === undefined || this.size === 0) return pages;
		return Math.max(pages ?? 1, Math.ceil(total / this.size));
	}

	private hasMore(page: Page, number: number): boolean {
		if (this.list.pageSize === undefined || page.rows.length === 0) return false;
		if (page.next !== undefined) return page.next !== null;
		if (number > 1) return page.rows.length >= this.size;
		const count = this.countOf(page);
		return count === undefined || count > 1 || page.rows.length >= this.size;
	}

	private newReading(): Reading {
		return { seen: new Set(), steady: true, old: 0, head: [] };
	}

	private loops(): Failure {
		return new Failure({
			words: `${this.door.service.name} gives the same page of the list again and again`,
			advice: 'Narrow the list by a filter so that it fits on one page',
		});
	}
}

/** Services answer a page past the end with 404, or with an empty page. */
function pastTheEnd(error: unknown, number: number): Page {
	const failure = Failure.from(error);
	if (number > 1 && failure.details.status === 404) return { rows: [], next: null };
	throw failure;
}

/** True where the next page is to be asked for by something else than its number. */
function isLinked({ next }: Page): boolean {
	return next !== undefined && next !== null && next.page === undefined;
}

/** What orders rows in time: their date of creation, else their number. */
function ageOf(row: IDataObject | undefined): Age {
	const age = row?.createdDate ?? row?.created ?? row?.created_date ?? row?.sentDate ?? row?.id;
	return typeof age === 'string' || typeof age === 'number' ? age : undefined;
}

/** How a list is ordered that begins with one age and goes on to another. */
function orderOf(head: Age, later: Age): 'newest first' | 'oldest first' | undefined {
	if (isYounger(head, later)) return 'newest first';
	return isYounger(later, head) ? 'oldest first' : undefined;
}

function isYounger(one: Age, other: Age): boolean {
	if (one === undefined || typeof one !== typeof other) return false;
	return other !== undefined && one > other;
}
