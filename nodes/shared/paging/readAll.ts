import { sleep } from 'n8n-workflow';
import type { IDataObject } from 'n8n-workflow';

import { Failure } from '../base/failure';
import { backoff } from '../http/retry';

import { changesTooFast, keyOf, pages } from './pages';
import type { PageClient, PagedList } from './pages';

/** A list, and what comes out for each of its records. @internal */
export interface ListToRead extends PagedList {
	/** Returns whether a record comes out, if the service cannot filter for it. */
	keeps?(record: IDataObject): boolean;
	/** Returns the output of a record. Only this is kept in memory. */
	output?(record: IDataObject): IDataObject;
	limit?: number;
	/** How many pages to request at once; absent for as many as usual. */
	inFlight?: number;
}

// docs/reading.md: up to five readings
const MOST_READINGS = 5;

/** The records of a list, and how many it counts. */
interface CountedRecords {
	records: IDataObject[];
	total?: number;
}

/** The facts of one reading. Two that are equal show that the list does not change. */
interface Reading {
	/** The number of records that came, with those that came again. */
	came: number;
	/** The least and the greatest total that its responses stated. */
	least?: number;
	greatest?: number;
	/** True if a page had no records although the list counted some for it. */
	hasGap: boolean;
}

/**
 * Reads a whole list: a record that is there from start to end comes out exactly once, although other records come and go and
 * shift the pages. docs/reading.md has the rule and its condition.
 *
 * @throws Failure when a page fails, or when the list cannot be read whole
 */
export async function readAll(client: PageClient, list: ListToRead): Promise<IDataObject[]> {
	return (await readCounted(client, list)).records;
}

/** Reads a list as `readAll` does, and returns also how many records it counts, if it states that. */
export async function readCounted(client: PageClient, list: ListToRead): Promise<CountedRecords> {
	const distinct = new DistinctRecords(list);
	let before: Reading | undefined;
	for (let count = 1; count <= MOST_READINGS; count++) {
		// Records that a cache still hides may come a moment later.
		if (before) await sleep(backoff(count - 1));
		const known = distinct.count;
		const reading = await readOnce(client, list, distinct);
		// promise: return-all
		const hasAll = !reading.hasGap && distinct.count >= (reading.least ?? 0);
		const result = () => ({ records: distinct.result(), total: reading.least });
		if (hasAll || distinct.isFull) return result();
		if (distinct.count === known && isSame(reading, before)) {
			if (list.limit !== undefined) return result();
			throw countedMore(client, distinct.count, reading.least);
		}
		before = reading;
	}
	throw changesTooFast(client, `: ${distinct.count} of ${before?.least} records came`);
}

/** Reads the list from its start to its end, or to its limit. */
async function readOnce(
	client: PageClient,
	list: ListToRead,
	distinct: DistinctRecords,
): Promise<Reading> {
	const { keeps, limit = Infinity, pageSize, inFlight } = list;
	const needed = keeps ? Infinity : limit;
	const size = pageSize && Math.min(pageSize, needed);
	const options = { pageSize: size, needed, inFlight, isCounting: true };
	const reading: Reading = { came: 0, hasGap: false };
	for await (const { records, total } of pages(client, list, options)) {
		distinct.take(records);
		reading.came += records.length;
		reading.hasGap ||= records.length === 0;
		if (total !== undefined) {
			reading.least = Math.min(reading.least ?? total, total);
			reading.greatest = Math.max(reading.greatest ?? total, total);
		}
		if (distinct.isFull) break;
	}
	return reading;
}

/** Returns whether a reading is the one before it again, and its total stayed the same. */
function isSame({ came, least, greatest }: Reading, before?: Reading): boolean {
	return (
		least === greatest &&
		came === before?.came &&
		greatest === before.greatest &&
		least === before.least
	);
}

function countedMore({ service }: PageClient, count: number, total?: number): Failure {
	const message = `${service.name} counts ${total} records, but lists only ${count}`;
	return new Failure('failed', message, {
		hint: `To get those that it lists, set a limit of ${count} or less`,
	});
}

/** The different records that came in all readings of a list, and what comes out for each. */
class DistinctRecords {
	private readonly outputs = new Map<string, IDataObject | undefined>();
	private kept = 0;

	constructor(private readonly list: ListToRead) {}

	/** The number of different records, with those that do not come out. */
	get count(): number {
		return this.outputs.size;
	}

	/** True if the limit is reached. */
	get isFull(): boolean {
		return this.kept >= (this.list.limit ?? Infinity);
	}

	/** Takes the records of a page. */
	take(records: IDataObject[]): void {
		const times = new Map<string, number>();
		for (const record of records) {
			const name = keyOf(this.list, record);
			// The same record twice on one page is two records; on two pages it may be one that moved.
			const time = (times.get(name) ?? 0) + 1;
			times.set(name, time);
			const key = `${name} ${time}`;
			if (!this.outputs.has(key)) this.outputs.set(key, this.outputOf(record));
		}
	}

	result(): IDataObject[] {
		const outputs = [...this.outputs.values()].filter((output) => output !== undefined);
		return outputs.slice(0, this.list.limit);
	}

	private outputOf(record: IDataObject): IDataObject | undefined {
		const { keeps, output = (kept: IDataObject) => kept } = this.list;
		if (keeps?.(record) === false) return undefined;
		this.kept++;
		return output(record);
	}
}
