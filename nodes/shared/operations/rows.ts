import { Failure } from '../http/failure';
import { givingWay } from '../parallel';
import { marked } from './outcome';
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
	const giveWay = givingWay(() => run.client.isBusy);
	for (let item = 0; item < run.count && !run.isStopped; item++) {
		if (run.outcome(item)) continue;
		await giveWay();
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
	keyOf: (input: Input) => string | undefined,
): Array<Array<Row<Input>>> {
	const groups = new Map<string | undefined, Array<Row<Input>>>();
	for (const row of rows) {
		const key = keyOf(row.input);
		const group = groups.get(key);
		if (group) group.push(row);
		else groups.set(key, [row]);
	}
	return [...groups.values()];
}

/** Rows whose key came earlier in the run: they share the outcome of the first, and are not sent themselves. */
export class DuplicateRows<Input> {
	private readonly firsts = new Map<string, number>();
	private readonly later = new Map<number, number[]>();

	private readonly keyOf?: (input: Input) => string;

	/** @param dedupeBy the key of a row that is to go out once a run, where Skip Duplicates is on */
	constructor(
		private readonly run: Run,
		dedupeBy?: (input: Input) => string,
	) {
		if (run.options.skipDuplicates) this.keyOf = dedupeBy;
	}

	/** Notes a row. Gives false where an earlier one stands for it. */
	isFirst({ item, input }: Row<Input>): boolean {
		if (!this.keyOf) return true;
		const key = this.keyOf(input);
		const first = this.firsts.get(key);
		if (first === undefined) {
			this.firsts.set(key, item);
			return true;
		}
		const later = this.later.get(first);
		if (later) later.push(item);
		else this.later.set(first, [item]);
		return false;
	}

	/** Gives the duplicates their first row's outcome; both sides tell of each other. */
	share(): void {
		const { run } = this;
		let skipped = 0;
		for (const [item, duplicates] of this.later) {
			const outcome = run.outcome(item);
			if (outcome === undefined) continue;
			skipped += duplicates.length;
			const ofFirst = marked(outcome, { duplicateOfItem: item }, `same email as item ${item}`);
			for (const duplicate of duplicates) run.note(duplicate, ofFirst);
			const names = `same email as items ${duplicates.join(', ')}`;
			run.note(item, marked(outcome, { duplicateItems: duplicates }, names));
		}
		if (skipped > 0) {
			run.hint(`Rows skipped because their email came earlier in this run: ${skipped}`);
		}
	}
}
