import { Failure } from '../../shared/base/failure';
import type { Page } from '../../shared/http/service';
import { listed } from './eventLists';
import type { EventList, Listed } from './eventLists';

const MINUTE = 60 * 1000;
const DAY = 24 * 60 * MINUTE;

/** How far a list was read. */
export interface ListState {
	/** Records dated before this are old, in ms. */
	floor: number;
	/** The newest date that was read. */
	until: number;
	/** The minute of each record that was seen since `floor`, by its key. */
	seen: ReadonlyMap<string, number>;
	/** When the list was last read back to `floor`, by n8n's clock. */
	readAt: number;
}

/** Opens a list, the newest records first. */
type OpenList = (pageSize: number) => AsyncIterable<Page>;

/** A page size that is enough for most polls, and the largest that the service is known to accept. */
const FEW = 100;
const MANY = 1000;

const MOST_READINGS = 5;

/** How often a list that is sorted by a hidden date is read back to `floor`. */
const DEEP_EVERY = 10 * MINUTE;

/** The most records that one poll returns. The next poll returns the others. */
const MOST_ROWS = 10_000;

/**
 * Returns the new records of a list, oldest first, and the state for the next poll.
 *
 * @param state from the previous poll; without one, all records of the list count as seen
 */
export async function pollList(list: EventList, open: OpenList, state?: ListState) {
	const now = Date.now();
	const reader = new RecentReader(list, open, now, state);
	const isSettled = await reader.read();
	const { found, floor } = reader;
	const fresh = [...found.values()].filter(
		({ key, created }) => created >= floor && state && !state.seen.has(key),
	);
	const rows = fresh.sort((one, other) => one.created - other.created).slice(0, MOST_ROWS);
	const taken = state ? rows : [...found.values()];
	// If a record may have been missed, the next poll reads as far back as this one.
	const newest = isSettled ? newestOf(taken, now) : 0;
	const until = Math.max(state?.until ?? floor + list.overlap, newest);
	const next = {
		floor: Math.max(floor, until - list.overlap),
		until,
		readAt: reader.isDeep ? now : (state?.readAt ?? now),
	};
	const seen = new Map(state?.seen);
	for (const { key, created } of taken) seen.set(key, Math.floor(created / MINUTE));
	for (const [key, minute] of seen) if (minute < Math.floor(next.floor / MINUTE)) seen.delete(key);
	return { rows, state: { ...next, seen } };
}

/** Returns the newest date of records, in ms; 0 if there is none. A date far in the future counts as now. */
function newestOf(rows: Iterable<Listed>, now: number): number {
	let [newest, hasFuture] = [0, false];
	for (const { created } of rows) {
		if (created > now + 10 * MINUTE) hasFuture = true;
		else newest = Math.max(newest, created);
	}
	return newest === 0 && hasFuture ? now : newest;
}

/**
 * Reads a list, newest first, until a page reaches old records. If that takes more than one page, reads again until
 * nothing comes that was there when the first reading began: other records may have moved between pages meanwhile.
 */
class RecentReader {
	readonly found = new Map<string, Listed>();
	floor: number;
	/** False for a quick look at a list that is sorted by a hidden date. */
	readonly isDeep: boolean;
	/** Reading ends at records dated before this. */
	private reach: number;
	/** The newest record when the first reading began. */
	private newest = Infinity;

	constructor(
		private readonly list: EventList,
		private readonly open: OpenList,
		private readonly now: number,
		private readonly state?: ListState,
	) {
		this.floor = state?.floor ?? -Infinity;
		// A list that is sorted by a hidden date may have new records behind old ones, but only for so long.
		this.reach = state
			? Math.min(this.floor, list.isSortedByHiddenDate ? state.until - list.overlap : Infinity)
			: -Infinity;
		this.isDeep = !list.isSortedByHiddenDate || !state || now - state.readAt >= DEEP_EVERY;
	}

	/** Returns false if the list changes so fast that a record may have been missed. */
	async read(): Promise<boolean> {
		if ((await this.readBack(FEW, 1)).isDone) return true;
		this.newest = 0;
		for (let reading = 1; reading <= MOST_READINGS; reading++) {
			const { pages, missed } = await this.readBack(MANY, Infinity);
			if (pages === 1 || (reading > 1 && missed === 0)) return true;
		}
		return false;
	}

	/** Reads pages. Returns how many, and how many records came that an earlier reading missed. */
	private async readBack(size: number, most: number) {
		let [pages, missed] = [0, 0];
		for await (const page of this.open(size)) {
			const rows = page.rows.flatMap((data) => listed(this.list, data) ?? []);
			if (++pages === 1) this.begin(page, rows);
			for (const row of rows) {
				if (!this.found.has(row.key) && row.created <= this.newest) missed++;
				this.found.set(row.key, row);
			}
			if (rows.some((row) => this.isEnough(row))) return { pages, missed, isDone: true };
			const isWhole = page.rows.length === 0 || page.total === page.rows.length;
			if (pages === most) return { pages, missed, isDone: isWhole };
		}
		return { pages, missed, isDone: true };
	}

	private begin({ total, rows: all }: Page, rows: Listed[]): void {
		const [first, last] = [rows[0], rows.at(-1)];
		if (all.length === 0 && total) {
			throw unusable(`Survey A counts ${total} records, but lists none`);
		}
		if (first && last && first.created < last.created && !this.list.isSortedByHiddenDate) {
			throw unusable(`Survey A does not list the newest records of ${this.list.path} first`);
		}
		const start = newestOf(rows, this.now);
		this.newest ||= start;
		if (this.floor === -Infinity) {
			const { overlap } = this.list;
			this.floor = rows.length > 0 ? start - overlap : this.now - Math.max(DAY, overlap);
			this.reach = this.floor;
		}
	}

	private isEnough({ key, created }: Listed): boolean {
		return created < this.reach || (!this.isDeep && this.state?.seen.has(key) === true);
	}
}

function unusable(message: string): Failure {
	return new Failure('failed', message, { hint: 'The next poll tries again' });
}
