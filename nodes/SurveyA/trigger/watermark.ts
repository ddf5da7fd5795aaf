import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod';

// How far a list was read. All of it goes by the dates that the service wrote: its clock and n8n's
// need not agree.

const MINUTE = 60 * 1000;

/** A row may show up in its list this much later than rows that are younger than it, in ms. */
const OVERLAP = 10 * MINUTE;

/** A date further ahead than this would put all rows until then into the past: it moves nothing. */
const MOST_AHEAD = 24 * 60 * MINUTE;

const FAR_AHEAD = Number.MAX_SAFE_INTEGER;

/** A row of the service's list. */
export interface ListedRow {
	id: string;
	/** When the service created it, in ms. */
	created: number;
	data: IDataObject;
}

export const watermark = z.object({
	/** Rows created before this are done with, in ms. */
	floor: z.number(),
	/** The known rows from there on: when each was created, by its ID. */
	seen: z.record(z.number()),
});

/**
 * How far a list was read: until an overlap before its newest known row, with the IDs of all rows
 * known since. So a row that shares its moment with a known one, or shows up late, is told by its ID.
 */
export type Watermark = z.infer<typeof watermark>;

/** Reads a row. One without a date has no place in time: whether it is new, nobody can tell. */
export function toListedRow(data: IDataObject): ListedRow | undefined {
	const created = Date.parse(String(data.createdDate));
	if (Number.isNaN(created)) return undefined;
	const isNear = created <= Date.now() + MOST_AHEAD;
	return {
		id: String(data.id ?? JSON.stringify(data)),
		created: isNear ? created : FAR_AHEAD,
		data,
	};
}

/** The newest moment among rows; 0 where there is none. */
export function newestOf(rows: ListedRow[]): number {
	return rows.reduce(
		(newest, { created }) => (created < FAR_AHEAD ? Math.max(newest, created) : newest),
		0,
	);
}

/** A watermark that lets everything through from a moment on. */
export function startingAt(moment: number): Watermark {
	return { floor: moment, seen: {} };
}

/** The rows that are new, oldest first. */
export function newAmong({ floor, seen }: Watermark, rows: ListedRow[]): ListedRow[] {
	return rows
		.filter(({ id, created }) => created >= floor && !Object.hasOwn(seen, id))
		.sort((one, other) => one.created - other.created);
}

/** The watermark after rows came out. It keeps the IDs of its overlap, however many they are. */
export function raise(mark: Watermark, rows: ListedRow[]): Watermark {
	const all = [...known(mark), ...rows];
	const floor = Math.max(mark.floor, newestOf(all) - OVERLAP);
	const recent = all.filter(({ created }) => created >= floor);
	return { floor, seen: Object.fromEntries(recent.map(({ id, created }) => [id, created])) };
}

/** Whether the watermark, once raised by these rows, leaves some behind that no look met before. */
export function leavesBehind(mark: Watermark, rows: ListedRow[]): boolean {
	return raise(mark, rows).floor > Math.max(mark.floor, newestOf(known(mark)));
}

function known({ seen }: Watermark): ListedRow[] {
	return Object.entries(seen).map(([id, created]) => ({ id, created, data: {} }));
}
