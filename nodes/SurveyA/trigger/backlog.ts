import { leavesBehind, newAmong, newestOf } from './watermark';
import type { ListedRow, Watermark } from './watermark';

/** One page of a list. */
export interface ListPage {
	rows: ListedRow[];
	/** How many rows there are, those without a date included. */
	count: number;
	/** How many rows the list has in all, where the answer tells. */
	total?: number;
}

export interface PageRequest {
	/** From 1. */
	number: number;
	size: number;
	order: 'newest first' | 'oldest first';
	/** Rows created before this moment may be left out, in ms. */
	floor?: number;
}

export type ReadPage = (request: PageRequest) => Promise<ListPage>;

/** How much one look at a list may take. What is left is for the next ones. */
export interface Bounds {
	/** New rows. */
	rows: number;
	/** When to read no further, in ms since 1970. */
	until: number;
}

/** All that most polls need. */
const FEW = 100;

/** The largest page that the service is known to grant. */
const MANY = 1000;

const MOST_READINGS = 6;

/** The newest rows: one page, which no change of the list can tear apart. */
export async function readNewest(read: ReadPage, floor?: number): Promise<ListPage> {
	return await read({ number: 1, size: FEW, order: 'newest first', floor });
}

/** Reads the rows that a watermark does not rule out: all of them, or the oldest in their bounds. */
export async function readSince(
	read: ReadPage,
	mark: Watermark,
	most: Bounds,
): Promise<ListedRow[]> {
	const newest = await readNewest(read, mark.floor);
	const isAll = isWhole(newest) || newest.rows.some(({ created }) => created < mark.floor);
	return isAll ? newest.rows : await new Backlog(read, mark).all(newestOf(newest.rows), most);
}

/**
 * Rows that fit on no single page: a burst, or what came during an outage. They are read oldest
 * first: then new rows come behind what was read, and reading may end at any page without leaving a
 * gap. Rows that are removed meanwhile pull others up to a page that was read already; therefore the
 * pages are read once more against that movement, and again until a reading brings nothing new.
 */
class Backlog {
	private readonly found = new Map<string, ListedRow>();
	private size = 0;

	constructor(
		private readonly read: ReadPage,
		private readonly mark: Watermark,
	) {}

	/** @param newest the moment of the newest row */
	async all(newest: number, most: Bounds): Promise<ListedRow[]> {
		const first = await this.page(1);
		this.size = first.count;
		// A service that does not sort as it is told must be read to the end.
		const isSorted = (first.rows[0]?.created ?? newest) < newest;
		const start = isSorted ? await this.startPage(first) : 1;
		let end = start;
		while ((await this.take(end)) && !(isSorted && this.isEnough(most))) end++;
		if (leavesBehind(this.mark, this.newRows())) await this.readAgain(start, end);
		return [...this.found.values()];
	}

	/** At least one row: otherwise a slow service would be asked for the same ones for ever. */
	private isEnough({ rows, until }: Bounds): boolean {
		const count = this.newRows().length;
		return count >= rows || (count > 0 && Date.now() > until);
	}

	private newRows(): ListedRow[] {
		return newAmong(this.mark, [...this.found.values()]);
	}

	/**
	 * The page at which to begin. Where the service cannot be asked for younger rows alone it is
	 * looked for from the end, in strides that double. The page before it is taken along: rows may
	 * move up to it.
	 */
	private async startPage({ rows, total = 0 }: ListPage): Promise<number> {
		if (rows.every(({ created }) => this.isRecent(created))) return 1;
		let number = Math.ceil(total / this.size);
		for (let stride = 1; number > 1; stride *= 2) {
			const [oldest] = (await this.page(number)).rows;
			if (oldest && !this.isRecent(oldest.created)) break;
			number -= stride;
		}
		return Math.max(1, number - 1);
	}

	/** Services leave older rows out to the second, not to the millisecond. */
	private isRecent(created: number): boolean {
		return created >= this.mark.floor - 2000;
	}

	private async readAgain(start: number, end: number): Promise<void> {
		for (let reading = 2; end > start && reading <= MOST_READINGS; reading++) {
			const known = this.found.size;
			for (let step = 1; step <= end - start; step++) {
				await this.take(reading % 2 === 0 ? end - step : start + step);
			}
			if (this.found.size === known) return;
		}
	}

	/** Reads a page into the result. Gives whether more follow. */
	private async take(number: number): Promise<boolean> {
		const known = this.found.size;
		const { rows, count, total } = await this.page(number);
		for (const row of rows) this.found.set(row.id, row);
		if (total === undefined) return this.found.size > known;
		return count > 0 && number * this.size < total;
	}

	private async page(number: number): Promise<ListPage> {
		const { floor } = this.mark;
		return await this.read({ number, size: MANY, order: 'oldest first', floor });
	}
}

/** Whether a page holds all rows of its list. */
function isWhole({ count, total }: ListPage): boolean {
	return count === 0 || (total !== undefined && total <= count);
}
