/** One reading of a list from end to end, with the evidence that it missed no row. */
export class Reading {
	/** The number of different rows that came. */
	size = 0;
	/** The total that the last response stated. */
	last = 0;
	/** The largest total that a response stated. */
	most = 0;
	private least = Infinity;
	/** True if a row was certainly removed, so that the number of rows proves nothing. */
	private hasShrunk = false;
	/** True if two neighboring pages never fitted together, so that a row may be missing. */
	isTorn = false;
	/** True if another page than the first has its rows. */
	isRepeating = false;
	/** What each page stated last. */
	private readonly totals = new Map<number, number>();

	/** @param most the largest total that was known when the page was requested */
	note(page: number, total: number, most: number): void {
		this.totals.set(page, total);
		this.last = total;
		this.least = Math.min(this.least, total);
		this.most = Math.max(this.most, total);
		this.hasShrunk ||= total < most;
	}

	/** True if as many rows came as the last response states. */
	get hasAll(): boolean {
		return this.size >= this.last;
	}

	/** Returns whether a row may have moved between a page and the next one unseen. */
	fallsAfter(page: number): boolean {
		return (this.totals.get(page) ?? 0) > (this.totals.get(page + 1) ?? Infinity);
	}

	/** Returns whether no row that was there all the time can be missing. */
	isComplete(pageSize: number): boolean {
		// Rows that move by a whole page can pass one that is read twice.
		const mayPass = this.hasShrunk && this.most - this.least >= pageSize;
		return this.hasAll && !this.isTorn && !mayPass;
	}
}
