import { now } from '../../shared/http/clock';
import type { ListedRow } from './listedRow';
import { leavesBehind, newAmong } from './watermark';
import type { Watermark } from './watermark';

/** One page of a list. */
export interface ListPage {
	rows: ListedRow[];
	/** How many rows the list has in all, where the answer tells. */
	total?: number;
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

/** How much one look at a list may take. What is left is for the next ones. */
export interface Bounds {
	/** New rows. */
	rows: number;
	/** When to read no further, by the clock of `now`. */
	until: number;
}

/** What a reading of a backlog came to. */
export interface BacklogRows {
	rows: ListedRow[];
	/** False where more rows follow. */
	isComplete: boolean;
}

/** All that most polls need. */
const FEW = 100;

/** The largest page that the service is known to grant. */
const MANY = 1000;

const MOST_READINGS = 6;

/** How many pages without any date are looked through. */
const MOST_UNDATED_PAGES = 10;

/**
 * The newest rows: one page, which no change of the list can tear apart. Where it shows only rows
 * without a date, those behind them too.
 */
export async function readNewest(read: ReadPage): Promise<ListPage> {
	const page = await read({ number: 1, size: FEW, order: 'newest first' });
	if (isWhole(page) || datedOf(page).length > 0) return page;
	return { ...page, rows: await readEnd(read, 'newest first') };
}

/**
 * One end of a list, as far as the first rows with a date. Services put those without one before all
 * others or behind them, and leave them out where rows since a moment are asked for.
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

/** Whether a page holds every row of its list that a watermark does not rule out. */
export function reachesBack(page: ListPage, mark: Watermark): boolean {
	return isWhole(page) || page.rows.some(({ created = Infinity }) => created < mark.floor);
}

/**
 * Reads rows that fit on no single page: a burst, or what came during an outage. They are read oldest
 * first: then new rows come behind what was read, and reading may end at any page without leaving a
 * gap. Rows that are removed meanwhile pull others up to a page that was read already; therefore the
 * pages are read once more against that movement, and again until a reading brings nothing new.
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

	constructor(
		private readonly read: ReadPage,
		private readonly mark: Watermark,
	) {}

	async all(newest: number, most: Bounds): Promise<BacklogRows> {
		const first = await this.page(1);
		this.size = first.rows.length;
		// A service that does not sort as it is told must be read to the end.
		const isSorted = (datedOf(first)[0]?.created ?? newest) < newest;
		const start = isSorted ? await this.startPage(first) : 1;
		let end = start;
		let hasMore = await this.take(end);
		while (hasMore && !(isSorted && this.isEnough(most))) hasMore = await this.take(++end);
		if (leavesBehind(this.mark, this.newRows())) await this.readAgain(start, end);
		return { rows: [...this.found.values()], isComplete: !hasMore };
	}

	/** At least one row: otherwise a slow service would be asked for the same ones for ever. */
	private isEnough({ rows, until }: Bounds): boolean {
		const count = this.newRows().length;
		return count >= rows || (count > 0 && now() > until);
	}

	private newRows(): ListedRow[] {
		return newAmong(this.mark, [...this.found.values()]);
	}

	/**
	 * The page at which to begin. Where the service cannot be asked for younger rows alone it is
	 * looked for from the end, in strides that double. The page before it is taken along: rows may
	 * move up to it.
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

	/** Services leave older rows out to the second, not to the millisecond. */
	private isRecent({ created = 0 }: ListedRow): boolean {
		return created >= this.mark.floor - 2000;
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

	/** Reads a page into the result. Gives whether more follow. */
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

/** Whether a page holds all rows of its list. */
export function isWhole({ rows, total }: ListPage): boolean {
	return rows.length === 0 || (total !== undefined && total <= rows.length);
}

function datedOf({ rows }: ListPage): ListedRow[] {
	return rows.filter(({ created }) => created !== undefined);
}
