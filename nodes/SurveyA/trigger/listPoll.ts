import { Failure } from '../../shared/base/failure';
import type { ListedRow } from './listedRow';
import { newestOf, OVERLAP, Watermark } from './watermark';

export interface ListPage {
	rows: ListedRow[];
	/** The number of rows in the list, if the response states it. */
	total?: number;
	/** How much later than its position in the list a row may be dated, in ms; 0 for a list sorted by date. */
	delay?: number;
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

/** How much one poll of a list may read. Later polls read the rest. @internal */
export interface Bounds {
	rows: number;
	/** When to stop reading, by the clock of `performance.now`. */
	until: number;
}

/** The new rows, oldest first, and the watermark for the next poll. */
interface NewRows {
	watermark: Watermark;
	rows: ListedRow[];
}

/** A page size that is enough for most polls. */
export const FEW = 100;

/** The largest page size that the service is known to accept. */
export const MANY = 1000;

/** The most times that the pages of a backlog are read. */
const MOST_READINGS = 6;

/** The most pages without any date that are read. */
const MOST_UNDATED_PAGES = 10;

const DAY = 24 * 60 * 60 * 1000;

const UNBOUNDED: Bounds = { rows: Infinity, until: Infinity };

/**
 * Finds the new rows of a list. Most polls need one request: the newest rows and the total, which proves
 * that there are no others. docs/reading.md shows the states.
 *
 * @param mark from the previous poll; without one, all rows of the list count as known
 */
export async function findNewRows(
	read: ReadPage,
	mark: Watermark | undefined,
	most: Bounds,
): Promise<NewRows> {
	const newest = await readNewest(read);
	if (mark) return await new ListPoll(read, mark.withoutRemoved(newest.rows), most).poll(newest);
	const { rows, total } = newest;
	if (rows.length === 0 && total) {
		throw new Failure('failed', `Survey A counts ${total} rows, but lists none`, {
			hint: 'Publish the workflow again later',
		});
	}
	// A response without rows and without a total may be a fault: after it, nothing older than a day is new.
	const isEmpty = rows.length === 0 && total === undefined;
	const floor = isEmpty ? Date.now() - DAY : Math.max(0, newestOf(rows) - OVERLAP);
	const start = new Watermark({ floor });
	if (isEmpty) return { watermark: start, rows: [] };
	const { watermark } = await new ListPoll(read, start, UNBOUNDED).readSinceFloor(newest);
	return { watermark, rows: [] };
}

/**
 * Reads the newest rows: one page, which no change of the list can tear apart. If it shows only rows
 * without a date, reads on behind them.
 *
 * @internal
 */
export async function readNewest(read: ReadPage): Promise<ListPage> {
	const page = await read({ number: 1, size: FEW, order: 'newest first' });
	if (isWhole(page) || page.rows.some(isDated)) return page;
	return { ...page, rows: await readEnd(read, 'newest first') };
}

/**
 * Reads one end of a list, as far as the first rows with a date. Services list rows without a date before
 * all others or after them, and leave them out when asked for rows since a moment.
 *
 * @internal
 */
export async function readEnd(read: ReadPage, order: PageRequest['order']): Promise<ListedRow[]> {
	const found: ListedRow[] = [];
	for (let number = 1; number <= MOST_UNDATED_PAGES; number++) {
		const { rows } = await read({ number, size: MANY, order });
		found.push(...rows);
		if (rows.length === 0 || rows.some(isDated)) break;
	}
	return found;
}

/** Returns whether a page holds all rows of its list. */
export function isWhole({ rows, total = Infinity }: ListPage): boolean {
	return rows.length === 0 || total <= rows.length;
}

/** Returns whether a page holds every row of its list that may be new. @internal */
export function reachesBack(page: ListPage, { floor }: Watermark): boolean {
	const { rows, delay = 0 } = page;
	return isWhole(page) || rows.some(({ created = Infinity }) => created < floor - delay);
}

/** @internal */
export class ListPoll {
	private readonly backlog = new Map<string, ListedRow>();
	/** Rows a page of the backlog, as the service grants them. */
	private pageSize = 0;

	constructor(
		private readonly read: ReadPage,
		private mark: Watermark,
		private readonly most: Bounds,
	) {}

	/** Takes the new rows from a page of the newest rows if it accounts for the growth, else reads on. */
	async poll(newest: ListPage): Promise<NewRows> {
		const page = this.mark.isDue ? undefined : await this.accountingPage(newest);
		if (page === undefined) return await this.readSinceFloor(newest);
		return this.take(oldestFirst(page), true, page);
	}

	private async accountingPage(newest: ListPage): Promise<ListPage | undefined> {
		if (this.mark.accountsFor(newest)) return newest;
		const { rows, total = 0 } = newest;
		const shown = this.mark.newAmong(rows).length;
		const mayHelp = total > (this.mark.total ?? Infinity) + shown && rows.length >= FEW;
		if (!mayHelp) return undefined;
		const page = await this.read({ number: 1, size: MANY, order: 'newest first' });
		return this.mark.accountsFor(page) ? page : undefined;
	}

	/** Reads everything since the watermark's floor. */
	async readSinceFloor(newest: ListPage): Promise<NewRows> {
		const oldest = isWhole(newest) ? oldestFirst(newest) : await readEnd(this.read, 'oldest first');
		const undated = [...newest.rows, ...oldest].filter((row) => !isDated(row));
		// Rows without a date that were there before the first reading are not new.
		if (this.mark.readAt === 0) this.mark = this.mark.raised(undated, true);
		// If the backlog was read only partly, leave out the newest rows: they would make the rest old.
		const { rows, isComplete } = reachesBack(newest, this.mark)
			? { rows: oldestFirst(newest), isComplete: true }
			: await this.readBacklog(newestOf(newest.rows));
		this.mark = this.mark.with({ readAt: Date.now() }).withLandmarks(oldest);
		return this.take([...undated, ...rows], isComplete, newest);
	}

	/** Takes the new rows, the oldest of them if there are too many for one run. */
	private take(found: ListedRow[], isComplete: boolean, { total, delay = 0 }: ListPage): NewRows {
		const fresh = this.mark.newAmong(found);
		const rows = fresh.slice(0, this.most.rows);
		const isAll = isComplete && rows.length === fresh.length;
		const counted = this.mark.settled(found).counted(isAll ? total : undefined, rows.length > 0);
		const watermark = counted.raised(rows, isAll, isAll || delay === 0);
		return {
			watermark: watermark.landmarks.size > 0 ? watermark : watermark.withLandmarks(rows),
			rows,
		};
	}

	/**
	 * Reads rows that do not fit on one page, for example after an outage. They are read oldest first: then
	 * new rows appear behind what was read, and reading may end at any page without leaving a gap. When rows
	 * are removed in between, others move up to a page that was read already. So the pages are read again in
	 * both directions, until a reading finds nothing new.
	 */
	async readBacklog(newest: number) {
		const first = await this.page(1);
		const { rows, delay = 0 } = first;
		this.pageSize = rows.length;
		// A list that is not sorted as requested must be read to the end.
		const isSorted = (rows.find(isDated)?.created ?? newest) < newest;
		const start = isSorted ? await this.startPage(first) : 1;
		let end = start;
		let hasMore = await this.add(end);
		while (hasMore && !(isSorted && this.isEnough())) hasMore = await this.add(++end);
		if (this.mark.leavesBehind(this.newRows(), !hasMore || delay === 0))
			await this.readAgain(start, end);
		return { rows: [...this.backlog.values()], isComplete: !hasMore };
	}

	/** Requires one row: a slow service would otherwise be asked for the same pages at every poll. */
	private isEnough(): boolean {
		const count = this.newRows().length;
		return count >= this.most.rows || (count > 0 && performance.now() > this.most.until);
	}

	private newRows(): ListedRow[] {
		return this.mark.newAmong([...this.backlog.values()]);
	}

	/**
	 * Finds the page at which to begin: from the end, in strides that double, unless the service leaves out
	 * old rows. Returns the page before it, since rows may move up to it.
	 */
	private async startPage({ rows, total = 0, delay = 0 }: ListPage): Promise<number> {
		// Services leave out older rows to the second, not to the millisecond.
		const since = this.mark.floor - delay - 2000;
		const dated = rows.filter(isDated);
		if (dated.length > 0 && dated.every(({ created = 0 }) => created >= since)) return 1;
		let number = Math.ceil(total / this.pageSize);
		for (let stride = 1; number > 1; stride *= 2) {
			const oldest = (await this.page(number)).rows.find(isDated);
			if (oldest?.created !== undefined && oldest.created < since) break;
			number -= stride;
		}
		return Math.max(1, number - 1);
	}

	private async readAgain(start: number, end: number): Promise<void> {
		for (let reading = 2; reading <= MOST_READINGS; reading++) {
			const known = this.backlog.size;
			for (let step = 1; step <= end - start; step++) {
				await this.add(reading % 2 === 0 ? end - step : start + step);
			}
			if (this.backlog.size === known) return;
		}
	}

	/** Adds a page to the backlog. Returns whether more pages follow. */
	private async add(number: number): Promise<boolean> {
		const known = this.backlog.size;
		const { rows, total } = await this.page(number);
		for (const row of rows) this.backlog.set(row.key, row);
		if (total === undefined) return this.backlog.size > known;
		return rows.length > 0 && number * this.pageSize < total;
	}

	private async page(number: number): Promise<ListPage> {
		return await this.read({ number, size: MANY, order: 'oldest first', floor: this.mark.floor });
	}
}

function oldestFirst({ rows }: ListPage): ListedRow[] {
	return [...rows].reverse();
}

function isDated({ created }: ListedRow): boolean {
	return created !== undefined;
}
