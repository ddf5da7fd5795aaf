import type { IDataObject } from 'n8n-workflow';

import type { ApiClient } from '../http/client';
import { SurveyError } from '../http/surveyError';
import { isLinked, PageFetcher } from './pages';
import type { ListRequest } from './pages';
import { AdaptiveConcurrency, forEachConcurrent } from '../parallel';
import { countUpTo, orderOf, Pass } from './pass';
import type { Age, Order } from './pass';
import type { Page } from '../http/service';

/** Pages in flight. Each may hold 1,000 rows, so `most` bounds the memory that unread responses take. */
const PAGES_IN_FLIGHT = { first: 4, max: 16 };

const MOST_PASSES = 6;

/** This many pages in a row without a new row end the first pass, whatever number of pages is stated. */
const MOST_BARREN_PAGES = 24;

/** The service keeps returning the same page, so the list cannot be read page by page. */
export class RepeatingPages extends SurveyError {}

/**
 * Reads a whole list: a row that is there from start to end comes out exactly once, although other
 * rows come and go and shift the pages. docs/reading.md shows the states.
 *
 * The first pass reads several pages at once. If its count of rows does not prove that it missed nothing,
 * further passes read page by page in both directions, until one proves it or two brought nothing new.
 */
export class ListReader {
	/** What the user should know although the list was read. */
	readonly warnings: string[] = [];
	private readonly fetcher: PageFetcher;
	/** The rows that come out, by the number of the page on which each was found. */
	private readonly pages = new Map<number, IDataObject[]>();
	/** The age of each row that was found in any pass, by the row's key. */
	private readonly found = new Map<string, Age>();
	/** Pages in a row that brought no new row. */
	private barren = 0;
	private order: Order;

	constructor(
		private readonly client: Pick<ApiClient, 'send' | 'service' | 'stats'>,
		private readonly list: ListRequest,
		fetcher?: PageFetcher,
	) {
		this.fetcher = fetcher ?? new PageFetcher(client, list);
	}

	/** @throws SurveyError when a page fails, or when the list cannot be read whole */
	async all(): Promise<IDataObject[]> {
		try {
			return await this.readAll();
		} catch (error) {
			const failure = SurveyError.from(error);
			if (!this.fetcher.shrink(failure, Infinity)) throw failure;
			// Another size shifts all pages: begin again. Requests in flight still belong to this reader.
			const again = new ListReader(this.client, this.list, this.fetcher);
			const rows = await again.all();
			this.warnings.push(...again.warnings);
			return rows;
		}
	}

	private async readAll(): Promise<IDataObject[]> {
		const { limit } = this.list;
		const pass = this.newPass();
		const first = await this.read(1, pass);
		if (first.rows.length === 0 && first.total) throw this.unreadable(`0 of ${first.total} rows`);
		if (this.fetcher.hasMore(first, 1)) {
			await this.readRest(first, pass);
			if (limit === undefined) await this.readUntilProven(first, pass);
			else if (!this.isFull) this.accept(pass);
		}
		const inOrder = [...this.pages].sort(([one], [other]) => one - other);
		return inOrder.flatMap(([, rows]) => rows).slice(0, limit);
	}

	private async readUntilProven(first: Page, pass: Pass): Promise<void> {
		if (this.warnings.length > 0) return;
		if (isLinked(first)) return this.accept(pass);
		if (await this.isProven(pass)) return;
		const start = pass.startOf(this.order);
		for (let number = 2, quiet = 0; number <= MOST_PASSES; number++) {
			const known = countUpTo(start, this.found);
			const backwards = this.order === 'oldest first' || number % 2 === 1;
			const next = await (backwards ? this.readBackwards() : this.readForwards());
			// Backwards, and with new rows at the end, nothing can be missed.
			const proves = backwards
				? this.order === 'oldest first'
				: this.order === 'newest first' && next.countsAll(this.order);
			const nothingNew = countUpTo(start, this.found) === known;
			quiet = nothingNew && next.isSteady ? quiet + 1 : 0;
			const isLast = number === MOST_PASSES;
			if (proves || quiet === 2 || (nothingNew && isLast)) return this.accept(next);
		}
		throw new SurveyError({
			message: `The list changes faster than it can be read (${this.found.size} rows found in ${MOST_PASSES} readings)`,
			hint: 'Run this at a quieter time, or narrow the list by a filter',
		});
	}

	private async isProven(pass: Pass): Promise<boolean> {
		if (!pass.countsAll(this.order)) return false;
		if (this.order === 'newest first' || pass.total === undefined) return true;
		const again = this.newPass();
		await this.read(1, again);
		return again.head.join() === pass.head.join();
	}

	/** Accepts the last pass. Warns if the list did not change and still has fewer rows than it states. */
	private accept({ seen, total, isSteady, repeatsFirstPage }: Pass): void {
		if (total === undefined || seen.size >= total || !isSteady) return;
		if (repeatsFirstPage) throw this.unreadable(`${seen.size} of ${total} rows`);
		this.warnings.push(
			`${this.name} counts ${total} rows, but lists only ${this.found.size} in several readings. All that it lists came out`,
		);
	}

	/** Reads what follows the first page, several pages at once if their number is known. */
	private async readRest(first: Page, pass: Pass): Promise<void> {
		if (isLinked(first)) return await this.follow(first, pass);
		const wanted = Math.ceil((this.list.limit ?? Infinity) / this.fetcher.size);
		const count = Math.min(this.fetcher.countOf(first) ?? 1, wanted);
		let last = first;
		if (count > 1) {
			last = await this.readTail(count, first, pass);
			const { stats } = this.client;
			const refusals = () => stats.rateLimited;
			const concurrency = new AdaptiveConcurrency({ ...PAGES_IN_FLIGHT, refusals });
			await forEachConcurrent(numbersBetween(1, count), concurrency, async (number) => {
				const { rows } = await this.read(number, pass);
				return rows.length > 0 && this.barren < MOST_BARREN_PAGES;
			});
		}
		await this.readOn(count, first, last, pass);
	}

	/** Reads the last page second: it shows the order, and where new rows would appear. */
	private async readTail(count: number, first: Page, pass: Pass): Promise<Page> {
		const tail = await this.read(count, pass);
		const { ageFields } = this.client.service;
		this.order = this.list.isByAge === false ? undefined : orderOf(first, tail, ageFields);
		if (this.order === 'oldest first') pass.beginAtTail(tail);
		return tail;
	}

	/** Reads on after the stated number of pages, which may be too low or missing. */
	private async readOn(count: number, first: Page, last: Page, pass: Pass): Promise<void> {
		const most = this.fetcher.mostPages(first);
		let page = last;
		let number = count;
		while (this.fetcher.hasMore(page, number) && !this.isFull) {
			if (number >= most) return this.warnOfEnd(number);
			page = await this.read(++number, pass);
			if (page.rows.length === 0 || this.barren === 0) continue;
			if (pass.total !== undefined) return;
			const isRepeated = pass.seen.size === pass.head.length;
			// Past the end, some services repeat their last page.
			if (!isRepeated && this.barren > 1) return;
			if (!isRepeated) continue;
			if (number > 2 || !page.isBare) throw this.unreadable(`${pass.seen.size} rows`);
			this.warnings.push(
				`${this.name} gives the same ${pass.seen.size} rows for the second page as for the first: they are taken for the whole list`,
			);
			return;
		}
	}

	/** Follows links that carry no page number. */
	private async follow(first: Page, pass: Pass): Promise<void> {
		const most = this.fetcher.mostPages(first);
		const visited = new Set<string>();
		let page = first;
		for (let number = 2; page.next && !this.isFull; number++) {
			if (number > most) return this.warnOfEnd(number - 1);
			const link = JSON.stringify(page.next);
			if (visited.has(link)) throw this.unreadable(`${pass.seen.size} rows`);
			visited.add(link);
			page = await this.read(number, pass, page.next);
			// Every link may differ: the rows show whether they lead anywhere.
			if (page.next && this.barren >= MOST_BARREN_PAGES) {
				throw this.unreadable(`${pass.seen.size} rows`);
			}
		}
	}

	/** From the last page to the first: rows that move up when others go are met again. */
	private async readBackwards(): Promise<Pass> {
		const pass = this.newPass();
		// One page further than before: new rows may have pushed the last ones there.
		for (let number = this.lastPage + 1; number >= 1; number--) await this.read(number, pass);
		return pass;
	}

	private async readForwards(): Promise<Pass> {
		const pass = this.newPass();
		const count = this.lastPage;
		for (let number = 1; number <= count; number++) await this.read(number, pass);
		return pass;
	}

	private newPass(): Pass {
		return new Pass(this.client.service.ageFields);
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
			this.found.set(key, pass.seen.get(key));
			if (this.list.keeps?.(row) !== false) kept.push(this.list.output(row));
		}
		const isBarren = this.found.size === known;
		this.barren = isBarren ? this.barren + 1 : 0;
		if (!isBarren) this.pages.set(number, kept);
		return page;
	}

	/** Whether as many rows came as are wanted. */
	private get isFull(): boolean {
		if (this.list.limit === undefined) return false;
		let count = 0;
		for (const rows of this.pages.values()) count += rows.length;
		return count >= this.list.limit;
	}

	/** The number of the last page, by the rows that were found. */
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

	private get name(): string {
		return this.client.service.name;
	}

	private warnOfEnd(pages: number): void {
		this.warnings.push(
			`${this.name} still sent new rows after ${pages} pages. Reading stopped there, and ${this.found.size} rows were read`,
		);
	}

	private unreadable(came: string): RepeatingPages {
		return new RepeatingPages({
			message: `${this.name} gives the same page of the list again and again: ${came} came`,
			hint: 'Narrow the list by a filter so that it fits on one page',
		});
	}
}

/** The pages between two. Their stated number may be absurd, so it is no array. */
function* numbersBetween(first: number, last: number): Generator<number> {
	for (let number = first + 1; number < last; number++) yield number;
}
