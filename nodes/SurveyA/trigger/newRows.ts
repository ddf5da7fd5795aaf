import { Failure } from '../../shared/http/failure';
import { readNewest, readSince } from './backlog';
import type { Bounds, ReadPage } from './backlog';
import { newAmong, raise, startingAt } from './watermark';
import type { ListedRow, Watermark } from './watermark';

const DAY = 24 * 60 * 60 * 1000;

/** What one look at a list came to. */
export interface NewRows {
	/** Where the next look begins. */
	watermark: Watermark;
	/** The rows that are new, oldest first. */
	rows: ListedRow[];
}

/**
 * Looks for new rows in a list.
 *
 * @param mark where the look before ended; without one, all that is there is known
 */
export async function findNewRows(
	read: ReadPage,
	mark: Watermark | undefined,
	most: Bounds,
): Promise<NewRows> {
	if (mark === undefined) return { watermark: await present(read), rows: [] };
	const found = await readSince(read, mark, most);
	const rows = newAmong(mark, found).slice(0, most.rows);
	return { watermark: raise(mark, rows), rows };
}

/** Knows what is there: of the newest rows each one, since others may share their moment later. */
async function present(read: ReadPage): Promise<Watermark> {
	const { rows, count, total } = await readNewest(read);
	if (count === 0 && total) {
		throw new Failure({
			words: `Survey A counts ${total} rows, but lists none`,
			advice: 'Publish the workflow again later',
		});
	}
	// An answer without rows or a count may be a fault: after it, nothing older than a day is new.
	if (rows.length === 0 && total === undefined) return startingAt(Date.now() - DAY);
	const mark = startingAt(raise(startingAt(0), rows).floor);
	return raise(mark, await readSince(read, mark, { rows: Infinity, until: Infinity }));
}
