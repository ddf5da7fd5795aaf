import type { ListedRow } from './listedRow';
import type { Watermark } from './watermark';

/** One page of a list. */
export interface ListPage {
	rows: ListedRow[];
	/** How many rows the list has in all, if the response says so. */
	total?: number;
	/** How much later than its place in the list a row may be dated, in ms; 0 for a list sorted by date. */
	delay?: number;
}

export interface PageRequest {
	/** From 1. */
	number: number;
	size: number;
	order: Order;
	/** Rows created before this moment may be left out, in ms. */
	floor?: number;
}

type Order = 'newest first' | 'oldest first';

export type ReadPage = (request: PageRequest) => Promise<ListPage>;

/** How much one look at a list may take. The rest is left for the next ones. */
export interface Bounds {
	/** New rows. */
	rows: number;
	/** When to stop reading, by the clock of `now`. */
	until: number;
}

/** The rows of a backlog. */
export interface BacklogRows {
	rows: ListedRow[];
	/** False if more rows follow. */
	isComplete: boolean;
}

/** Enough for most polls. */
export const FEW = 100;

/** The largest page that the service is known to grant. */
export const MANY = 1000;

const MOST_READINGS = 6;

/** How many pages without any date are read. */
const MOST_UNDATED_PAGES = 10;

/**
 * Reads the newest rows: one page, which no change of the list can tear apart. If it shows only rows
 * without a date, reads on behind them.
 */
export async function readNewest(read: ReadPage): Promise<ListPage> {
	const page = await read({ number: 1, size: FEW, order: 'newest first' });
	if (isWhole(page) || datedOf(page).length > 0) return page;
	return { ...page, rows: await readEnd(read, 'newest first') };
}

/**
 * Reads one end of a list, as far as the first rows with a date. Services put rows without one before
 * all others or behind them, and leave them out when asked for rows since a moment.
 */
export async function readEnd(read: ReadPage, order: Order): Promise<ListedRow[]> {
	const found: ListedRow[] = [];
	for (let number = 1; number <= MOST_UNDATED_PAGES; number++) {
		const page = await read({ number, size: MANY, order });
		found.push(...page.rows);
		if (page.rows.length === 0 || datedOf(page).length > 0) break;
	}
	return found;
}

/** Returns whether a page holds every row of its list that may be new. */
export function reachesBack(page: ListPage, { floor }: Watermark): boolean {
	const { rows, delay = 0 } = page;
	return isWhole(page) || rows.some(({ created = Infinity }) => created < floor - delay);
}

/**
 * Reads rows that do not fit on one page: a burst, or an outage's. They are read oldest first: then new
 * rows come behind what was read, and reading may end at any page without leaving a gap. When rows are
 * removed in between, others move up to a page that was read already. So the pages are read once more
 * against that movement, and again until a reading brings nothing new.
 *
 * @param newest the moment of the newest row
 */
export async function readBacklog(
	read: ReadPage,
	mark: Watermark,
	newest: number,
	most: Bounds,
): Promise<BacklogRows> {
	return await new Backlog(read, mark).all(newest, most);
}

class Backlog {
	private readonly found = new Map<string, ListedRow>();
	private size = 0;
	private delay = 0;

	constructor(
		private readonly read: ReadPage,
		private readonly mark: Watermark,
	) {}

	async all(newest: number, most: Bounds): Promise<BacklogRows> {
		const first = await this.page(1);
		this.size = first.rows.length;
		this.delay = first.delay ?? 0;
		// A list that is not sorted as requested must be read to the end.
		const isSorted = (datedOf(first)[0]?.created ?? newest) < newest;
		const start = isSorted ? await this.startPage(first) : 1;
		let end = start;
		let hasMore = await this.take(end);
		while (hasMore && !(isSorted && this.isEnough(most))) hasMore = await this.take(++end);
		const raisesFloor = !hasMore || this.delay === 0;
		if (this.mark.leavesBehind(this.newRows(), raisesFloor)) await this.readAgain(start, end);
		return { rows: [...this.found.values()], isComplete: !hasMore };
	}

	/** Requires one row: a slow service would otherwise be asked for the same pages for ever. */
	private isEnough({ rows, until }: Bounds): boolean {
		const count = this.newRows().length;
		return count >= rows || (count > 0 && performance.now() > until);
	}

	private newRows(): ListedRow[] {
		return this.mark.newAmong([...this.found.values()]);
	}

	/**
	 * Finds the page at which to begin: from the end, in strides that double, unless the service leaves
	 * out old rows. The page before it is read too, since rows may move up to it.
	 */
	private async startPage(first: ListPage): Promise<number> {
		const dated = datedOf(first);
		if (dated.length > 0 && dated.every((row) => this.isRecent(row))) return 1;
		let number = Math.ceil((first.total ?? 0) / this.size);
		for (let stride = 1; number > 1; stride *= 2) {
			const [oldest] = datedOf(await this.page(number));
			if (oldest && !this.isRecent(oldest)) break;
			number -= stride;
		}
		return Math.max(1, number - 1);
	}

	/** Services leave out older rows to the second, not to the millisecond. */
	private isRecent({ created = 0 }: ListedRow): boolean {
		return created >= this.mark.floor - this.delay - 2000;
	}

	private async readAgain(start: number, end: number): Promise<void> {
		for (let pass = 2; end > start && pass <= MOST_READINGS; pass++) {
			const known = this.found.size;
			for (let step = 1; step <= end - start; step++) {
				await this.take(pass % 2 === 0 ? end - step : start + step);
			}
			if (this.found.size === known) return;
		}
	}

	/** Reads a page into the result. Returns whether more follow. */
	private async take(number: number): Promise<boolean> {
		const known = this.found.size;
		const { rows, total } = await this.page(number);
		for (const row of rows) this.found.set(row.key, row);
		if (total === undefined) return this.found.size > known;
		return rows.length > 0 && number * this.size < total;
	}

	private async page(number: number): Promise<ListPage> {
		const { floor } = this.mark;
		return await this.read({ number, size: MANY, order: 'oldest first', floor });
	}
}

/** Returns whether a page holds all rows of its list. */
export function isWhole({ rows, total }: ListPage): boolean {
	return rows.length === 0 || (total !== undefined && total <= rows.length);
}

function datedOf({ rows }: ListPage): ListedRow[] {
	return rows.filter(({ created }) => created !== undefined);
}
