import { Failure } from '../http/failure';
import { givingWay } from '../parallel';
import type { RunOptions } from '../parameters/fields';
import type { ReadInput } from '../parameters/reader';
import type { Run } from './run';

/** An input item to work on. */
export interface Row<Input> {
	item: number;
	input: Input;
	options: RowOptions;
}

/** The options that each row may set by an expression. */
export type RowOptions = Pick<RunOptions, 'dryRun' | 'ineligible'>;

function rowOptions(run: Run, _item: number): RowOptions {
	return run.options;
}

/** Returns the options of a whole run. */
export function runOptions({ options }: Run): { skipDuplicates: boolean; sendAtMost: number } {
	return { sendAtMost: Infinity, ...options };
}

/**
 * Reads and checks the parameters of one item after the other. Leaves out items that an earlier try of the node has
 * settled.
 *
 * @returns the rows to send: with On Error = continue each when it is asked for; with stop after all of
 * them were read, and none at all if one of them is not usable
 */
export async function* readRows<Input>(
	run: Run,
	read: ReadInput<Input>,
): AsyncGenerator<Row<Input>> {
	if (run.continues) yield* usableRows(run, read);
	else yield* await readAllRows(run, read);
}

/** Reads all rows before anything is sent, whatever On Error is. */
export async function readAllRows<Input>(
	run: Run,
	read: ReadInput<Input>,
): Promise<Array<Row<Input>>> {
	const rows: Array<Row<Input>> = [];
	for await (const row of usableRows(run, read)) rows.push(row);
	return run.isStopped ? [] : rows;
}

async function* usableRows<Input>(run: Run, read: ReadInput<Input>): AsyncGenerator<Row<Input>> {
	const giveWay = givingWay(() => run.client.isBusy);
	for (let item = 0; item < run.count && !run.isStopped; item++) {
		if (run.outcome(item)) continue;
		await giveWay();
		const row = run.check(item, () => ({
			item,
			input: read(run.context, item, run.notes),
			options: rowOptions(run, item),
		}));
		if (row !== undefined) yield row;
	}
}

/**
 * Puts what the service knows in place of what the user wrote, for example an ID for a name, before rows are compared and
 * anything is sent.
 *
 * @returns the rows to send; with On Error = stop none at all if one of them fails
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
