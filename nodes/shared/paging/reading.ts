import type { Page } from '../http/service';

/** From this reading on, removals are allowed, and rows that appeared after its start may be missing. */
const LENIENT_FROM = 3;

/** One reading of a list from end to end, with the evidence that it missed no row. */
export class Reading {
	/** The total that the last response stated. */
	last?: number;
	/** The largest total that a response stated. */
	most = 0;
	/** True if two neighboring pages never fitted together, so that a row may be missing. */
	isTorn = false;
	/** True as long as all responses state the same total. */
	isSteady = true;
	/** Pages in a row without a new row. */
	useless = 0;
	private first?: number;
	/** True if a row was certainly removed. */
	private hasShrunk = false;
	private readonly keys = new Set<string>();
	/** What each page stated last. */
	private readonly totals = new Map<number, number | undefined>();
	private pageLength = 0;

	/** @param most the largest total that was known when the page was requested */
	note(number: number, { rows, total }: Page, keys: string[], most: number): void {
		const known = this.keys.size;
		for (const key of keys) this.keys.add(key);
		this.useless = this.keys.size > known ? 0 : this.useless + 1;
		if (number === 1) this.pageLength = rows.length;
		if (number === 1 || rows.length > 0) this.totals.set(number, total);
		if (total === undefined) return;
		this.first ??= total;
		this.isSteady &&= total === this.first;
		this.hasShrunk ||= total < most;
		this.most = Math.max(this.most, total);
		this.last = total;
	}

	/** The number of different rows that came. */
	get size(): number {
		return this.keys.size;
	}

	/** True if as many rows came as the last response states. */
	get hasAll(): boolean {
		return this.size >= (this.last ?? 0);
	}

	/** Returns whether a row may have moved between a page and the next one unseen. */
	fallsAfter(number: number): boolean {
		return (this.totals.get(number) ?? 0) > (this.totals.get(number + 1) ?? Infinity);
	}

	/** Returns whether no row that was there all the time can be missing. @param number from 1 */
	isComplete(number: number, pageSize: number): boolean {
		const { first = 0 } = this;
		if (this.isTorn) return false;
		const isLenient = number >= LENIENT_FROM && this.most < first + pageSize;
		return isLenient ? this.size >= first : this.hasAll && !this.hasShrunk;
	}

	equals({ keys }: Reading): boolean {
		return keys.size === this.size && [...keys].every((key) => this.keys.has(key));
	}

	/** True if the list did not change, and its other pages show the rows of the first one. */
	get repeatsFirstPage(): boolean {
		return this.isSteady && this.totals.has(2) && this.size <= this.pageLength;
	}
}
