import { readNewest, readSince } from './backlog';
import type { Bounds, ReadPage } from './backlog';
import { newAmong, raise, startingAt } from './watermark';
import type { Arrival, Watermark } from './watermark';

/** What one look at a list came to. */
export interface Look {
	/** Where the next look begins. */
	mark: Watermark;
	/** The rows that are new, oldest first. */
	rows: Arrival[];
}

/**
 * Looks for new rows in a list.
 *
 * @param mark where the look before ended; without one, all that is there is known
 */
export async function look(
	read: ReadPage,
	mark: Watermark | undefined,
	most: Bounds,
): Promise<Look> {
	if (mark === undefined) return { mark: await present(read), rows: [] };
	const found = await readSince(read, mark, most);
	const rows = newAmong(mark, found).slice(0, most.rows);
	return { mark: raise(mark, rows), rows };
}

/** Knows what is there: of the newest rows each one, since others may share their moment later. */
async function present(read: ReadPage): Promise<Watermark> {
	const { rows } = await readNewest(read);
	const { floor } = raise(startingAt(0), rows);
	const mark = startingAt(floor);
	return raise(mark, await readSince(read, mark, { rows: Infinity, until: Infinity }));
}
