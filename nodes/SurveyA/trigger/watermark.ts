import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod/v4';

import { isObject } from '../../shared/http/json';
import { lazy } from '../../shared/http/lazy';
import { KEY_LENGTH } from './listedRow';
import type { ListedRow } from './listedRow';

// All dates are the service's own. Its clock and n8n's may differ.

const MINUTE = 60 * 1000;
const DAY = 24 * 60 * MINUTE;

/** A row may appear in its list this much later than newer rows, in ms. */
export const OVERLAP = 10 * MINUTE;

/** The most keys to remember (400 kB). If there are more, the oldest rows count as old. */
const MOST_KNOWN = 50_000;

/** The most keys of rows without a date. If there are more, no row without a date is new. */
const MOST_UNDATED = 10_000;

/** The number of the list's oldest rows by which the account is recognized. */
const LANDMARKS = 20;

/** Stands for the moment of rows without a date in the stored data. */
const UNDATED = 'undated';

/** When each row was created, in ms, by the row's key. */
type Moments = ReadonlyMap<string, number | undefined>;

type Dated = Pick<ListedRow, 'created'>;

type State = Pick<Watermark, 'floor' | 'known' | 'total' | 'changedAt' | 'readAt' | 'landmarks'>;

/**
 * How far a list was read: everything up to `floor`, and since then the rows in `known`. A row with the same
 * date as a known one, or one that appears late, is recognized by its key. Immutable: each method returns a
 * new watermark.
 */
export class Watermark {
	/** Rows dated before this are old, in ms. */
	readonly floor: number = 0;
	/** The known rows from there on, and those without a date. */
	readonly known: Moments = new Map();
	/** The number of rows in the list at the last reading; undefined if only a part was read. */
	readonly total?: number;
	/** When the list last changed, by n8n's clock in ms. */
	readonly changedAt: number = 0;
	/** When everything since `floor` was last read, by n8n's clock in ms; 0 for never. */
	readonly readAt: number = 0;
	/** Some of the oldest rows of the list, which identify the account. */
	readonly landmarks: Moments = new Map();

	constructor(state: Partial<State>) {
		Object.assign(this, state);
	}

	with(changes: Partial<State>): Watermark {
		return new Watermark({ ...this, ...changes });
	}

	/** Returns the new rows, each once: those without a date first, then by date. */
	newAmong(rows: ListedRow[]): ListedRow[] {
		const takesUndated =
			[...this.known.values()].filter((created) => created === undefined).length < MOST_UNDATED;
		const settled = this.settledAmong(rows);
		const isNew = (row: ListedRow) =>
			(row.created === undefined ? takesUndated : row.created >= this.floor) &&
			!this.known.has(row.key) &&
			!settled.has(row);
		const fresh = new Map(rows.filter(isNew).map((row) => [row.key, row]));
		return [...fresh.values()].sort(byDate);
	}

	/** Returns the watermark that knows rows by their date if it knew them without one. */
	settled(rows: ListedRow[]): Watermark {
		const settled = this.settledAmong(rows);
		if (settled.size === 0) return this;
		const known = new Map(this.known);
		for (const { key, undatedKey = key, created } of settled) {
			known.delete(undatedKey);
			known.set(key, created);
		}
		return this.with({ known });
	}

	/** Returns the rows that were known without a date and have one now. */
	private settledAmong(rows: ListedRow[]): Set<ListedRow> {
		const settled = rows.filter(({ undatedKey = '' }) => this.known.has(undatedKey));
		if (settled.length === 0) return new Set();
		const listed = new Set(rows.map(({ key }) => key));
		return new Set(settled.filter(({ undatedKey = '' }) => !listed.has(undatedKey)));
	}

	/** Returns the watermark after a reading. */
	counted(total: number | undefined, hasNewRows: boolean): Watermark {
		const isChanged = hasNewRows || total !== this.total;
		return this.with({ total, changedAt: isChanged ? Date.now() : this.changedAt });
	}

	/**
	 * Returns the watermark after rows came out. It keeps the keys of its overlap, of rows dated in the
	 * future, and of rows without a date: the latest of them if there are too many.
	 *
	 * @param isAll false if more rows follow, maybe with the date of the last one: keep all keys
	 * @param raisesFloor false if rows may follow that are dated before these
	 */
	raised(rows: ListedRow[], isAll: boolean, raisesFloor = true): Watermark {
		if (rows.length === 0 && this.known.size <= MOST_KNOWN) return this;
		const all = [...new Map([...this.known, ...momentsOf(rows)])].map(([key, created]) => ({
			key,
			created,
		}));
		const overlap = Math.max(this.floor, raisesFloor ? newestOf(all) - OVERLAP : 0);
		const dated = all.filter(({ created = -1 }) => created >= overlap).sort(byDate);
		const crowded = isAll ? dated[dated.length - MOST_KNOWN - 1] : undefined;
		const floor = crowded ? momentOf(crowded) + 1 : overlap;
		const undated = all.filter(({ created }) => created === undefined).slice(-MOST_UNDATED);
		const kept = dated.filter((row) => momentOf(row) >= floor);
		return this.with({ floor, known: momentsOf([...undated, ...kept]) });
	}

	/** Returns whether the raised watermark would make rows old that no reading has seen. */
	leavesBehind(rows: ListedRow[], raisesFloor = true): boolean {
		const known = [...this.known.values()].map((created) => ({ created }));
		const { floor } = this.raised(rows, false, raisesFloor);
		return floor > Math.max(this.floor, newestOf(known));
	}

	/**
	 * Forgets rows dated far in the future that have left the list, since no floor ever reaches them. The newest
	 * rows of the list come newest first.
	 */
	withoutRemoved(newest: ListedRow[]): Watermark {
		const future = Date.now() + DAY;
		const isAhead = (created?: number) => created !== undefined && created > future;
		const dated = newest.filter(({ created }) => created !== undefined);
		const isSorted = dated.every((row, i) => momentOf(dated[i - 1] ?? row) >= momentOf(row));
		// All rows dated in the future are on the page only if it continues with other rows.
		if (!isSorted || dated.every(({ created }) => isAhead(created))) return this;
		const listed = new Set(newest.map(({ key }) => key));
		const kept = [...this.known].filter(([key, created]) => !isAhead(created) || listed.has(key));
		return this.with({ known: new Map(kept) });
	}

	/** Remembers the oldest rows of the list, which identify the account. */
	withLandmarks(oldest: ListedRow[]): Watermark {
		const dated = oldest.filter(({ created }) => created !== undefined);
		return this.with({ landmarks: momentsOf(dated.slice(0, LANDMARKS)) });
	}

	/** Returns whether rows belong to the list that was read: one of them is known. */
	recognizes(rows: ListedRow[]): boolean {
		return rows.some(({ key, created }) =>
			[this.known, this.landmarks].some((seen) => seen.has(key) && seen.get(key) === created),
		);
	}

	/** Returns whether the list has grown by just the new rows of a page, so that there are no others. */
	accountsFor({ rows, total }: { rows: ListedRow[]; total?: number }): boolean {
		return this.total !== undefined && total === this.total + this.newAmong(rows).length;
	}

	/**
	 * True if everything must be read again although the total accounts for all rows: a row that appears late
	 * may be hidden by one that is removed at the same time.
	 */
	get isDue(): boolean {
		return this.readAt < this.changedAt + OVERLAP && Date.now() >= this.readAt + OVERLAP;
	}

	/** Returns the watermark as n8n stores it. */
	toStored(): IDataObject {
		const { known, landmarks, ...rest } = this;
		return { ...rest, known: byMoment(known), landmarks: byMoment(landmarks) };
	}
}

/** Describes a record in n8n's static data. n8n hides a field of its own in such objects, which zod would read. */
export function storedRecord<Value extends z.ZodType>(value: Value) {
	return z.preprocess(
		(record) => (isObject(record) ? { ...record } : record),
		z.record(z.string(), value),
	);
}

const storedMoments = () =>
	storedRecord(z.string()).transform((stored) => {
		const moments = new Map<string, number | undefined>();
		for (const [moment, keys] of Object.entries(stored)) {
			const created = moment === UNDATED ? undefined : Number(moment);
			for (let at = 0; at < keys.length; at += KEY_LENGTH) {
				moments.set(keys.slice(at, at + KEY_LENGTH), created);
			}
		}
		return moments;
	});

/** Reads the result of `toStored`. */
export const storedWatermark = lazy(() =>
	z
		.object({
			floor: z.number(),
			known: storedMoments(),
			total: z.number().optional(),
			changedAt: z.number(),
			readAt: z.number(),
			landmarks: storedMoments(),
		})
		.transform((state) => new Watermark(state)),
);

/** Joins the keys of each moment in one text, which takes a few bytes a row. */
function byMoment(moments: Moments): Record<string, string> {
	const texts: Record<string, string> = {};
	for (const [key, created] of moments) {
		const moment = created === undefined ? UNDATED : String(created);
		texts[moment] = (texts[moment] ?? '') + key;
	}
	return texts;
}

/** Returns the newest moment among rows, in ms; 0 if there is none. Treats far future dates as now. */
export function newestOf(rows: Dated[]): number {
	const latest = Date.now() + OVERLAP;
	let newest = 0;
	for (const { created = 0 } of rows) if (created <= latest) newest = Math.max(newest, created);
	const isAhead = newest === 0 && rows.some(({ created = 0 }) => created > latest);
	return isAhead ? Date.now() : newest;
}

function momentsOf(rows: Array<Pick<ListedRow, 'key' | 'created'>>): Moments {
	return new Map(rows.map(({ key, created }) => [key, created]));
}

function byDate(one: Dated, other: Dated): number {
	return momentOf(one) - momentOf(other);
}

function momentOf({ created = -1 }: Dated): number {
	return created;
}
