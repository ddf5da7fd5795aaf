import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod/v4';

import { isObject } from '../../shared/http/json';
import { once } from '../../shared/http/once';
import { KEY_LENGTH, rowKey } from './listedRow';
import type { ListedRow } from './listedRow';

// How far a list was read. All of it goes by the dates that the service wrote: its clock and n8n's
// need not agree.

const MINUTE = 60 * 1000;
const DAY = 24 * 60 * MINUTE;

/** A row may show up in its list this much later than rows that are younger than it, in ms. */
export const OVERLAP = 10 * MINUTE;

/** The most rows that are remembered, as 400 kB. Of more, the oldest are done with. */
const MOST_KNOWN = 50_000;

/** The most rows without a date that are remembered. Where there are more, none of them counts as new. */
const MOST_UNDATED = 10_000;

/** Where the keys of rows without a date stand in what n8n stores. */
const UNDATED = 'undated';

/**
 * How far a list was read: until an overlap before its newest known row, with the keys of all rows
 * known since. So a row that shares its moment with a known one, or shows up late, is told by its key.
 */
export interface Watermark {
	/** Rows created before this are done with, in ms. */
	floor: number;
	/** The known rows from there on: when each was created, by its key. */
	seen: Map<string, number | undefined>;
	/** How many rows the list had in all when it was read last; unknown after a part of it. */
	total?: number;
	/** When the list was seen to change last, by n8n's clock in ms. */
	changedAt: number;
	/** When all that the watermark does not rule out was read last, by n8n's clock in ms. */
	readAt: number;
	/** Whether the rows without a date that were there at first are known. */
	knowsUndated: boolean;
}

/** A record in n8n's static data, in whose objects n8n hides a field of its own that zod would read too. */
export function storedRecord<Value extends z.ZodType>(value: Value) {
	return z.preprocess(
		(record) => (isObject(record) ? { ...record } : record),
		z.record(z.string(), value),
	);
}

/** As version 0.1.0 stored it: when each known row was created, by its ID. */
const seenById = () =>
	storedRecord(z.number()).transform(
		(seen) => new Map(Object.entries(seen).map(([id, at]) => [rowKey(id), at])),
	);

/** By the moment of their creation, the keys of the known rows in one text. */
const seenByMoment = () =>
	storedRecord(z.string()).transform((seen) => {
		const known = new Map<string, number | undefined>();
		for (const [moment, keys] of Object.entries(seen)) {
			const created = moment === UNDATED ? undefined : Number(moment);
			for (let at = 0; at < keys.length; at += KEY_LENGTH) {
				known.set(keys.slice(at, at + KEY_LENGTH), created);
			}
		}
		return known;
	});

/** Reads what `toStored` gave, or what version 0.1.0 stored. */
export const storedWatermark = once(() =>
	z.object({
		floor: z.number(),
		seen: z.union([seenByMoment(), seenById()]),
		total: z.number().optional(),
		changedAt: z.number().default(0),
		readAt: z.number().default(0),
		knowsUndated: z.boolean().default(false),
	}),
);

/** Gives a watermark as n8n stores it. */
export function toStored({ seen, ...rest }: Watermark): IDataObject {
	const moments: Record<string, string> = {};
	for (const [key, created] of seen) {
		const moment = created === undefined ? UNDATED : String(created);
		moments[moment] = (moments[moment] ?? '') + key;
	}
	return { ...rest, seen: moments };
}

/** A watermark that lets everything through from a moment on. */
export function startingAt(moment: number): Watermark {
	return {
		floor: moment,
		seen: new Map(),
		changedAt: 0,
		readAt: 0,
		knowsUndated: false,
	};
}

/** The newest moment among rows, in ms; 0 where there is none. What lies ahead of n8n's clock is now. */
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

/** The rows that are new, each once: those without a date first, then by date, then as they came. */
export function newAmong(mark: Watermark, rows: ListedRow[]): ListedRow[] {
	const takesUndated = undatedIn(mark) < MOST_UNDATED;
	const fresh = new Map<string, ListedRow>();
	for (const row of rows) {
		if (row.created === undefined ? !takesUndated : row.created < mark.floor) continue;
		if (!mark.seen.has(row.key)) fresh.set(row.key, row);
	}
	return [...fresh.values()].sort(byDate);
}

/**
 * The watermark after rows came out. It keeps the keys of its overlap, of rows that are dated ahead and
 * of rows without a date: the latest of them where they are too many.
 *
 * @param isAll false where more rows follow, of the same moment as the last one perhaps: none is to be
 * done with before they are out
 */
export function raise(mark: Watermark, rows: ListedRow[], isAll: boolean): Watermark {
	if (rows.length === 0 && mark.seen.size <= MOST_KNOWN) return mark;
	const all = new Map(mark.seen);
	for (const { key, created } of rows) all.set(key, created);
	const places = [...all].map(([key, created]) => ({ key, created }));
	const overlap = Math.max(mark.floor, newestOf(places) - OVERLAP);
	const dated = places.filter(({ created = -1 }) => created >= overlap).sort(byDate);
	const crowded = isAll ? dated[dated.length - MOST_KNOWN - 1] : undefined;
	const floor = crowded ? momentOf(crowded) + 1 : overlap;
	const kept = dated.filter((place) => momentOf(place) >= floor);
	const undated = places.filter(({ created }) => created === undefined).slice(-MOST_UNDATED);
	const seen = new Map([...undated, ...kept].map(({ key, created }) => [key, created]));
	return { ...mark, floor, seen };
}

/**
 * Forgets rows dated far ahead that are not in the list any more: no floor ever reaches them.
 *
 * @param newest the newest rows of the list, the youngest first
 */
export function forgetRemoved(mark: Watermark, newest: ListedRow[]): Watermark {
	const ahead = Date.now() + DAY;
	const isAhead = (created?: number) => created !== undefined && created > ahead;
	const dated = newest.filter(({ created }) => created !== undefined);
	// Only a page that goes on with other rows shows all of those that are dated ahead.
	const showsAll = dated.some(({ created }) => !isAhead(created)) && isNewestFirst(dated);
	if (!showsAll) return mark;
	const listed = new Set(newest.map(({ key }) => key));
	const kept = [...mark.seen].filter(([key, created]) => !isAhead(created) || listed.has(key));
	return { ...mark, seen: new Map(kept) };
}

/** Whether the watermark, once raised by these rows, leaves some behind that no look met before. */
export function leavesBehind(mark: Watermark, rows: ListedRow[]): boolean {
	const known = [...mark.seen.values()].map((created) => ({ created }));
	return raise(mark, rows, false).floor > Math.max(mark.floor, newestOf(known));
}

function undatedIn({ seen }: Watermark): number {
	let count = 0;
	for (const created of seen.values()) if (created === undefined) count++;
	return count;
}

type Dated = Pick<ListedRow, 'created'>;

function byDate(one: Dated, other: Dated): number {
	return momentOf(one) - momentOf(other);
}

function momentOf({ created = -1 }: Dated): number {
	return created;
}

function isNewestFirst(rows: ListedRow[]): boolean {
	return rows.every((row, i) => momentOf(rows[i - 1] ?? row) >= momentOf(row));
}
