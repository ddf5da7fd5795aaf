import type { IDataObject } from 'n8n-workflow';

import type { Page } from '../http/service';

export type Age = string | number | undefined;

/** The end of a list at which new rows appear: the first page or the last one. */
export type Order = 'newest first' | 'oldest first' | undefined;

export interface FoundRow {
	age: Age;
	/** The page on which it was found first. */
	page: number;
	/** The last sweep that read it. */
	sweep: Sweep;
	output?: IDataObject;
}

/** One reading of a list from end to end, with the evidence that it missed no row. */
export class Sweep {
	/** The keys of the first page, in order. */
	readonly head: string[] = [];
	/** The total that was stated first, before the list could change. */
	total?: number;
	/** True as long as every page states the same total. */
	isSteady = true;
	/** The age of the newest row that was there at the start, and the total then. */
	private start: { age?: Age; total?: number } = {};
	/** The number of rows on pages after the first. */
	private later = 0;

	/**
	 * @param rows the rows of all sweeps, by key
	 * @param ageFields the fields that order rows in time, the best one first
	 */
	constructor(
		private readonly rows: Map<string, FoundRow>,
		private readonly ageFields: readonly string[],
	) {}

	begin({ rows, total }: Page, number: number): void {
		if (number === 1) this.start = { age: ageOf(rows[0], this.ageFields) };
		if (rows.length === 0) return;
		this.total ??= total;
		if (total !== this.total) this.isSteady = false;
	}

	/** Counts only rows up to the last row of the last page, which was read second. */
	beginAtTail({ total, rows }: Page): void {
		// If the last page was emptied in between, its newest row is unknown, and no count proves anything.
		const counted = rows.length > 0 ? total : Infinity;
		this.start = { age: ageOf(rows.at(-1), this.ageFields), total: counted };
	}

	/** Adds a row. Returns its entry if no sweep has read it before. */
	add(key: string, row: IDataObject, page: number): FoundRow | undefined {
		if (page === 1) this.head.push(key);
		else this.later++;
		const known = this.rows.get(key);
		const found = known ?? { age: ageOf(row, this.ageFields), page, sweep: this };
		found.sweep = this;
		this.rows.set(key, found);
		return known ? undefined : found;
	}

	/** The number of rows that this sweep was the last to read. */
	get size(): number {
		return this.countUpTo(undefined);
	}

	/** True if the later pages hold the same rows as the first one. */
	get repeatsFirstPage(): boolean {
		return this.size === this.head.length && this.later >= this.head.length;
	}

	/**
	 * Returns whether the number of rows leaves no room for a missed one. If the newest rows come first, new
	 * rows appear only on the first page, which is read first. If the oldest come first, they appear on the
	 * last page, which must be read second. Then the first page must be compared once more, since a row may
	 * have moved there before the last page was read.
	 */
	countsAll(order: Order): boolean {
		if (this.total === undefined) return true;
		const count = this.countUpTo(this.startOf(order));
		if (order === 'oldest first') return count >= (this.start.total ?? this.total);
		return count === this.total && (order === 'newest first' || this.isSteady);
	}

	/** Returns the age of the newest row that was there at the start, if the order shows it. */
	startOf(order: Order): Age {
		return order && this.start.age;
	}

	private countUpTo(newest: Age): number {
		return countUpTo(newest, this.rows, this);
	}
}

/** Counts the rows that are not newer than an age, optionally those of one sweep. */
export function countUpTo(newest: Age, rows: ReadonlyMap<string, FoundRow>, only?: Sweep): number {
	let count = 0;
	for (const { age, sweep } of rows.values()) {
		if ((only === undefined || sweep === only) && !isNewer(age, newest)) count++;
	}
	return count;
}

/** Returns the first of the fields that orders a row in time. @internal */
export function ageOf(row: IDataObject | undefined, fields: readonly string[]): Age {
	const age = fields
		.map((name) => row?.[name])
		.find((value) => value !== undefined && value !== null);
	return typeof age === 'string' || typeof age === 'number' ? age : undefined;
}

/**
 * Returns how a list is ordered in time, by its first page or, if that does not show it, by its last one.
 * Undefined for a list that is sorted by something else: its ages go up and down.
 */
export function orderOf(first: Page, last: Page, fields: readonly string[]): Order {
	const ages = first.rows.map((row) => ageOf(row, fields));
	const grows = ages.some((age, i) => isNewer(age, ages[i - 1]));
	const falls = ages.some((age, i) => isNewer(ages[i - 1], age));
	if (grows && falls) return undefined;
	const later = ageOf(last.rows.at(-1), fields);
	if (grows || (!falls && isNewer(later, ages[0]))) return 'oldest first';
	return falls || isNewer(ages[0], later) ? 'newest first' : undefined;
}

/** @internal */
export function isNewer(one: Age, other: Age): boolean {
	if (one === undefined || typeof one !== typeof other) return false;
	return other !== undefined && one > other;
}
