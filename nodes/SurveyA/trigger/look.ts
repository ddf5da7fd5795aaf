import { readNewest, readSince } from './backlog';
import type { ReadPage } from './backlog';
import { newAmong, raise, startingAt } from './watermark';
import type { Arrival, Watermark } from './watermark';

/** What one look at a list came to. */
export interface Look {
	/** Where the next look begins. */
	mark: Watermark;
	/** The rows that are new, oldest first. */
	rows: Arrival[];
}

/** How much one look may take. What is left is for the next ones. */
export interface Bounds {
	rows: number;
	/** When to read no further, in ms since 1970. */
	until: number;
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
	const found = await readSince(read, mark.floor, (rows) => {
		const count = newAmong(mark, rows).length;
		return count >= most.rows || (count > 0 && Date.now() > most.until);
	});
	const rows = newAmong(mark, found).slice(0, most.rows);
	return { mark: raise(mark, rows), rows };
}

/** Knows what is there: of the newest rows each one, since others may share their moment later. */
async function present(read: ReadPage): Promise<Watermark> {
	const { rows } = await readNewest(read);
	const { floor } = raise(startingAt(0), rows);
	return raise(startingAt(floor), await readSince(read, floor, () => false));
}
