import type { IDataObject } from 'n8n-workflow';

import type { ApiClient } from '../http/client';
import { Failure } from '../http/failure';
import { isLinked, PageFetcher } from './pages';
import type { ListRequest } from './pages';
import { AdaptiveConcurrency, forEachConcurrent } from '../parallel';
import { ageOf, isYounger, orderOf, Pass } from './pass';
import type { Age, Order } from './pass';
import type { Page } from '../http/service';

/** Pages in flight. Each may hold 1,000 rows, so `most` bounds the memory that unread responses take. */
const PAGES_IN_FLIGHT = { first: 4, most: 16 };

const MOST_READINGS = 6;

/** So many pages in a row without a new row end the first reading, whatever number of pages is stated. */
const MOST_BARREN_PAGES = 24;

/** What the service gives again and again is no list that could be read page by page. */
export class RepeatingPages extends Failure {}

/**
 * Reads a list whole: a row that is there from start to end comes out exactly once, although other
 * rows come and go meanwhile and shift the pages.
 *
 * The first pass reads several pages at once. If its count of rows does not prove that it missed
 * nothing, others follow, page by page and in both directions, until one proves it or two brought
 * nothing new.
 */
export class ListReader {
	/** What the user should know although the list was read. */
	readonly warnings: string[] = [];
	private readonly fetcher: PageFetcher;
	private readonly service: string;
	/** What comes out, by the number of the page on which it was found. */
	private readonly pages = new Map<number, IDataObject[]>();
	/** Pages in a row that brought no new row. */
	private barren = 0;
	private readonly found = new Set<string>();
	/** How many rows come out. */
	private kept = 0;
	private order: Order;
	/** The age of the youngest row that was there at the start, and the rows found up to it. */
	private horizon: Age;
	private foundOld = 0;

	constructor(
		private readonly client: Pick<ApiClient, 'send' | 'service' | 'stats'>,
		private readonly list: ListRequest,
	) {
		this.fetcher = new PageFetcher(client, list);
		this.service = client.service.name;
	}

	/** @throws Failure when a page fails, or when the list cannot be read whole */
	async all(): Promise<IDataObject[]> {
		const { limit } = this.list;
		const pass = new Pass();
		const first = await this.read(1, pass);
		if (first.rows.length === 0 && first.total) throw this.unreadable(`0 of ${first.total} rows`);
		if (this.fetcher.hasMore(first, 1)) {
			if (limit === undefined) await this.readWhole(first, pass);
			else await this.readRest(first, pass, limit);
			if (limit !== undefined && this.kept < limit) this.accept(pass);
		}
		const rows = [...this.pages]
			.sort(([one], [other]) => one - other)
			.flatMap(([, found]) => found);
		return rows.slice(0, limit);
	}

	private async readWhole(first: Page, pass: Pass): Promise<void> {
		await this.readRest(first, pass);
		if (isLinked(first)) return this.accept(pass);
		if (await this.isProven(pass)) return;
		for (let again = 2, quiet = 0; again <= MOST_READINGS; again++) {
			const known = this.foundOld;
			const backwards = this.order === 'oldest first' || again % 2 === 1;
			const next = await (backwards ? this.readBackwards() : this.readForwards());
			// Backwards, and with new rows at the end, nothing can be missed.
			const proves = backwards
				? this.order === 'oldest first'
				: this.order === 'newest first' && next.countsAll(this.order);
			const nothingNew = this.foundOld === known;
			quiet = nothingNew && next.isSteady ? quiet + 1 : 0;
			const isLast = again === MOST_READINGS;
			if (proves || quiet === 2 || (nothingNew && isLast)) return this.accept(next);
		}
		throw new Failure({
			words: `The list changes faster than it can be read (${this.found.size} rows found in ${MOST_READINGS} readings)`,
			advice: 'Run this at a quieter time, or narrow the list by a filter',
		});
	}

	private async isProven(pass: Pass): Promise<boolean> {
		if (!pass.countsAll(this.order)) return false;
		if (this.order === 'newest first' || pass.total === undefined) return true;
		const again = new Pass();
		await this.read(1, again);
		return again.head.join() === pass.head.join();
	}

	/** Takes the last of several readings; a list that stood still and is short all the same tells. */
	private accept({ seen, total, isSteady, repeatsFirstPage }: Pass): void {
		if (total === undefined || seen.size >= total || !isSteady) return;
		if (repeatsFirstPage) throw this.unreadable(`${seen.size} of ${total} rows`);
		this.warnings.push(
			`${this.service} counts ${total} rows, but lists only ${this.found.size} in several readings. All that it lists came out`,
		);
	}

	/** Reads what follows the first page, several pages at once where their number is known. */
	private async readRest(first: Page, pass: Pass, limit = Infinity): Promise<void> {
		if (isLinked(first)) return await this.follow(first, pass, limit);
		const wanted = Math.ceil(limit / this.fetcher.size);
		const count = Math.min(this.fetcher.countOf(first) ?? 1, wanted);
		let last = first;
		if (count > 1) {
			last = await this.readTail(count, first, pass);
			await forEachConcurrent(numbersBetween(1, count), this.concurrency(), async (number) => {
				const { rows } = await this.read(number, pass);
				return rows.length > 0 && this.barren < MOST_BARREN_PAGES;
			});
		}
		await this.readOn(count, last, pass, limit);
	}

	private concurrency(): AdaptiveConcurrency {
		const { stats } = this.client;
		return new AdaptiveConcurrency({ ...PAGES_IN_FLIGHT, refusals: () => stats.rateLimited });
	}

	/** The last page comes second: it tells the order, and where new rows would appear on it. */
	private async readTail(count: number, first: Page, pass: Pass): Promise<Page> {
		const tail = await this.read(count, pass);
		this.order = this.list.isByAge === false ? undefined : orderOf(first, tail);
		if (this.order === 'newest first') this.horizon = ageOf(first.rows[0]);
		if (this.order !== 'oldest first') return tail;
		this.horizon = ageOf(tail.rows.at(-1));
		pass.beginAtTail(tail);
		return tail;
	}

	/** The stated number of pages may be too low: goes on while pages are full and bring rows. */
	private async readOn(count: number, last: Page, pass: Pass, limit: number): Promise<void> {
		let page = last;
		let number = count;
		while (this.fetcher.hasMore(page, number) && this.kept < limit) {
			const known = pass.seen.size;
			page = await this.read(++number, pass);
			if (page.rows.length === 0 || pass.seen.size > known) continue;
			if (pass.total !== undefined) return;
			if (number > 2 || !page.isBare) throw this.unreadable(`${known} rows`);
			this.warnings.push(
				`${this.service} gives the same ${known} rows for the second page as for the first: they are taken for the whole list`,
			);
			return;
		}
	}

	/** Follows links that carry no page number. */
	private async follow(first: Page, pass: Pass, limit: number): Promise<void> {
		const visited = new Set<string>();
		let page = first;
		for (let number = 2; page.next && this.kept < limit; number++) {
			const link = JSON.stringify(page.next);
			if (visited.has(link)) throw this.unreadable(`${pass.seen.size} rows`);
			visited.add(link);
			page = await this.read(number, pass, page.next);
			// Each link may be another one: what comes tells whether they lead anywhere.
			if (page.next && this.barren >= MOST_BARREN_PAGES) {
				throw this.unreadable(`${pass.seen.size} rows`);
			}
		}
	}

	/** From the last page to the first: rows that move up when others go are met again. */
	private async readBackwards(): Promise<Pass> {
		const pass = new Pass();
		// One page further than before: new rows may have pushed the last ones there.
		let number = this.lastPage + 1;
		while (number >= 1) await this.read(number--, pass);
		return pass;
	}

	private async readForwards(): Promise<Pass> {
		const pass = new Pass();
		const count = this.lastPage;
		for (let number = 1; number <= count; number++) await this.read(number, pass);
		return pass;
	}

	/** Reads one page into the pass, and its rows that are new into the result. */
	private async read(number: number, pass: Pass, next?: IDataObject): Promise<Page> {
		const page = await this.fetcher.page(number, next);
		pass.begin(page, number);
		const known = this.found.size;
		const kept = this.pages.get(number) ?? [];
		const times = new Map<string, number>();
		for (const row of page.rows) {
			const key = this.keyOf(row, times);
			pass.add(key, row, number);
			if (this.found.has(key)) continue;
			this.found.add(key);
			if (!isYounger(ageOf(row), this.horizon)) this.foundOld++;
			if (this.list.keeps?.(row) === false) continue;
			kept.push(this.list.output(row));
			this.kept++;
		}
		const isBarren = this.found.size === known;
		this.barren = isBarren ? this.barren + 1 : 0;
		if (!isBarren) this.pages.set(number, kept);
		return page;
	}

	/** The number of the last page, by what has come of the list. */
	private get lastPage(): number {
		const counted = Math.ceil(this.found.size / Math.max(1, this.fetcher.size));
		return Math.max(counted, ...this.pages.keys());
	}

	/** A row that stands twice on one page is two rows; on two pages it is one that moved. */
	private keyOf(row: IDataObject, times: Map<string, number>): string {
		const identity = JSON.stringify(this.list.identity(row) ?? row);
		const time = (times.get(identity) ?? 0) + 1;
		times.set(identity, time);
		return time === 1 ? identity : `${identity} ${time}`;
	}

	private unreadable(came: string): RepeatingPages {
		return new RepeatingPages({
			words: `${this.service} gives the same page of the list again and again: ${came} came`,
			advice: 'Narrow the list by a filter so that it fits on one page',
		});
	}
}

/** The pages between two. Their stated number may be absurd: what comes tells how far the list goes. */
function* numbersBetween(first: number, last: number): Generator<number> {
	for (let number = first + 1; number < last; number++) yield number;
}
