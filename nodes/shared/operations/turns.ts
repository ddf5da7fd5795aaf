import type { ApiRequest } from '../http/request';
import type { Row } from './operation';

/** A row that is ready to be sent. */
export interface ReadyRow<Input> extends Row<Input> {
	/** Rows of one lane go out one after the other, in input order: those of one person or record. */
	lane: string;
	/** Rows of one request have the same group. */
	group: string;
	/** The request for this row alone. */
	request: ApiRequest;
	/** The rows before and after it in its lane. */
	before?: ReadyRow<Input>;
	next?: ReadyRow<Input>;
}

/** Rows that may still be read. */
export type Rows<Input> = AsyncIterable<ReadyRow<Input>> | Array<ReadyRow<Input>>;

/**
 * Yields rows turn by turn: in each turn the next row of every lane, so that the rows of a turn may be sent in any order
 * and in any request. A turn must end before the next one begins.
 */
export async function* inTurns<Input>(rows: Rows<Input>): AsyncGenerator<Rows<Input>> {
	let turn: Array<ReadyRow<Input>> = [];
	yield firstOfEach(rows, turn);
	while (turn.length > 0) {
		yield turn;
		turn = turn.flatMap(({ next }) => next ?? []);
	}
}

/** Yields the first row of each lane as soon as it is read, links the others to it, and adds the second ones to `seconds`. */
async function* firstOfEach<Input>(
	rows: Rows<Input>,
	seconds: Array<ReadyRow<Input>>,
): AsyncGenerator<ReadyRow<Input>> {
	const last = new Map<string, ReadyRow<Input>>();
	for await (const row of rows) {
		const before = last.get(row.lane);
		last.set(row.lane, row);
		if (before === undefined) yield row;
		else {
			if (before.before === undefined) seconds.push(row);
			row.before = before;
			before.next = row;
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
