import type { IDataObject } from 'n8n-workflow';

import type { Page } from '../http/service';

export type Age = string | number | undefined;

/** Where new rows appear: on the first page, or on the last one. */
export type Order = 'newest first' | 'oldest first' | undefined;

/** One pass over a list from end to end, and the evidence that it missed nothing. */
export class Pass {
	/** The age of each row that was read, by the row's key. */
	readonly seen = new Map<string, Age>();
	/** The keys of the first page, in order. */
	readonly head: string[] = [];
	/** The total that was stated first, before anything could have changed. */
	total?: number;
	/** True as long as every page states the same total. */
	isSteady = true;
	/** The age of the first page's first row: the youngest of a list with its newest rows first. */
	private youngest: Age;
	/** The number of rows on other pages than the first. */
	private further = 0;
	/** The last page, if it was read second: its total, and the age of its last row. */
	private tail?: { total?: number; age: Age };

	/** @param ageFields the fields that order rows in time, the best one first */
	constructor(private readonly ageFields: readonly string[]) {}

	/** Notes what a page states. */
	begin({ rows, total }: Page, number: number): void {
		if (number === 1) this.youngest = ageOf(rows[0], this.ageFields);
		if (rows.length === 0) return;
		this.total ??= total;
		if (total !== this.total) this.isSteady = false;
	}

	/** Notes a row of a page. */
	add(key: string, row: IDataObject, number: number): void {
		if (number === 1) this.head.push(key);
		else this.further++;
		if (!this.seen.has(key)) this.seen.set(key, ageOf(row, this.ageFields));
	}

	/** Counts only rows up to the last row of the last page, which was read second. */
	beginAtTail({ total, rows }: Page): void {
		// A page that was emptied in between shows no youngest row and proves nothing.
		const counted = rows.length > 0 ? total : Infinity;
		this.tail = { total: counted, age: ageOf(rows.at(-1), this.ageFields) };
	}

	/** Whether other pages held the same rows as the first one. */
	get repeatsFirstPage(): boolean {
		return this.seen.size === this.head.length && this.further >= this.head.length;
	}

	/**
	 * Returns whether the number of rows leaves no room for a missed one. With the newest rows first, new
	 * rows appear only on the first page, which is read first. With the oldest rows first they appear on the
	 * last one, which must be read second. Then the first page has to be compared once more, since a row may
	 * have moved there before the last page was read.
	 */
	countsAll(order: Order): boolean {
		if (this.total === undefined) return true;
		if (order === 'newest first') return countUpTo(this.youngest, this.seen) === this.total;
		if (this.tail === undefined) return this.isSteady && this.seen.size === this.total;
		return countUpTo(this.tail.age, this.seen) >= (this.tail.total ?? this.total);
	}

	/** The age of the youngest row that was there at the start, as far as the order shows it. */
	startOf(order: Order): Age {
		if (order === undefined) return undefined;
		return order === 'newest first' ? this.youngest : this.tail?.age;
	}
}

/** Counts the rows that are not younger than an age. */
export function countUpTo(youngest: Age, rows: ReadonlyMap<string, Age>): number {
	let count = 0;
	for (const age of rows.values()) if (!isYounger(age, youngest)) count++;
	return count;
}

/** Returns the first of the fields that orders a row in time. @internal */
export function ageOf(row: IDataObject | undefined, fields: readonly string[]): Age {
	const field = fields.find((name) => row?.[name] !== undefined && row[name] !== null);
	const age = field === undefined ? undefined : row?.[field];
	return typeof age === 'string' || typeof age === 'number' ? age : undefined;
}

/**
 * Returns how a list is ordered in time, by its first page or, if that does not show it, by its last one.
 * Undefined for a list that is sorted by something else: its ages go up and down.
 */
export function orderOf(first: Page, last: Page, fields: readonly string[]): Order {
	const ages = first.rows.map((row) => ageOf(row, fields));
	const grows = ages.some((age, i) => i > 0 && isYounger(age, ages[i - 1]));
	const falls = ages.some((age, i) => i > 0 && isYounger(ages[i - 1], age));
	if (grows && falls) return undefined;
	if (grows) return 'oldest first';
	return falls ? 'newest first' : orderBetween(ages[0], ageOf(last.rows.at(-1), fields));
}

function orderBetween(head: Age, later: Age): Order {
	if (isYounger(head, later)) return 'newest first';
	return isYounger(later, head) ? 'oldest first' : undefined;
}

/** @internal */
export function isYounger(one: Age, other: Age): boolean {
	if (one === undefined || typeof one !== typeof other) return false;
	return other !== undefined && one > other;
}
