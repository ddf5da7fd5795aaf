import type { IDataObject } from 'n8n-workflow';

import type { ApiClient } from '../http/client';
import { Failure } from '../base/failure';
import type { Page } from '../http/service';
import { AdaptiveConcurrency, forEachConcurrent } from '../parallel';
import { isLinked, PageFetcher } from './pages';
import type { ListRequest } from './pages';
import { countUpTo, orderOf, Sweep } from './sweep';
import type { FoundRow, Order } from './sweep';

/** Pages in flight. Each may hold 1,000 rows, so `max` bounds the memory that unread responses take. */
const PAGES_IN_FLIGHT = { first: 4, max: 16 };

const MOST_SWEEPS = 6;

/** The first sweep ends after this many pages in a row without a new row, even if more are stated. */
const MOST_PAGES_WITHOUT_NEW_ROWS = 24;

/**
 * Reads a whole list: a row that is there from start to end comes out exactly once, although other
 * rows come and go and shift the pages. docs/reading.md shows the states.
 *
 * The first sweep reads several pages at once. If its count of rows does not prove that it missed nothing,
 * further sweeps read page by page in both directions, until one proves it or two find nothing new.
 */
export class ListReader {
	/** Messages for the user about a list that was read. */
	readonly warnings: string[] = [];
	private readonly rows = new Map<string, FoundRow>();
	/** The number of rows that come out. */
	private kept = 0;
	/** Pages in a row without a new row. */
	private pagesWithoutNewRows = 0;
	private order: Order;

	constructor(
		private readonly client: Pick<ApiClient, 'send' | 'service' | 'stats'>,
		private readonly list: ListRequest,
		private readonly fetcher = new PageFetcher(client, list),
	) {}

	/** @throws Failure when a page fails, or when the list cannot be read whole */
	async all(): Promise<IDataObject[]> {
		try {
			return await this.readAll();
		} catch (error) {
			const failure = Failure.from(error);
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
		const sweep = this.newSweep();
		const first = await this.read(1, sweep);
		if (first.rows.length === 0 && first.total) throw this.unreadable(`0 of ${first.total} rows`);
		if (this.fetcher.hasMore(first, 1)) {
			await this.readRest(first, sweep);
			if (limit === undefined) await this.readUntilProven(first, sweep);
			else if (!this.isFull) this.accept(sweep);
		}
		const inOrder = [...this.rows.values()].sort((one, other) => one.page - other.page);
		const outputs = inOrder.map(({ output }) => output).filter((output) => output !== undefined);
		return outputs.slice(0, limit);
	}

	/** Reads what follows the first page, several pages at once if their number is known. */
	private async readRest(first: Page, sweep: Sweep): Promise<void> {
		if (isLinked(first)) return await this.followLinks(first, sweep);
		const { stats, service } = this.client;
		const wanted = Math.ceil((this.list.limit ?? Infinity) / this.fetcher.size);
		const count = Math.min(this.fetcher.countOf(first) ?? 1, wanted);
		if (count <= 1) return await this.readOn(count, first, first, sweep);
		// The last page is read second: it shows the order, and new rows may appear there.
		const last = await this.read(count, sweep);
		this.order = this.list.isByAge === false ? undefined : orderOf(first, last, service.ageFields);
		if (this.order === 'oldest first') sweep.beginAtTail(last);
		const concurrency = new AdaptiveConcurrency({
			...PAGES_IN_FLIGHT,
			refusals: () => stats.rateLimited,
		});
		await forEachConcurrent(numbersBetween(1, count), concurrency, async (number) => {
			const { rows } = await this.read(number, sweep);
			return rows.length > 0 && !this.isStuck;
		});
		await this.readOn(count, first, last, sweep);
	}

	/** Reads on after the stated number of pages, which may be too low or missing. */
	private async readOn(count: number, first: Page, last: Page, sweep: Sweep): Promise<void> {
		const most = this.fetcher.mostPages(first);
		let page = last;
		let number = count;
		while (this.fetcher.hasMore(page, number) && !this.isFull) {
			if (number >= most) return this.warnOfEnd(number);
			page = await this.read(++number, sweep);
			if (page.rows.length === 0 || this.pagesWithoutNewRows === 0) continue;
			if (sweep.total !== undefined) return;
			const { size, head } = sweep;
			// Past the end, some services repeat their last page.
			if (size > head.length && this.pagesWithoutNewRows > 1) return;
			if (size > head.length) continue;
			if (number > 2 || !page.isBare) throw this.unreadable(`${size} rows`);
			this.warnings.push(
				`${this.name} gives the same ${size} rows for the second page as for the first: they are taken for the whole list`,
			);
			return;
		}
	}

	/** Follows links that carry no page number. */
	private async followLinks(first: Page, sweep: Sweep): Promise<void> {
		const most = this.fetcher.mostPages(first);
		const visited = new Set<string>();
		let page = first;
		for (let number = 2; page.next && !this.isFull; number++) {
			if (number > most) return this.warnOfEnd(number - 1);
			const link = JSON.stringify(page.next);
			if (visited.has(link)) throw this.unreadable(`${sweep.size} rows`);
			visited.add(link);
			page = await this.read(number, sweep, page.next);
			// Every link may differ: the rows show whether they lead anywhere.
			if (page.next && this.isStuck) throw this.unreadable(`${sweep.size} rows`);
		}
	}

	private async readUntilProven(first: Page, sweep: Sweep): Promise<void> {
		const { order } = this;
		if (this.warnings.length > 0) return;
		if (isLinked(first)) return this.accept(sweep);
		if (await this.isProven(sweep)) return;
		const start = sweep.startOf(order);
		for (let number = 2, quiet = 0; number <= MOST_SWEEPS; number++) {
			const known = countUpTo(start, this.rows);
			const isBackwards = order === 'oldest first' || number % 2 === 1;
			const next = await this.readAgain(isBackwards);
			// Backwards, and with new rows at the end, nothing can be missed.
			const proves = isBackwards
				? order === 'oldest first'
				: order === 'newest first' && next.countsAll(order);
			const foundNothing = countUpTo(start, this.rows) === known;
			quiet = foundNothing && next.isSteady ? quiet + 1 : 0;
			const isLast = number === MOST_SWEEPS;
			if (proves || quiet === 2 || (foundNothing && isLast)) return this.accept(next);
		}
		throw new Failure(
			'failed',
			`The list changes faster than it can be read (${this.rows.size} rows found in ${MOST_SWEEPS} readings)`,
			{ hint: 'Run this at a quieter time, or narrow the list by a filter' },
		);
	}

	private async isProven(sweep: Sweep): Promise<boolean> {
		if (!sweep.countsAll(this.order)) return false;
		if (this.order === 'newest first' || sweep.total === undefined) return true;
		const again = this.newSweep();
		await this.read(1, again);
		return again.head.join() === sweep.head.join();
	}

	/** Reads all pages once more. Backwards, rows that move up when others go are met again. */
	private async readAgain(isBackwards: boolean): Promise<Sweep> {
		const sweep = this.newSweep();
		const last = this.lastPage;
		if (!isBackwards) for (let number = 1; number <= last; number++) await this.read(number, sweep);
		// One page further than before: new rows may have pushed the last ones there.
		else for (let number = last + 1; number >= 1; number--) await this.read(number, sweep);
		return sweep;
	}

	/** Ends reading. Warns if the list did not change and still has fewer rows than it states. */
	private accept({ size, total, isSteady, repeatsFirstPage }: Sweep): void {
		if (total === undefined || size >= total || !isSteady) return;
		if (repeatsFirstPage) throw this.unreadable(`${size} of ${total} rows`);
		this.warnings.push(
			`${this.name} counts ${total} rows, but lists only ${this.rows.size} in several readings. All that it lists came out`,
		);
	}

	private newSweep(): Sweep {
		return new Sweep(this.rows, this.client.service.ageFields);
	}

	private async read(number: number, sweep: Sweep, next?: IDataObject): Promise<Page> {
		const page = await this.fetcher.page(number, next);
		sweep.begin(page, number);
		const known = this.rows.size;
		const times = new Map<string, number>();
		for (const row of page.rows) {
			const found = sweep.add(this.keyOf(row, times), row, number);
			if (!found || this.list.keeps?.(row) === false) continue;
			found.output = this.list.output(row);
			this.kept++;
		}
		this.pagesWithoutNewRows = this.rows.size > known ? 0 : this.pagesWithoutNewRows + 1;
		return page;
	}

	/** Identifies a row. The same row twice on one page is two rows; on two pages it is one that moved. */
	private keyOf(row: IDataObject, times: Map<string, number>): string {
		const identity = JSON.stringify(this.list.identity(row) ?? row);
		const time = (times.get(identity) ?? 0) + 1;
		times.set(identity, time);
		return `${identity} ${time}`;
	}

	private get isFull(): boolean {
		return this.kept >= (this.list.limit ?? Infinity);
	}

	private get isStuck(): boolean {
		return this.pagesWithoutNewRows >= MOST_PAGES_WITHOUT_NEW_ROWS;
	}

	/** The number of the last page, by the rows that were found. */
	private get lastPage(): number {
		let last = Math.ceil(this.rows.size / Math.max(1, this.fetcher.size));
		for (const { page } of this.rows.values()) last = Math.max(last, page);
		return last;
	}

	private get name(): string {
		return this.client.service.name;
	}

	private warnOfEnd(pages: number): void {
		this.warnings.push(
			`${this.name} still sent new rows after ${pages} pages. Reading stopped there, and ${this.rows.size} rows were read`,
		);
	}

	private unreadable(came: string): Failure {
		const message = `${this.name} gives the same page of the list again and again: ${came} came`;
		const hint = 'Narrow the list by a filter so that it fits on one page';
		return new Failure('repeating', message, { hint });
	}
}

/** Yields the page numbers between two. The stated number may be absurd, so there is no array. */
function* numbersBetween(first: number, last: number): Generator<number> {
	for (let number = first + 1; number < last; number++) yield number;
}
