import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod/v4';

import { isObject } from '../../shared/http/json';
import { lazy } from '../../shared/http/lazy';
import { KEY_LENGTH } from './listedRow';
import type { ListedRow } from './listedRow';

// All dates are the service's own: its clock and n8n's need not agree.

const MINUTE = 60 * 1000;
const DAY = 24 * 60 * MINUTE;

/** A row may appear in its list this much later than rows that are younger, in ms. @internal */
export const OVERLAP = 10 * MINUTE;

/** The most keys that are remembered, as 400 kB. Of more, the oldest rows count as old. */
const MOST_KNOWN = 50_000;

/** The most keys of rows without a date. When there are more, none of them counts as new. */
const MOST_UNDATED = 10_000;

/** The number of the list's oldest rows by which the account is recognized. */
const LANDMARKS = 20;

/** The key of rows without a date in what n8n stores. */
const UNDATED = 'undated';

/** When each row was created, in ms, by the row's key. */
type Moments = ReadonlyMap<string, number | undefined>;

interface State {
	floor: number;
	known?: Moments;
	total?: number;
	changedAt?: number;
	readAt?: number;
	landmarks?: Moments;
}

/**
 * How far a list was read: everything up to `floor`, and since then the rows in `known`. So a row that
 * has the same date as a known one, or appears late, is recognized by its key. Never changes: each
 * method returns a new watermark. docs/reading.md shows the states.
 */
export class Watermark {
	/** Rows dated before this are old, in ms. */
	readonly floor: number;
	/** The known rows from there on, and those without a date. */
	readonly known: Moments;
	/** How many rows the list had when it was read last; undefined after a part of it. */
	readonly total?: number;
	/** When the list last changed, by n8n's clock in ms. */
	readonly changedAt: number;
	/** When everything since `floor` was read last, by n8n's clock in ms; 0 for never. */
	readonly readAt: number;
	/** Some of the oldest rows of the list: they show whose list it is. */
	readonly landmarks: Moments;

	constructor(state: State) {
		this.floor = state.floor;
		this.known = state.known ?? new Map();
		this.total = state.total;
		this.changedAt = state.changedAt ?? 0;
		this.readAt = state.readAt ?? 0;
		this.landmarks = state.landmarks ?? new Map();
	}

	with(changes: Partial<State>): Watermark {
		return new Watermark({ ...this, ...changes });
	}

	/** Returns the new rows, each once: those without a date first, then by date, then as they came. */
	newAmong(rows: ListedRow[]): ListedRow[] {
		const takesUndated = countUndated(this.known) < MOST_UNDATED;
		const dated = this.datedSince(rows);
		const fresh = new Map<string, ListedRow>();
		for (const row of rows) {
			const isOld = row.created === undefined ? !takesUndated : row.created < this.floor;
			if (!isOld && !this.known.has(row.key) && !dated.has(row)) fresh.set(row.key, row);
		}
		return [...fresh.values()].sort(byDate);
	}

	/** Knows rows by their date that were known without one. */
	settled(rows: ListedRow[]): Watermark {
		const dated = this.datedSince(rows);
		if (dated.size === 0) return this;
		const known = new Map(this.known);
		for (const { key, undatedKey = key, created } of dated) {
			known.delete(undatedKey);
			known.set(key, created);
		}
		return this.with({ known });
	}

	/** The rows that were known without a date and have got one since. */
	private datedSince(rows: ListedRow[]): Set<ListedRow> {
		const isKnown = ({ undatedKey }: ListedRow) =>
			undatedKey !== undefined && this.known.has(undatedKey);
		const dated = rows.filter(isKnown);
		if (dated.length === 0) return new Set();
		const listed = new Set(rows.map(({ key }) => key));
		return new Set(dated.filter(({ undatedKey = '' }) => !listed.has(undatedKey)));
	}

	/**
	 * Returns the watermark after rows came out. It keeps the keys of its overlap, of rows dated ahead, and
	 * of rows without a date: the latest of them if there are too many.
	 *
	 * @param isAll false if more rows follow, maybe with the date of the last one: keep all keys
	 * @param raisesFloor false if rows may follow that are dated before these
	 */
	raised(rows: ListedRow[], isAll: boolean, raisesFloor = true): Watermark {
		if (rows.length === 0 && this.known.size <= MOST_KNOWN) return this;
		const all = new Map(this.known);
		for (const { key, created } of rows) all.set(key, created);
		const places = [...all].map(([key, created]) => ({ key, created }));
		const reached = raisesFloor ? newestOf(places) - OVERLAP : 0;
		const overlap = Math.max(this.floor, reached);
		const dated = places.filter(({ created = -1 }) => created >= overlap).sort(byDate);
		const crowded = isAll ? dated[dated.length - MOST_KNOWN - 1] : undefined;
		const floor = crowded ? momentOf(crowded) + 1 : overlap;
		const kept = dated.filter((place) => momentOf(place) >= floor);
		const undated = places.filter(({ created }) => created === undefined).slice(-MOST_UNDATED);
		const known = new Map([...undated, ...kept].map(({ key, created }) => [key, created]));
		return this.with({ floor, known });
	}

	/** Whether the raised watermark makes rows old that no reading has seen. */
	leavesBehind(rows: ListedRow[], raisesFloor = true): boolean {
		const known = [...this.known.values()].map((created) => ({ created }));
		const raised = this.raised(rows, false, raisesFloor);
		return raised.floor > Math.max(this.floor, newestOf(known));
	}

	/**
	 * Forgets rows dated far ahead that have left the list: no floor ever reaches them.
	 *
	 * @param newest the newest rows of the list, the youngest first
	 */
	withoutRemoved(newest: ListedRow[]): Watermark {
		const ahead = Date.now() + DAY;
		const isAhead = (created?: number) => created !== undefined && created > ahead;
		const dated = newest.filter(({ created }) => created !== undefined);
		// Only a page that goes on with other rows shows all rows that are dated ahead.
		const showsAll = dated.some(({ created }) => !isAhead(created)) && isNewestFirst(dated);
		if (!showsAll) return this;
		const listed = new Set(newest.map(({ key }) => key));
		const kept = [...this.known].filter(([key, created]) => !isAhead(created) || listed.has(key));
		return this.with({ known: new Map(kept) });
	}

	/** Remembers by which rows to recognize the account, from the oldest rows of the list. */
	withLandmarks(oldest: ListedRow[]): Watermark {
		const dated = oldest.filter(({ created }) => created !== undefined).slice(0, LANDMARKS);
		return this.with({ landmarks: new Map(dated.map(({ key, created }) => [key, created])) });
	}

	/** Whether rows belong to the list that was read: one of them is known. */
	recognizes(rows: ListedRow[]): boolean {
		return rows.some(({ key, created }) =>
			[this.known, this.landmarks].some((seen) => seen.has(key) && seen.get(key) === created),
		);
	}

	/** Whether the total has grown by just these new rows, so that no others are new. */
	explains(total: number | undefined, fresh: ListedRow[]): boolean {
		return this.total !== undefined && total === this.total + fresh.length;
	}

	/**
	 * Whether to read everything again although the total explains itself: a row that appears late hides
	 * behind one that is removed at the same time.
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

/** A record in n8n's static data. n8n hides a field of its own in such objects, which zod would read. */
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

/** Reads what `toStored` returned. */
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

/** By moment, the keys of its rows in one text: a few bytes a row. */
function byMoment(moments: Moments): Record<string, string> {
	const texts: Record<string, string> = {};
	for (const [key, created] of moments) {
		const moment = created === undefined ? UNDATED : String(created);
		texts[moment] = (texts[moment] ?? '') + key;
	}
	return texts;
}

/** Returns the newest moment among rows, in ms; 0 if there is none. Far in the future counts as now. */
export function newestOf(rows: Dated[]): number {
	const latest = Date.now() + OVERLAP;
	let newest = 0;
	let isAhead = false;
	for (const { created } of rows) {
		if (created === undefined) continue;
		if (created <= latest) newest = Math.max(newest, created);
		else isAhead = true;
	}
	return newest === 0 && isAhead ? Date.now() : newest;
}

type Dated = Pick<ListedRow, 'created'>;

function countUndated(known: Moments): number {
	let count = 0;
	for (const created of known.values()) if (created === undefined) count++;
	return count;
}

function byDate(one: Dated, other: Dated): number {
	return momentOf(one) - momentOf(other);
}

function momentOf({ created = -1 }: Dated): number {
	return created;
}

function isNewestFirst(rows: ListedRow[]): boolean {
	return rows.every((row, i) => momentOf(rows[i - 1] ?? row) >= momentOf(row));
}
