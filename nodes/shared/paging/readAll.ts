import type { IDataObject } from 'n8n-workflow';

import { Failure } from '../base/failure';
import type { Page } from '../http/service';
import { linkOf, PageFetcher } from './pages';
import type { PageClient, PagedList } from './pages';
import { Reading } from './reading';

export interface ListToRead extends PagedList {
	/** Returns a value that identifies a row across pages; by default its `id`. */
	identity?(row: IDataObject): unknown;
	/** Returns whether a row comes out, if the service cannot filter for it. */
	keeps?(row: IDataObject): boolean;
	/** Returns the output of a row. Only this is kept in memory. */
	output?(row: IDataObject): IDataObject;
	/** The most rows to return; absent for all. */
	limit?: number;
}

/** Pages in flight. Each may hold 1,000 rows, so this bounds the memory that unread responses take. */
const PAGES_IN_FLIGHT = 8;

const MOST_READINGS = 5;

/** How often the ends of the list, or two neighboring pages, are read again in one reading. */
const MOST_REPEATS = 5;

/** A reading ends after this many pages in a row without a new row, even if more are stated. */
const MOST_USELESS_PAGES = 24;

/** The most pages beyond the stated ones, or without a stated number: a service may send new rows forever. */
const MOST_EXTRA_PAGES = 1000;

/**
 * Reads a whole list: a row that is there from start to end comes out exactly once, although other
 * rows come and go and shift the pages. docs/reading.md has the rule and its condition.
 *
 * @returns the rows, and warnings for the user
 * @throws Failure when a page fails, or when the list cannot be read whole
 */
export async function readAll(client: PageClient, list: ListToRead) {
	const { limit = Infinity, pageSize, keeps } = list;
	const size = keeps || pageSize === undefined ? pageSize : Math.min(limit, pageSize);
	const fetcher = new PageFetcher(client, { ...list, pageSize: size });
	for (;;) {
		const reader = new ListReader(client, list, fetcher);
		try {
			const rows = await reader.read();
			return { rows, warnings: [...reader.warnings] };
		} catch (error) {
			// Another size shifts all pages: begin again. Requests in flight still belong to the former reader.
			const failure = Failure.from(error);
			if (!fetcher.shrink(failure, Infinity)) throw failure;
		}
	}
}

class ListReader {
	readonly warnings = new Set<string>();
	/** The rows of all readings, by key. */
	private readonly found = new Map<string, { page: number; output?: IDataObject }>();
	/** The number of rows that come out. */
	private kept = 0;

	constructor(
		private readonly client: PageClient,
		private readonly list: ListToRead,
		private readonly fetcher: PageFetcher,
	) {}

	async read(): Promise<IDataObject[]> {
		let before: Reading | undefined;
		for (let number = 1; number <= MOST_READINGS; number++) {
			const reading = await this.readOnce();
			if (this.isFull || reading.isComplete(number, this.fetcher.size)) return this.rows;
			if (reading.repeatsFirstPage) throw this.unreadable(reading);
			if (before?.equals(reading)) {
				if (!reading.hasAll)
					this.warn(
						`counts ${reading.last} records, but lists only ${reading.size} in several readings. All that it lists came out`,
					);
				return this.rows;
			}
			before = reading;
		}
		throw new Failure(
			'failed',
			`The list changes faster than it can be read (${this.found.size} records found in ${MOST_READINGS} readings)`,
			{ hint: 'Run this at a quieter time, or narrow the list by a filter' },
		);
	}

	private async readOnce(): Promise<Reading> {
		const { fetcher, list } = this;
		const reading = new Reading();
		const first = await this.page(1, reading);
		if (!fetcher.goesOn(first, 1)) return reading;
		const stated = linkOf(first) ? 1 : (fetcher.countOf(first) ?? 1);
		const wanted = list.keeps ? Infinity : Math.ceil((list.limit ?? Infinity) / fetcher.size);
		const count = Math.min(stated, wanted);
		const last = (await this.readUpTo(count, reading)) ?? first;
		await this.readOn(count, last, reading);
		const isWhole = reading.isSteady && reading.hasAll;
		if (list.limit === undefined && !isWhole && !linkOf(first)) await this.readEnds(count, reading);
		return reading;
	}

	/** Reads the stated pages, several at once. Returns the last one. */
	private async readUpTo(count: number, reading: Reading): Promise<Page | undefined> {
		let next = 2;
		let hasFailed = false;
		let last: Page | undefined;
		const mayGoOn = () => !hasFailed && !this.isFull && reading.useless < MOST_USELESS_PAGES;
		const work = async () => {
			while (next <= count && mayGoOn()) {
				const number = next++;
				const page = await this.page(number, reading);
				if (number === count) last = page;
				await this.mend(number - 1, reading);
				await this.mend(number, reading);
			}
		};
		const workers = Array.from({ length: PAGES_IN_FLIGHT }, async () => {
			await work().catch((error: unknown) => {
				hasFailed = true;
				throw error;
			});
		});
		await Promise.all(workers);
		return last;
	}

	/** Reads two neighboring pages again until no row can have moved from one to the other unseen. */
	private async mend(number: number, reading: Reading): Promise<void> {
		for (let repeat = 1; reading.fallsAfter(number); repeat++) {
			reading.isTorn ||= repeat > MOST_REPEATS;
			if (reading.isTorn) return;
			await this.page(number, reading);
			await this.page(number + 1, reading);
		}
	}

	/** Reads on after the stated number of pages, which may be too low or missing, or follows links. */
	private async readOn(count: number, last: Page, reading: Reading): Promise<void> {
		let page = last;
		for (let number = count; this.fetcher.goesOn(page, number) && !this.isFull; ) {
			if (number >= count + MOST_EXTRA_PAGES) throw this.unreadable(reading);
			const link = linkOf(page);
			page = await this.page(++number, reading, link);
			if (link) {
				reading.isTorn ||= reading.fallsAfter(number - 1);
				if (reading.useless >= MOST_USELESS_PAGES) throw this.unreadable(reading);
				continue;
			}
			await this.mend(number - 1, reading);
			if (reading.useless === 0 || page.rows.length === 0) continue;
			if (page.total === undefined)
				this.warn(
					`repeats earlier records on page ${number}: the ${reading.size} that came are taken for the whole list`,
				);
			return;
		}
	}

	/** New rows appear at an end: reads both ends until the reading has as many rows as are stated. */
	private async readEnds(count: number, reading: Reading): Promise<void> {
		for (let repeat = 1; repeat <= MOST_REPEATS; repeat++) {
			const known = reading.size;
			await this.readFrom(count, reading);
			await this.readFrom(1, reading);
			if (reading.hasAll || reading.size === known) return;
		}
	}

	private async readFrom(start: number, reading: Reading): Promise<void> {
		for (let number = start; ; number++) {
			const page = await this.page(number, reading);
			if (page.rows.length < this.fetcher.size) return;
			if (reading.useless > 0 && (start === 1 || number > start)) return;
		}
	}

	private async page(number: number, reading: Reading, link?: IDataObject): Promise<Page> {
		const { most } = reading;
		const page = await this.fetcher.page(number, link);
		const times = new Map<string, number>();
		const keys = page.rows.map((row) => {
			const key = this.keyOf(row, times);
			if (!this.found.has(key)) this.add(key, row, number);
			return key;
		});
		reading.note(number, page, keys, most);
		return page;
	}

	private add(key: string, row: IDataObject, page: number): void {
		const { keeps, output } = this.list;
		const isKept = keeps?.(row) !== false;
		if (isKept) this.kept++;
		this.found.set(key, { page, output: isKept ? (output?.(row) ?? row) : undefined });
	}

	/** Identifies a row. The same row twice on one page is two rows; on two pages it is one that moved. */
	private keyOf(row: IDataObject, times: Map<string, number>): string {
		const { identity = ({ id }: IDataObject) => id } = this.list;
		const key = JSON.stringify(identity(row) ?? row);
		const time = (times.get(key) ?? 0) + 1;
		times.set(key, time);
		return `${key} ${time}`;
	}

	private get isFull(): boolean {
		return this.kept >= (this.list.limit ?? Infinity);
	}

	private get rows(): IDataObject[] {
		const inOrder = [...this.found.values()].sort((one, other) => one.page - other.page);
		return inOrder
			.flatMap(({ output }) => (output === undefined ? [] : [output]))
			.slice(0, this.list.limit);
	}

	private warn(text: string): void {
		this.warnings.add(`${this.client.service.name} ${text}`);
	}

	private unreadable({ size, last }: Reading): Failure {
		const stated = last === undefined ? '' : ` of ${last}`;
		const message = `${this.client.service.name} gives the same page of the list again and again: ${size}${stated} records came`;
		const hint = 'Narrow the list by a filter so that it fits on one page';
		return new Failure('repeating', message, { hint });
	}
}
