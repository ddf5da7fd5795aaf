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

/** The facts of one reading. Two that are equal show that the list does not change. */
interface Reading {
	/** The number of records that came, with those that came again. */
	came: number;
	/** The least and the greatest total that its responses stated. */
	least?: number;
	greatest?: number;
	/** True if the last page had no records although the list counted some for it. */
	hasGap: boolean;
}

/**
 * Reads a whole list: a record that is there from start to end comes out exactly once, although other records come and go and
 * shift the pages. docs/reading.md has the rule and its condition.
 *
 * @returns the records, and how many the list counts, if it states that
 * @throws Failure when a page fails, or when the list cannot be read whole
 */
export async function readAll(client: PageClient, list: ListToRead) {
	const { keeps, output = (kept: IDataObject) => kept, limit = Infinity, inFlight } = list;
	const needed = keeps ? Infinity : limit;
	const pageSize = list.pageSize && Math.min(list.pageSize, needed);
	const options = { pageSize, needed, inFlight, isCounting: true };
	/** The keys of the different records that came in all readings, and what comes out for those that do. */
	const keys = new Set<string>();
	const outputs: IDataObject[] = [];
	const isFull = () => outputs.length >= limit;

	/** Takes the records of a page. */
	function take(records: IDataObject[]): void {
		const times = new Map<string, number>();
		for (const record of records) {
			const name = keyOf(list, record);
			// The same record twice on one page is two records; on two pages it may be one that moved.
			const time = (times.get(name) ?? 0) + 1;
			times.set(name, time);
			const key = `${name} ${time}`;
			if (keys.has(key)) continue;
			keys.add(key);
			if (keeps?.(record) !== false) outputs.push(output(record));
		}
	}

	/** Reads the list from its start to its end, or to its limit. */
	async function readOnce(): Promise<Reading> {
		const reading: Reading = { came: 0, hasGap: false };
		for await (const { records, total } of pages(client, list, options)) {
			take(records);
			reading.came += records.length;
			reading.hasGap = records.length === 0;
			if (total !== undefined) {
				reading.least = Math.min(reading.least ?? total, total);
				reading.greatest = Math.max(reading.greatest ?? total, total);
			}
			if (isFull()) break;
		}
		return reading;
	}

	let total: number | undefined;
	let before = '';
	for (let count = 1; count <= MOST_READINGS; count++) {
		// Records that a cache still hides may come a moment later.
		if (count > 1) await sleep(backoff(count - 1));
		const known = keys.size;
		const reading = await readOnce();
		total = reading.least;
		// promise: return-all
		const hasAll = !reading.hasGap && keys.size >= (total ?? 0);
		const isAgain = keys.size === known && JSON.stringify(reading) === before;
		const isSteady = isAgain && total === reading.greatest;
		if (hasAll || isFull() || (isSteady && list.limit !== undefined)) {
			return { records: outputs.slice(0, limit), total };
		}
		if (isSteady) throw countedMore(client, keys.size, total);
		before = JSON.stringify(reading);
	}
	throw changesTooFast(client, `: ${keys.size} of ${total} records came`);
}

function countedMore({ service }: PageClient, count: number, total?: number): Failure {
	const message = `${service.name} counts ${total} records, but lists only ${count}`;
	return new Failure('failed', message, {
		hint: `To get those that it lists, set a limit of ${count} or less`,
	});
}
