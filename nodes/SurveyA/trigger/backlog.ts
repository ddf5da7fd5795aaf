import { newestOf } from './watermark';
import type { Arrival } from './watermark';

/** One page of a list. */
export interface ListPage {
	rows: Arrival[];
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

/** Whether the rows read so far are enough. */
export type IsEnough = (rows: Arrival[]) => boolean;

/** All that most polls need. */
const FEW = 100;

/** The largest page that the service is known to grant. */
const MANY = 1000;

const MOST_READINGS = 6;

/** The newest rows: one page, which no change of the list can tear apart. */
export async function readNewest(read: ReadPage, floor?: number): Promise<ListPage> {
	return await read({ number: 1, size: FEW, order: 'newest first', floor });
}

/**
 * Reads the rows created since a moment: all of them, or the oldest until they are enough.
 *
 * @param isEnough asked after each page, with all rows so far
 */
export async function readSince(
	read: ReadPage,
	floor: number,
	isEnough: IsEnough,
): Promise<Arrival[]> {
	const newest = await readNewest(read, floor);
	if (isWhole(newest) || newest.rows.some(({ created }) => created < floor)) return newest.rows;
	return await new Backlog(read, floor).all(newestOf(newest.rows), isEnough);
}

/**
 * Rows that fit on no single page: a burst, or what came during an outage. They are read oldest
 * first: then new rows come behind what was read, and reading may end at any page without leaving a
 * gap. Rows that are removed meanwhile pull others up to a page that was read already; therefore the
 * pages are read once more against that movement, and again until a reading brings nothing new.
 */
class Backlog {
	private readonly found = new Map<string, Arrival>();
	private size = 0;

	constructor(
		private readonly read: ReadPage,
		private readonly floor: number,
	) {}

	/** @param newest the moment of the newest row */
	async all(newest: number, isEnough: IsEnough): Promise<Arrival[]> {
		const first = await this.page(1);
		this.size = first.rows.length;
		// A service that does not sort as it is told must be read to the end.
		const isSorted = (first.rows[0]?.created ?? newest) < newest;
		const start = isSorted ? await this.startPage(first) : 1;
		let end = start;
		while ((await this.take(end)) && !(isSorted && isEnough(this.rows()))) end++;
		await this.readAgain(start, end);
		return this.rows();
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
		return created >= this.floor - 2000;
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
		const { rows, total } = await this.page(number);
		for (const row of rows) this.found.set(row.id, row);
		if (total === undefined) return this.found.size > known;
		return rows.length > 0 && number * this.size < total;
	}

	private async page(number: number): Promise<ListPage> {
		return await this.read({ number, size: MANY, order: 'oldest first', floor: this.floor });
	}

	private rows(): Arrival[] {
		return [...this.found.values()];
	}
}

/** Whether a page holds all rows of its list. */
function isWhole({ rows, total }: ListPage): boolean {
	return rows.length === 0 || (total !== undefined && total <= rows.length);
}
