import type { Row } from './operation';

/** A row that is ready to be sent. */
export interface ReadyRow<Input> extends Row<Input> {
	/** Rows of one lane go out one after the other, in input order: those of one person or record. */
	lane: string;
	/** Rows of one request have the same group. */
	group: string;
	/** The row before it in its lane. */
	before?: ReadyRow<Input>;
}

/** Rows that may still be read. */
export type Rows<Input> = AsyncIterable<ReadyRow<Input>> | Array<ReadyRow<Input>>;

/**
 * Yields rows turn by turn: in each turn the next row of every lane, so that the rows of a turn may be sent in any order
 * and in any request. A turn must end before the next one begins. The rows of the first one come as soon as they are read.
 */
export async function* inTurns<Input>(rows: Rows<Input>): AsyncGenerator<Rows<Input>> {
	const lanes = new Map<string, Array<ReadyRow<Input>>>();
	async function* firstOfEach() {
		for await (const row of rows) {
			const lane = lanes.get(row.lane) ?? [];
			lanes.set(row.lane, lane);
			row.before = lane.at(-1);
			if (lane.push(row) === 1) yield row;
		}
	}
	yield firstOfEach();
	let waiting = [...lanes.values()];
	for (let turn = 1; ; turn++) {
		waiting = waiting.filter((lane) => lane.length > turn);
		if (waiting.length === 0) return;
		yield waiting.flatMap((lane) => lane[turn] ?? []);
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
