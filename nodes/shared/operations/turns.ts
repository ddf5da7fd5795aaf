import type { Row } from './rows';

/** A row that is ready to be sent. */
export interface ReadyRow<Input> extends Row<Input> {
	/** Rows of one lane go out one after the other, in input order: those of one person or record. */
	lane: string;
	/** Rows of one request have the same group. */
	group: string;
	/** The row before it in its lane. */
	before?: ReadyRow<Input>;
}

/** Rows of one request. */
export type Batch<Input> = [ReadyRow<Input>, ...Array<ReadyRow<Input>>];

/**
 * Yields rows turn by turn: in each turn the next row of every lane, so that the rows of a turn may be sent in any order
 * and in any request. A turn must end before the next one begins.
 */
export async function* inTurns<Input>(
	rows: AsyncIterable<ReadyRow<Input>>,
): AsyncGenerator<AsyncIterable<ReadyRow<Input>>> {
	const lanes = new Map<string, Array<ReadyRow<Input>>>();
	yield firstOfEach(rows, lanes);
	for (let turn = 1; lanes.size > 0; turn++) {
		for (const [key, lane] of lanes) if (lane.length <= turn) lanes.delete(key);
		yield nextOfEach(lanes.values(), turn);
	}
}

async function* nextOfEach<Input>(
	lanes: Iterable<Array<ReadyRow<Input>>>,
	turn: number,
): AsyncGenerator<ReadyRow<Input>> {
	for (const lane of lanes) if (lane[turn]) yield lane[turn];
}

/** Yields the first row of each lane as soon as it is read, and keeps the others in `lanes`. */
async function* firstOfEach<Input>(
	rows: AsyncIterable<ReadyRow<Input>>,
	lanes: Map<string, Array<ReadyRow<Input>>>,
): AsyncGenerator<ReadyRow<Input>> {
	for await (const row of rows) {
		const lane = lanes.get(row.lane);
		row.before = lane?.at(-1);
		if (lane) lane.push(row);
		else {
			lanes.set(row.lane, [row]);
			yield row;
		}
	}
}

/** Yields each batch of rows of one group when it has `size` rows, and at the end those that have fewer. */
export async function* inBatches<Input>(
	rows: AsyncIterable<ReadyRow<Input>>,
	size: number,
): AsyncGenerator<Batch<Input>> {
	const open = new Map<string, Batch<Input>>();
	for await (const row of rows) {
		const started = open.get(row.group);
		const batch: Batch<Input> = started ?? [row];
		if (started) batch.push(row);
		if (batch.length < size) open.set(row.group, batch);
		else {
			open.delete(row.group);
			yield batch;
		}
	}
	yield* open.values();
}
