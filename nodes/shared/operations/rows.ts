import { Failure } from '../http/failure';
import type { ReadInput } from '../parameters/reader';
import { marked } from './outcome';
import type { Run } from './run';

/** An input item that is to be worked on. */
export interface Row<Input> {
	item: number;
	input: Input;
	/** Later items with the same key: they share this one's outcome and are not sent themselves. */
	duplicates: number[];
}

/**
 * Reads and checks the parameters of all items before anything is sent.
 *
 * @returns the rows to send, without those that an earlier try of the node has settled; with On Error = stop none at all when one of them is not usable
 */
export function readRows<Input>(run: Run, read: ReadInput<Input>): Array<Row<Input>> {
	const rows: Array<Row<Input>> = [];
	for (let item = 0; item < run.count && !run.isStopped; item++) {
		if (run.outcome(item)) continue;
		const input = run.check(item, () => read(run.context, item, run.notes));
		if (input !== undefined) rows.push({ item, input, duplicates: [] });
	}
	return run.isStopped ? [] : rows;
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

/**
 * Takes out the rows whose key came earlier in the run, where Skip Duplicates is on: they share the
 * outcome of the first.
 *
 * @param dedupeBy the key of a row that is to go out once a run
 */
export function withoutDuplicates<Input>(
	run: Run,
	rows: Array<Row<Input>>,
	dedupeBy: ((input: Input) => string) | undefined,
): Array<Row<Input>> {
	if (!dedupeBy || !run.options.skipDuplicates) return rows;
	const firsts = new Map<string, Row<Input>>();
	for (const row of rows) {
		const key = dedupeBy(row.input);
		const first = firsts.get(key);
		if (first) first.duplicates.push(row.item);
		else firsts.set(key, row);
	}
	return [...firsts.values()];
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

/** Gives the duplicates their first row's outcome; both sides tell of each other. */
export function shareWithDuplicates<Input>(run: Run, rows: Array<Row<Input>>): void {
	let skipped = 0;
	for (const { item, duplicates } of rows) {
		const outcome = run.outcome(item);
		if (duplicates.length === 0 || outcome === undefined) continue;
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
