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
 * @param dedupeBy the key of a row that is to go out once a run
 * @returns the rows to send, without those that an earlier try of the node has settled; with On Error = stop none at all when one of them is not usable
 */
export function readRows<Input>(
	run: Run,
	read: ReadInput<Input>,
	dedupeBy?: (input: Input) => string,
): Array<Row<Input>> {
	const rows: Array<Row<Input>> = [];
	const firsts = new Map<string, Row<Input>>();
	for (let item = 0; item < run.count && !run.isStopped; item++) {
		if (run.outcome(item)) continue;
		const input = run.check(item, () => read(run.context, item, run.notes));
		if (input === undefined) continue;
		const key = run.options.skipDuplicates ? dedupeBy?.(input) : undefined;
		const first = key === undefined ? undefined : firsts.get(key);
		if (first) {
			first.duplicates.push(item);
			continue;
		}
		const row = { item, input, duplicates: [] };
		if (key !== undefined) firsts.set(key, row);
		rows.push(row);
	}
	return run.isStopped ? [] : rows;
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
