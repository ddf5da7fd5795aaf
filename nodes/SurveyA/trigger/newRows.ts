import { SurveyError } from '../../shared/http/surveyError';
import { FEW, isWhole, MANY, reachesBack, readBacklog, readEnd, readNewest } from './backlog';
import type { BacklogRows, Bounds, ListPage, ReadPage } from './backlog';
import type { ListedRow } from './listedRow';
import { newestOf, Watermark } from './watermark';

const DAY = 24 * 60 * 60 * 1000;

const UNBOUNDED: Bounds = { rows: Infinity, until: Infinity };

/** The result of one look at a list. */
interface NewRows {
	/** Where the next look begins. */
	watermark: Watermark;
	/** The new rows, oldest first. */
	rows: ListedRow[];
}

/**
 * Looks for new rows in a list. Mostly that is one request: the newest rows, and the total, which proves
 * that there are no others.
 *
 * @param mark where the look before ended; without one, all rows that are there count as known
 */
export async function findNewRows(
	read: ReadPage,
	mark: Watermark | undefined,
	most: Bounds,
): Promise<NewRows> {
	const newest = await readNewest(read);
	if (mark === undefined) return { watermark: await baseline(read, newest), rows: [] };
	const known = mark.withoutRemoved(newest.rows);
	const shown = known.isDue ? undefined : await explained(read, known, newest);
	if (shown) return advance(known, { rows: oldestFirst(shown), isComplete: true }, shown, most);
	const oldest = isWhole(newest) ? oldestFirst(newest) : await readEnd(read, 'oldest first');
	// Rows without a date that were there before the start are not new.
	const undated = [...newest.rows, ...oldest].filter(isUndated);
	const start = known.readAt === 0 ? known.raised(undated, true) : known;
	const found = reachesBack(newest, start)
		? { rows: oldestFirst(newest), isComplete: true }
		: await readBacklog(read, start, newestOf(newest.rows), most);
	// If the backlog was read only partly, leave out the newest rows: they would make the rest old.
	const rows = [...undated, ...found.rows];
	const after = start.with({ readAt: Date.now() }).withLandmarks(oldest);
	return advance(after, { ...found, rows }, newest, most);
}

/** Returns a page of the newest rows that explains the list's growth, or undefined. */
async function explained(
	read: ReadPage,
	mark: Watermark,
	newest: ListPage,
): Promise<ListPage | undefined> {
	const fresh = mark.newAmong(newest.rows);
	if (mark.explains(newest.total, fresh)) return newest;
	const { total = 0, rows } = newest;
	const mayHelp = total > (mark.total ?? Infinity) + fresh.length && rows.length >= FEW;
	if (!mayHelp) return undefined;
	const more = await read({ number: 1, size: MANY, order: 'newest first' });
	return mark.explains(more.total, mark.newAmong(more.rows)) ? more : undefined;
}

/** Takes the new rows, the oldest of them if there are too many for one run. */
function advance(
	mark: Watermark,
	found: BacklogRows,
	{ total, delay = 0 }: ListPage,
	most: Bounds,
): NewRows {
	const fresh = mark.newAmong(found.rows);
	const rows = fresh.slice(0, most.rows);
	const isAll = found.isComplete && rows.length === fresh.length;
	const newTotal = isAll ? total : undefined;
	const isChanged = rows.length > 0 || newTotal !== mark.total;
	const changedAt = isChanged ? Date.now() : mark.changedAt;
	const raised = mark.settled(found.rows).raised(rows, isAll, isAll || delay === 0);
	const watermark = raised.with({ total: newTotal, changedAt });
	return { watermark: mark.landmarks.size > 0 ? watermark : watermark.withLandmarks(rows), rows };
}

/** Returns the watermark that knows all rows of the list, since others may get the same date later. */
async function baseline(read: ReadPage, newest: ListPage): Promise<Watermark> {
	const { rows, total } = newest;
	if (rows.length === 0 && total) {
		throw new SurveyError({
			message: `Survey A counts ${total} rows, but lists none`,
			hint: 'Publish the workflow again later',
		});
	}
	// A response without rows or a count may be a fault: after it, nothing older than a day is new.
	if (rows.length === 0 && total === undefined) return new Watermark({ floor: Date.now() - DAY });
	const oldest = isWhole(newest) ? oldestFirst(newest) : await readEnd(read, 'oldest first');
	const { floor } = new Watermark({ floor: 0 }).raised(rows, true);
	const undated = [...rows, ...oldest].filter(isUndated);
	const mark = new Watermark({ floor }).raised(undated, true);
	const backlog = reachesBack(newest, mark)
		? []
		: (await readBacklog(read, mark, newestOf(rows), UNBOUNDED)).rows;
	const now = Date.now();
	const all = mark.raised(mark.newAmong([...rows, ...backlog]), true);
	return all.with({ total, changedAt: now, readAt: now }).withLandmarks(oldest);
}

function oldestFirst({ rows }: ListPage): ListedRow[] {
	return [...rows].reverse();
}

function isUndated({ created }: ListedRow): boolean {
	return created === undefined;
}
