import { Failure } from '../base/failure';
import { yieldToEventLoop } from '../parallel';
import type { rowOptions } from '../fields/sharedFields';
import type { Run } from './run';

/** Reads the parameters of one item. @throws Failure */
interface Reader<Input> {
	read(item: number): Row<Input>;
}

/** An input item whose parameters were read. */
export interface Row<Input> {
	item: number;
	input: Input;
	/** The shared options that each row may set by an expression. */
	options: { [Name in keyof typeof rowOptions]: ReturnType<(typeof rowOptions)[Name]['read']> };
}

/**
 * Reads the items one after the other, except those that a previous try settled. With On Error = continue, yields each
 * row when it is requested. With stop, reads all rows first, and yields none if one of them is not usable.
 */
export async function* readRows<Input>(
	run: Run,
	reader: Reader<Input>,
): AsyncGenerator<Row<Input>> {
	if (run.continues) yield* usableRows(run, reader);
	else yield* await readAllRows(run, reader);
}

/** Reads all items before anything is sent. */
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
		if (run.result(item)) continue;
		await yieldIfBusy();
		const row = run.read(item, () => reader.read(item));
		if (row !== undefined) yield row;
	}
}

/**
 * Replaces what the user wrote by what the service knows, for example a name by an ID, before rows are compared or sent.
 * With On Error = stop, returns no rows if one of them fails.
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
			if (!run.setResult(row.item, { failure: Failure.from(error) })) return [];
		}
	}
	return resolved;
}

/** Groups rows by a key, in the order in which the keys first occur. */
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
