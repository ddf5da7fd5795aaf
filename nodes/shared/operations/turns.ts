import type { Row } from './operation';
import type { RowToSend } from './tries';

/** A row that is ready to be sent. */
export type ReadyRow<Input> = Row<Input> &
	RowToSend & {
		/** Rows of one request have the same group. */
		group: string;
		/** The row before it in its lane. */
		before?: ReadyRow<Input>;
	};

/** Rows that may still be read. */
export type Rows<Input> = AsyncIterable<ReadyRow<Input>> | Array<ReadyRow<Input>>;

/**
 * Divides rows into turns: in each, the next row of every lane, so that its rows may be sent in any order and in any request.
 * A turn must end before the next one begins.
 */
export class Turns<Input> {
	/** The turns after the first one; complete once that was read. */
	readonly later: Array<Array<ReadyRow<Input>>> = [];

	/** Yields the first row of each lane as soon as it is read, and puts the others into their turns. */
	async *first(rows: Rows<Input>): AsyncGenerator<ReadyRow<Input>> {
		const lanes = new Map<string, { last: ReadyRow<Input>; length: number }>();
		for await (const row of rows) {
			const lane = lanes.get(row.lane);
			lanes.set(row.lane, { last: row, length: (lane?.length ?? 0) + 1 });
			if (lane === undefined) yield row;
			else {
				row.before = lane.last;
				(this.later[lane.length - 1] ??= []).push(row);
			}
		}
	}
}

/**
 * Yields each batch of rows of one group when it has `size` rows, and at the end those that have fewer.
 *
 * @param isToSend returns false for a row that needs no request
 */
export async function* inBatches<Input>(
	rows: Rows<Input>,
	size: number,
	isToSend: (row: ReadyRow<Input>) => boolean,
): AsyncGenerator<Array<ReadyRow<Input>>> {
	const open = new Map<string, Array<ReadyRow<Input>>>();
	for await (const row of rows) {
		if (!isToSend(row)) continue;
		const batch = open.get(row.group) ?? [];
		open.set(row.group, batch);
		batch.push(row);
		if (batch.length < size) continue;
		open.delete(row.group);
		yield batch;
	}
	yield* open.values();
}
