import { Failure } from '../../shared/base/failure';
import type { Page } from '../../shared/http/service';
import type { PageClient } from '../../shared/paging/pages';
import { HASH_LENGTH, listed, newestFirst } from './eventLists';
import type { EventList, Listed } from './eventLists';
import type { ListState } from './memory';

const MINUTE = 60 * 1000;
const DAY = 24 * 60 * MINUTE;

/** A page size that is enough for most polls, and the largest that the service is known to accept. */
const FEW = 100;
const MANY = 1000;

const MOST_READINGS = 5;

/** How often a list that is sorted by a hidden date is read as far back as new records may be. */
const DEEP_EVERY = 10 * MINUTE;

/** The most records that one poll returns. The next poll returns the others. */
const MOST_RECORDS = 10_000;

/**
 * Returns the new records of a list, oldest first, and the state for the next poll.
 *
 * @param state from the previous poll; without one, all records of the list count as seen
 */
export async function pollList(client: PageClient, list: EventList, state?: ListState) {
	const now = Date.now();
	const seen = minutesOf(state?.seen ?? {});
	const reader = new RecentReader(client, list, now, seen, state);
	const isSettled = await reader.read();
	const { found, floor, hasDates } = reader;
	const isNew = ({ key, created }: Listed) => state && created >= floor && !seen.has(key);
	const fresh = [...found.values()].filter(isNew).sort((one, other) => one.created - other.created);
	const records = fresh.slice(0, MOST_RECORDS);
	const taken = state ? records : [...found.values()];
	// If a record may have been missed, the next poll reads as far back as this one.
	const newest = isSettled ? newestOf(taken, now) : 0;
	const isComplete = isSettled && records.length === fresh.length;
	const until = Math.max(state?.until ?? floor + list.overlap, newest);
	const next: ListState = {
		// A Start Date in the future can be corrected later.
		floor: Math.min(Math.max(floor, until - list.overlap), Math.max(now, until)),
		until,
		readAt: reader.isDeep && isComplete ? now : (state?.readAt ?? now),
		seen: {},
	};
	// Also those seen before: if the date of a record changed, it counts as seen for as long as the new date says.
	const known = [...found.values()].filter(({ key }) => seen.has(key));
	for (const { key, created } of [...known, ...taken]) seen.set(key, minuteOf(created));
	for (const [key, minute] of seen) {
		if (minute >= minuteOf(next.floor)) next.seen[minute] = (next.seen[minute] ?? '') + key;
	}
	return { records, state: next, hasDates };
}

const minuteOf = (time: number) => Math.floor(time / MINUTE);

/** Returns the minute of each key. */
function minutesOf(seen: ListState['seen']): Map<string, number> {
	const minutes = new Map<string, number>();
	for (const [minute, keys] of Object.entries(seen)) {
		for (let at = 0; at < keys.length; at += HASH_LENGTH) {
			minutes.set(keys.slice(at, at + HASH_LENGTH), Number(minute));
		}
	}
	return minutes;
}

/** Returns the newest date of records, in ms; 0 without records. A date in the future counts as now. */
function newestOf(records: Listed[], now: number): number {
	return records.reduce((newest, { created }) => Math.max(newest, Math.min(created, now)), 0);
}

/**
 * Reads a list, newest first, until a page reaches old records. If that takes more than one page, reads again until
 * nothing comes that was there when the first reading began: other records may have moved between pages meanwhile.
 */
class RecentReader {
	readonly found = new Map<string, Listed>();
	/** False if the list has records, but none with a date that can be read. A survey that waits has none. */
	hasDates = true;
	floor: number;
	/** False for a quick look at a list that is sorted by a hidden date. */
	readonly isDeep: boolean;
	/** True if the list is sorted by a date that its records do not show. */
	private readonly isHidden: boolean;
	/** The newest record when the first reading began. */
	private newest = Infinity;

	constructor(
		private readonly client: PageClient,
		private readonly list: EventList,
		private readonly now: number,
		private readonly seen: ReadonlyMap<string, number>,
		state?: ListState,
	) {
		this.isHidden = list.sort !== list.dateField;
		this.floor = state?.floor ?? -Infinity;
		// The clock may have been set back since.
		const passed = Math.abs(now - (state?.readAt ?? 0));
		this.isDeep = !this.isHidden || passed >= DEEP_EVERY;
	}

	/** Returns false if the list changes so fast that a record may have been missed. */
	async read(): Promise<boolean> {
		if ((await this.readBack(FEW, 1)).isDone) return true;
		this.newest = 0;
		for (let reading = 1; reading <= MOST_READINGS; reading++) {
			const { pages, hasMissed } = await this.readBack(MANY, Infinity);
			if (pages === 1 || !hasMissed) return true;
		}
		return false;
	}

	/** Reads pages. Returns how many, and whether a record came that an earlier reading missed. */
	private async readBack(size: number, most: number) {
		let [pages, hasMissed, isDone] = [0, false, false];
		for await (const page of newestFirst(this.client, this.list, size)) {
			const records = page.records.flatMap((data) => listed(this.list, data) ?? []);
			if (++pages === 1) this.begin(page, records);
			for (const record of records) {
				hasMissed ||= !this.found.has(record.key) && record.created <= this.newest;
				this.found.set(record.key, record);
			}
			const isWhole = page.records.length === (page.total ?? 0);
			isDone = isWhole || records.some((record) => this.isEnough(record));
			if (isDone || pages === most) break;
		}
		return { pages, hasMissed, isDone };
	}

	private begin({ total, records: all }: Page, records: Listed[]): void {
		const { isHidden } = this;
		const { dateField, overlap, path } = this.list;
		const [first, last] = [records[0], records.at(-1)];
		this.hasDates = records.length > 0 || !all.some((record) => !isHidden || record[dateField]);
		if (all.length === 0 && total) {
			throw unusable(`Survey A counts ${total} records, but lists none`);
		}
		if (first && last && first.created < last.created && !isHidden) {
			throw unusable(`Survey A does not list the newest records of ${path} first`);
		}
		const start = newestOf(records, this.now);
		this.newest ||= start;
		if (this.floor === -Infinity) {
			this.floor = records.length > 0 ? start - overlap : this.now - Math.max(DAY, overlap);
		}
	}

	private isEnough({ key, created }: Listed): boolean {
		// A list that is sorted by a hidden date may have new records behind old ones, but only for so long.
		const isPast = created < this.floor - (this.isHidden ? this.list.overlap : 0);
		return isPast || (!this.isDeep && this.seen.has(key));
	}
}

function unusable(message: string): Failure {
	return new Failure('failed', message, { hint: 'The next poll tries again' });
}
