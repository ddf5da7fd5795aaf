import type { IDataObject } from 'n8n-workflow';

import { Failure } from '../base/failure';
import { forEachConcurrent } from '../parallel';
import { PageFetcher } from './pages';
import type { PageClient, PagedList } from './pages';

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

const PAGES_IN_FLIGHT = 32;

/** Bounds the memory that unread responses take. */
const RECORDS_IN_FLIGHT = 16_000;

const MOST_READINGS = 5;

/** How often the ends of the list, or two neighboring pages, are read again in one reading. */
const MOST_REPEATS = 5;

/** The most pages beyond the stated ones, or without a stated number: a service may send new records forever. */
const MOST_EXTRA_PAGES = 5000;

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
	try {
		return await new ListReader(client.service.name, list, fetcher).read();
	} catch (error) {
		return await readAll(client, { ...list, pageSize: fetcher.smallerAfter(error) });
	}
}

/** A record that came: on which page first, and in which reading last. */
interface Found {
	page: number;
	reading: Reading;
	output?: IDataObject;
}

class ListReader {
	private readonly warnings = new Set<string>();
	private reading = new Reading();
	private readonly found = new Map<string, Found>();
	/** The number of records that come out. */
	private kept = 0;

	constructor(
		private readonly service: string,
		private readonly list: ListToRead,
		private readonly fetcher: PageFetcher,
	) {}

	async read(): Promise<WholeList> {
		for (let count = 1; count <= MOST_READINGS; count++) {
			const before = { size: this.reading.size, found: this.found.size };
			const reading = (this.reading = new Reading());
			await this.readOnce();
			if (this.isFull || reading.isComplete(this.fetcher.size)) return this.result;
			if (reading.isRepeating) {
				throw this.failure('gives the same page of the list again and again', 'repeating');
			}
			const isSame = before.size === reading.size && before.found === this.found.size;
			if (count === 1 || !isSame) continue;
			this.warn(
				`counts ${reading.last} records, but lists only ${reading.size} in several readings. All that it lists came out`,
			);
			return this.result;
		}
		throw this.failure('changes the list faster than it can be read');
	}

	private async readOnce(): Promise<void> {
		const { fetcher, list, reading } = this;
		await this.page(1);
		if (!fetcher.goesOn(1)) return;
		const needed = list.keeps ? Infinity : Math.ceil((list.limit ?? Infinity) / fetcher.size);
		const count = Math.min(fetcher.count, needed);
		const inFlight = Math.min(PAGES_IN_FLIGHT, Math.ceil(RECORDS_IN_FLIGHT / fetcher.size));
		await forEachConcurrent(range(2, count), inFlight, async (number) => {
			const fresh = await this.next(number);
			await this.mend(number);
			return fresh > 0 && !this.isFull;
		});
		await this.readOn(count);
		// New records appear at an end.
		for (let repeat = 1; repeat <= MOST_REPEATS && !reading.hasAll && !this.isFull; repeat++) {
			const known = reading.size;
			for (const end of [count, 1]) {
				const fresh = await this.page(end);
				if (fresh > 0 || end > 1) await this.readOn(end);
			}
			if (reading.size === known) return;
		}
	}

	/** Reads two neighboring pages again until no record can have moved from one to the other unseen. */
	private async mend(number: number): Promise<void> {
		const { reading } = this;
		for (let repeat = 1; reading.fallsAfter(number) && !reading.isTorn; repeat++) {
			await this.page(number);
			await this.page(number + 1);
			reading.isTorn ||= repeat >= MOST_REPEATS && reading.fallsAfter(number);
		}
	}

	/** Reads on after a page until the list ends, or until a page brings nothing new. */
	private async readOn(start: number): Promise<void> {
		const { fetcher, reading } = this;
		for (let number = start; fetcher.goesOn(number) && !this.isFull; ) {
			if (number > start + MOST_EXTRA_PAGES) throw this.failure('sends a list that does not end');
			const fresh = await this.next(++number);
			if (fresh > 0) continue;
			if (reading.last > 0 || !fetcher.goesOn(number)) return;
			this.warn(
				`repeats earlier records on page ${number}: the ${reading.size} that came are taken for the whole list`,
			);
			return;
		}
	}

	/** Fetches a page, so that it fits to the one before it. Returns how many of its records are new in this reading. */
	private async next(number: number): Promise<number> {
		const fresh = await this.page(number);
		await this.mend(number - 1);
		return fresh;
	}

	/** Fetches a page. Returns how many of its records are new in this reading. */
	private async page(number: number): Promise<number> {
		const { reading, fetcher } = this;
		const { most } = reading;
		const { records, total } = await fetcher.page(number);
		const known = reading.size;
		const times = new Map<string, number>();
		for (const record of records) this.take(record, number, times);
		if (total !== undefined) reading.note(number, total, most);
		const fresh = reading.size - known;
		const isKnown = records.length > 0 && fresh === 0 && known <= fetcher.size;
		reading.isRepeating ||= isKnown && number > 1 && !reading.hasAll;
		return fresh;
	}

	/** The same record twice on one page is two records; on two pages it is one that moved. */
	private take(record: IDataObject, page: number, times: Map<string, number>): void {
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

	private get result(): WholeList {
		const inOrder = [...this.found.values()].sort((one, other) => one.page - other.page);
		const records = inOrder.flatMap(({ output }) => (output ? [output] : []));
		return { records: records.slice(0, this.list.limit), warnings: [...this.warnings] };
	}

	private warn(text: string): void {
		this.warnings.add(`${this.service} ${text}`);
	}

	private failure(what: string, kind: 'failed' | 'repeating' = 'failed'): Failure {
		const { size, last } = this.reading;
		const came = `${size}${last ? ` of ${last}` : ''} records came`;
		return new Failure(kind, `${this.service} ${what}: ${came}`, {
			hint: 'Narrow the list by a filter, or run this at a quieter time',
		});
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
	last = 0;
	/** The largest total that a response stated. */
	most = 0;
	private least = Infinity;
	/** True if a record was certainly removed, so that the number of records proves nothing. */
	private hasShrunk = false;
	/** True if two neighboring pages never fitted together, so that a record may be missing. */
	isTorn = false;
	/** True if another page than the first has its records. */
	isRepeating = false;
	/** The total that each page stated last. */
	private readonly totals = new Map<number, number>();

	/** @param most the largest total that was known when the page was requested */
	note(page: number, total: number, most: number): void {
		this.totals.set(page, total);
		this.last = total;
		this.least = Math.min(this.least, total);
		this.most = Math.max(this.most, total);
		this.hasShrunk ||= total < most;
	}

	/** True if as many records came as the last response states. */
	get hasAll(): boolean {
		return this.size >= this.last;
	}

	/** Returns whether a record may have moved between a page and the next one unseen. */
	fallsAfter(page: number): boolean {
		return (this.totals.get(page) ?? 0) > (this.totals.get(page + 1) ?? Infinity);
	}

	/** Returns whether no record that was there all the time can be missing. */
	isComplete(pageSize: number): boolean {
		// Records that move by a whole page can pass one that is read twice.
		const mayPass = this.hasShrunk && this.most - this.least >= pageSize;
		return this.hasAll && !this.isTorn && !mayPass;
	}
}
