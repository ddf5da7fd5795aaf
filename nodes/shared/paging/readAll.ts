import { createHash } from 'crypto';
import type { IDataObject } from 'n8n-workflow';

import { Failure } from '../base/failure';
import type { PageClient, PagedList } from './fetchPage';
import { changesTooFast, Walk } from './walk';
import type { WalkedPage } from './walk';

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

/** The pages of a run's lists that are requested at once. */
// docs/reading.md: up to 32 at once
export const PAGES_IN_FLIGHT = 32;

// docs/reading.md: up to five readings
const MOST_READINGS = 5;

/** How often the start of the list is read again after a reading. */
const MOST_REPEATS = 20;

/**
 * Reads a whole list: a record that is there from start to end comes out exactly once, although other
 * records come and go and shift the pages. docs/reading.md has the rule and its condition.
 *
 * @throws Failure when a page fails, or when the list cannot be read whole
 */
export async function readAll(client: PageClient, list: ListToRead): Promise<IDataObject[]> {
	return await new ListReader(client, list).read();
}

interface Reading {
	walk: Walk;
	/** The total that its first response stated, and whether all others stated the same. */
	first?: number;
	isSteady: boolean;
	/** The keys of the different records that came, the number of all, and the outputs of those that come out. */
	keys: Set<string>;
	count: number;
	outputs: IDataObject[];
	/** Of everything that came, in order. */
	hash: string;
	/** How many records came again on a later page. */
	repeats: number;
}

class ListReader {
	/** The different records that came, and what comes out for each. */
	private readonly found = new Map<string, IDataObject | undefined>();
	private kept = 0;
	/** The number of records that were removed during the readings before this one. */
	private removed = 0;

	constructor(
		private readonly client: PageClient,
		private readonly list: ListToRead,
	) {}

	async read(): Promise<IDataObject[]> {
		let whole = await this.readOnce();
		for (let count = 1; ; count++) {
			const start = await this.readStart(whole);
			// promise: return-all
			if (this.isFull || this.hasAll(start)) return this.result();
			if (count === MOST_READINGS) break;
			const reading = await this.readOnce(start);
			if (whole.hash === reading.hash) return this.asCounted(reading);
			const { keys, first = 0, walk, repeats } = (whole = reading);
			// All that were there when it began came, apart from those that were removed. Others have moved no further than totals say.
			if (keys.size >= first - walk.removed && repeats <= walk.changes) return this.result();
		}
		const came = `: ${whole.keys.size} of ${whole.walk.total} records came`;
		throw changesTooFast(this.client.service.name, came);
	}

	private get isFull(): boolean {
		return this.kept >= (this.list.limit ?? Infinity);
	}

	/** Reads the start of the list again, where new records appear, until as many have come as the list counts. */
	private async readStart(whole: Reading): Promise<Reading> {
		let reading = whole;
		for (let repeat = 1; repeat <= MOST_REPEATS && !this.isFull; repeat++) {
			const known = this.found.size;
			if (this.hasAll(reading)) break;
			reading = await this.readOnce(reading, true);
			if (this.found.size === known) break;
		}
		return reading;
	}

	/** Reads the list from its start to its end, or as far as records are missing. @param isShort ends it where nothing new comes */
	private async readOnce(before?: Reading, isShort = false): Promise<Reading> {
		const { list, client } = this;
		const most = list.keeps ? Infinity : (list.limit ?? Infinity);
		const pageSize = list.pageSize && (before?.walk.pageSize ?? Math.min(most, list.pageSize));
		// Totals say how far records have moved only if pages come one after the other.
		const inFlight = before ? 1 : (list.inFlight ?? PAGES_IN_FLIGHT);
		const options = { total: before?.walk.total, most, inFlight };
		const walk = new Walk(client, { ...list, pageSize }, options);
		this.removed += before?.walk.removed ?? 0;
		const reading = {
			walk,
			isSteady: true,
			keys: new Set<string>(),
			count: 0,
			outputs: [],
			hash: '',
			repeats: 0,
		};
		for (let page = await walk.next(); page; page = await walk.next()) {
			const known = this.found.size;
			this.take(page, reading);
			if (this.isFull || (before && this.hasAll(reading))) break;
			if (isShort && this.found.size === known) break;
		}
		return reading;
	}

	private take({ records, keys, total, again }: WalkedPage, reading: Reading): void {
		const times = new Map<string, number>();
		reading.first ??= total;
		reading.isSteady &&= total === reading.first;
		for (const [i, record] of records.entries()) {
			const name = keys[i] ?? '';
			// The same record twice on one page is two records; on two pages it may be one that moved.
			const time = (times.get(name) ?? 0) + 1;
			times.set(name, time);
			const output = this.takeRecord(record, `${name} ${time}`);
			const isRepeat = reading.keys.has(`${name} ${time}`);
			reading.keys.add(`${name} ${time}`);
			if (i < again) continue;
			reading.count++;
			if (isRepeat) reading.repeats++;
			if (output) reading.outputs.push(output);
		}
		const hash = createHash('sha256').update(`${reading.hash} ${total} ${keys.join(' ')}`);
		reading.hash = hash.digest('base64url');
	}

	private takeRecord(record: IDataObject, key: string): IDataObject | undefined {
		const { keeps, output = (kept: IDataObject) => kept } = this.list;
		if (this.found.has(key)) return this.found.get(key);
		const taken = keeps?.(record) === false ? undefined : output(record);
		if (taken) this.kept++;
		this.found.set(key, taken);
		return taken;
	}

	/** Returns whether as many records came as the list counts: in all readings or in this one, without those removed. */
	private hasAll({ walk, keys }: Reading): boolean {
		const { total = 0, removed } = walk;
		return this.found.size - this.removed - removed >= total || keys.size - removed >= total;
	}

	/**
	 * Returns the records of a list that came twice in the same way, though not as many as it counts. Then it does not change: equal
	 * records without an ID are different ones, or the count is wrong.
	 *
	 * @throws Failure if records are missing, or if responses contradict each other
	 */
	private asCounted({ walk, isSteady, first, count, outputs, keys, repeats }: Reading) {
		const { name } = this.client.service;
		if (repeats > 0 && this.list.identity === undefined) {
			const message = `${name} lists ${keys.size} of ${walk.total} records, and ${repeats} of them twice`;
			throw new Failure('failed', message, {
				hint: 'Run this again, or narrow the list by a filter',
			});
		}
		if (!isSteady) {
			const message = `${name} counts ${first} records in one response and ${walk.total} in another: ${keys.size} came`;
			const hint = 'Run this again in some minutes: a response may come from a cache';
			throw new Failure('failed', message, { hint });
		}
		const { total = 0 } = walk;
		// A deleted record may be counted.
		if (count >= total - 1) return outputs;
		throw new Failure('failed', `${name} counts ${total} records, but lists only ${count}`, {
			hint: `To get those that it lists, set a limit of ${count} or less`,
		});
	}

	private result(): IDataObject[] {
		const records = [...this.found.values()].filter((output) => output !== undefined);
		return records.slice(0, this.list.limit);
	}
}
