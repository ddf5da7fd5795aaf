/** One reading of a list from end to end, with the evidence that it missed no record. */
export class Reading {
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
