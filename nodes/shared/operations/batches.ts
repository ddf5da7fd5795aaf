import type { ApiRequest } from '../http/request';
import { normalizeEmail } from '../fields/emails';
import type { Row } from './rows';

/** How rows are put into requests. */
export interface BatchRules<Input> {
	/** The largest number of rows in one request. */
	size: number;
	/** The row's key: the email address by which the service names it. */
	key(input: Input): string;
	/** Rows of one request must have the same group. */
	group?(input: Input): string | undefined;
	/** Returns the request for some rows of one group; `first` is one of them. */
	request(rows: Input[], first: Input): ApiRequest;
}

/**
 * Returns each batch of rows of one group when it is full, and at the end those that are not. Rows of one address that
 * differ are in different batches, in order, so that a response about the address is about one of them.
 */
export async function* batchesOf<Input>(
	rows: AsyncIterable<Row<Input>>,
	rules: BatchRules<Input>,
): AsyncGenerator<Array<Row<Input>>> {
	const groups = new Map<string, Array<OpenBatch<Input>>>();
	for await (const row of rows) {
		const group = JSON.stringify([row.options.dryRun, rules.group?.(row.input)]);
		const open = groups.get(group) ?? [];
		groups.set(group, open);
		const address = normalizeEmail(rules.key(row.input));
		const index = indexFor(row, address, open);
		const batch = (open[index] ??= new OpenBatch(rules));
		batch.add(row, address);
		// Batches that were opened before come first: they may have the same addresses.
		if (batch.rows.length >= rules.size) yield* rowsOf(open.splice(0, index + 1));
	}
	for (const open of groups.values()) yield* rowsOf(open);
}

function rowsOf<Input>(batches: Array<OpenBatch<Input>>): Array<Array<Row<Input>>> {
	return batches.map(({ rows }) => rows);
}

/** Returns the index of the first batch that takes a row, after all that have its address. */
function indexFor<Input>(row: Row<Input>, address: string, open: Array<OpenBatch<Input>>): number {
	const last = open.filter((batch) => batch.firsts.has(address)).at(-1);
	if (last === undefined) return 0;
	return open.indexOf(last) + (last.hasEqual(row, address) ? 0 : 1);
}

class OpenBatch<Input> {
	readonly rows: Array<Row<Input>> = [];
	/** The first row of each address. */
	readonly firsts = new Map<string, Row<Input>>();

	constructor(private readonly rules: BatchRules<Input>) {}

	add(row: Row<Input>, address: string): void {
		this.rows.push(row);
		if (!this.firsts.has(address)) this.firsts.set(address, row);
	}

	/** Returns whether the row of this address would send the same. */
	hasEqual({ input }: Row<Input>, address: string): boolean {
		const textOf = (one: Input) => JSON.stringify(this.rules.request([one], one));
		const first = this.firsts.get(address);
		return first !== undefined && textOf(first.input) === textOf(input);
	}
}
