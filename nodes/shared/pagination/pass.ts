import type { IDataObject } from 'n8n-workflow';

import type { Page } from '../http/service';

export type Age = string | number | undefined;

/** Where new rows come: on the first page, or on the last one. */
export type Order = 'newest first' | 'oldest first' | undefined;

/** One pass of a list from end to end, and what it takes to judge whether it missed nothing. */
export class Pass {
	/** The identities that were read. */
	readonly seen = new Set<string>();
	/** Those of the first page, in order. */
	readonly head: string[] = [];
	/** The total that was stated first, before anything could have changed. */
	total?: number;
	/** True as long as every page states the same total. */
	isSteady = true;
	/** The age of the first page's first row: the youngest of a list with its newest rows first. */
	private youngest: Age;
	/** Rows that are not younger than that. */
	private old = 0;
	/** How many rows stood on other pages. */
	private further = 0;
	/** The last page as it was read second: its total, and the rows not younger than its last one. */
	private tail?: { total?: number; age: Age; old: number };

	/** Notes what a page states. */
	begin(page: Page, number: number): void {
		if (number === 1) this.youngest = ageOf(page.rows[0]);
		if (page.rows.length === 0) return;
		this.total ??= page.total;
		if (page.total !== this.total) this.isSteady = false;
	}

	/** Notes a row of a page. */
	add(key: string, row: IDataObject, number: number): void {
		if (number === 1) this.head.push(key);
		else this.further++;
		if (this.seen.has(key)) return;
		this.seen.add(key);
		const age = ageOf(row);
		if (!isYounger(age, this.youngest)) this.old++;
		if (this.tail && !isYounger(age, this.tail.age)) this.tail.old++;
	}

	/** From now on, rows younger than the last page's last one are not counted. */
	beginAtTail({ total, rows }: Page): void {
		// A page that was emptied meanwhile shows no youngest row: nothing can be proved by it.
		const counted = rows.length > 0 ? total : Infinity;
		this.tail = { total: counted, age: ageOf(rows.at(-1)), old: this.seen.size };
	}

	/** Whether further pages held the same rows as the first one. */
	get repeatsFirstPage(): boolean {
		return this.seen.size === this.head.length && this.further >= this.head.length;
	}

	/**
	 * Whether the count of different rows leaves room for a row that was missed. With the newest rows
	 * first, new rows only ever appear on the page that was read first. With the oldest rows first they
	 * appear on the last one, which must have been read second; then the first page is to be looked at
	 * once more, since a row may have moved there before the last one was read.
	 */
	countsAll(order: Order): boolean {
		if (this.total === undefined) return true;
		if (order === 'newest first') return this.old === this.total;
		if (this.tail === undefined) return this.isSteady && this.seen.size === this.total;
		return this.tail.old >= (this.tail.total ?? this.total);
	}
}

/** What orders rows in time: their date of creation, else their number. */
export function ageOf(row: IDataObject | undefined): Age {
	const age = row?.createdDate ?? row?.created ?? row?.created_date ?? row?.sentDate ?? row?.id;
	return typeof age === 'string' || typeof age === 'number' ? age : undefined;
}

/**
 * How a list is ordered in time, by its first page or, where that does not show it, by its last one.
 * Undefined for a list that is sorted by something else: its ages go up and down.
 */
export function orderOf(first: Page, last: Page): Order {
	const ages = first.rows.map(ageOf);
	const grows = ages.some((age, i) => i > 0 && isYounger(age, ages[i - 1]));
	const falls = ages.some((age, i) => i > 0 && isYounger(ages[i - 1], age));
	if (grows && falls) return undefined;
	if (grows) return 'oldest first';
	return falls ? 'newest first' : orderBetween(ages[0], ageOf(last.rows.at(-1)));
}

function orderBetween(head: Age, later: Age): Order {
	if (isYounger(head, later)) return 'newest first';
	return isYounger(later, head) ? 'oldest first' : undefined;
}

export function isYounger(one: Age, other: Age): boolean {
	if (one === undefined || typeof one !== typeof other) return false;
	return other !== undefined && one > other;
}
