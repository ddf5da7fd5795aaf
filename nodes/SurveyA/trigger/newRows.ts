import { Failure } from '../../shared/http/failure';
import { isWhole, reachesBack, readBacklog, readEnd, readNewest } from './backlog';
import type { BacklogRows, Bounds, ListPage, ReadPage } from './backlog';
import type { ListedRow } from './listedRow';
import { forgetRemoved, newAmong, newestOf, OVERLAP, raise, startingAt } from './watermark';
import type { Watermark } from './watermark';

const DAY = 24 * 60 * 60 * 1000;

const UNBOUNDED: Bounds = { rows: Infinity, until: Infinity };

/** What one look at a list came to. */
export interface NewRows {
	/** Where the next look begins. */
	watermark: Watermark;
	/** The rows that are new, oldest first. */
	rows: ListedRow[];
}

/**
 * Looks for new rows in a list. Mostly that is one request: the newest rows, and the total that proves
 * that there are no others.
 *
 * @param mark where the look before ended; without one, all that is there is known
 */
export async function findNewRows(
	read: ReadPage,
	mark: Watermark | undefined,
	most: Bounds,
): Promise<NewRows> {
	const newest = await readNewest(read);
	if (mark === undefined) return { watermark: await present(read, newest), rows: [] };
	const known = forgetRemoved(await knowingUndated(read, mark, newest), newest.rows);
	const fresh = newAmong(known, oldestFirst(newest));
	if (isExplained(known, newest, fresh) && !isDue(known)) {
		return advance(known, { rows: fresh, isComplete: true }, newest, most);
	}
	const found = await readFurther(read, known, newest, most);
	return advance({ ...known, readAt: Date.now() }, found, newest, most);
}

/** Whether the newest rows are all that changed: the list grew by just those of them that are new. */
function isExplained(known: Watermark, { total }: ListPage, fresh: ListedRow[]): boolean {
	return known.total !== undefined && total === known.total + fresh.length;
}

/**
 * Whether to read all again although the total explains itself: a row that shows up late hides behind
 * one that goes at the same time.
 */
function isDue({ changedAt, readAt }: Watermark): boolean {
	return readAt < changedAt + OVERLAP && Date.now() >= readAt + OVERLAP;
}

/** Takes the new rows, the oldest of them where they are too many for one run. */
function advance(mark: Watermark, found: BacklogRows, newest: ListPage, most: Bounds): NewRows {
	const fresh = newAmong(mark, found.rows);
	const rows = fresh.slice(0, most.rows);
	const isAll = found.isComplete && rows.length === fresh.length;
	const total = isAll ? newest.total : undefined;
	const isChanged = rows.length > 0 || total !== mark.total;
	const changedAt = isChanged ? Date.now() : mark.changedAt;
	return { watermark: { ...raise(mark, rows, isAll), total, changedAt }, rows };
}

/** Reads what the page of the newest rows does not show. */
async function readFurther(
	read: ReadPage,
	mark: Watermark,
	newest: ListPage,
	most: Bounds,
): Promise<BacklogRows> {
	const oldest = isWhole(newest) ? [] : await readEnd(read, 'oldest first');
	if (reachesBack(newest, mark)) {
		return { rows: [...oldest.filter(isUndated), ...oldestFirst(newest)], isComplete: true };
	}
	const undated = [...newest.rows, ...oldest].filter(isUndated);
	const backlog = await readBacklog(read, mark, newestOf(newest.rows), most);
	// Of a part, the newest rows are no part: they would put what lies between into the past.
	return { rows: [...undated, ...backlog.rows], isComplete: backlog.isComplete };
}

/** Rows without a date that were there before the trigger remembered such are no news. */
async function knowingUndated(
	read: ReadPage,
	mark: Watermark,
	newest: ListPage,
): Promise<Watermark> {
	if (mark.knowsUndated) return mark;
	const oldest = isWhole(newest) ? [] : await readEnd(read, 'oldest first');
	const undated = [...newest.rows, ...oldest].filter(isUndated);
	return { ...raise(mark, undated, true), knowsUndated: true };
}

/** Knows what is there: of the newest rows each one, since others may share their moment later. */
async function present(read: ReadPage, newest: ListPage): Promise<Watermark> {
	const { rows, total } = newest;
	if (rows.length === 0 && total) {
		throw new Failure({
			words: `Survey A counts ${total} rows, but lists none`,
			advice: 'Publish the workflow again later',
		});
	}
	// An answer without rows or a count may be a fault: after it, nothing older than a day is new.
	if (rows.length === 0 && total === undefined) return startingAt(Date.now() - DAY);
	const { floor } = raise(startingAt(0), rows, true);
	const mark = await knowingUndated(read, startingAt(floor), newest);
	const backlog = reachesBack(newest, mark)
		? []
		: (await readBacklog(read, mark, newestOf(rows), UNBOUNDED)).rows;
	const now = Date.now();
	const all = raise(mark, newAmong(mark, [...rows, ...backlog]), true);
	return { ...all, total, changedAt: now, readAt: now };
}

function oldestFirst({ rows }: ListPage): ListedRow[] {
	return [...rows].reverse();
}

function isUndated({ created }: ListedRow): boolean {
	return created === undefined;
}
