import { Failure } from '../http/failure';
import { yieldToEventLoop } from '../parallel';
import type { rowOptions } from '../parameters/sharedFields';
import type { Run } from './run';

/** Reads the parameters of one item. @throws Failure */
interface Reader<Input> {
	read(item: number): Row<Input>;
}

/** An input item that is to be worked on. */
export interface Row<Input> {
	item: number;
	input: Input;
	options: RowOptions;
}

/** The shared options that each row may set by an expression. */
export type RowOptions = {
	[Name in keyof typeof rowOptions]: ReturnType<(typeof rowOptions)[Name]['read']>;
};

/**
 * Reads and checks the parameters of one item after the other, without those that an earlier try of the
 * node has settled.
 *
 * @returns the rows to send: with On Error = continue each when it is asked for; with stop after all of
 * them were read, and none at all when one of them is not usable
 */
export async function* readRows<Input>(
	run: Run,
	reader: Reader<Input>,
): AsyncGenerator<Row<Input>> {
	if (run.continues) yield* usableRows(run, reader);
	else yield* await readAllRows(run, reader);
}

/** The same, all of them before anything is sent, in either case. */
export async function readAllRows<Input>(
	run: Run,
	reader: Reader<Input>,
): Promise<Array<Row<Input>>> {
	const rows: Array<Row<Input>> = [];
	for await (const row of usableRows(run, reader)) rows.push(row);
	return run.isStopped ? [] : rows;
}

async function* usableRows<Input>(run: Run, reader: Reader<Input>): AsyncGenerator<Row<Input>> {
	const yieldIfBusy = yieldToEventLoop(() => run.client.isBusy);
	for (let item = 0; item < run.count && !run.isStopped; item++) {
		if (run.outcome(item)) continue;
		await yieldIfBusy();
		const row = run.check(item, () => reader.read(item));
		if (row !== undefined) yield row;
	}
}

/**
 * Puts what the service knows in place of what the user wrote, an ID for a name say, before rows are
 * compared and anything is sent.
 *
 * @returns the rows to send; with On Error = stop none at all when one of them fails
 */
export async function resolveRows<Input>(
	run: Run,
	rows: Array<Row<Input>>,
	resolve: (input: Input) => Promise<Input>,
): Promise<Array<Row<Input>>> {
	const resolved: Array<Row<Input>> = [];
	for (const row of rows) {
		try {
			resolved.push({ ...row, input: await resolve(row.input) });
		} catch (error) {
			if (!run.note(row.item, { failure: Failure.from(error) })) return [];
		}
	}
	return resolved;
}

/** Groups rows by a key, in the order in which the keys first come. */
export function groupBy<Input>(
	rows: Array<Row<Input>>,
	keyOf: (input: Input) => string,
): Array<Array<Row<Input>>> {
	const groups = new Map<string, Array<Row<Input>>>();
	for (const row of rows) {
		const key = keyOf(row.input);
		const group = groups.get(key);
		if (group) group.push(row);
		else groups.set(key, [row]);
	}
	return [...groups.values()];
}
