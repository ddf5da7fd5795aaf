import type { Failure } from '../base/failure';

/**
 * Single rows that are refused, with nothing accepted, before the search gives up. The largest batch has as many rows, so
 * every row of a first batch is tried: a search that stops earlier can miss the only good row.
 */
const MAX_PROBES = 1000;

/** Rows to send in one request. */
export interface Part<Row> {
	rows: Row[];
	/** Why they were refused together with other rows. */
	failure?: Failure;
}

/**
 * Searches refused batches for the rows for which they are refused. A batch of n rows takes 2n requests at most, and n + 1
 * if the service accepts none of them.
 *
 * At first a refusal may be about the whole batch. So single rows are tried, from both ends and from the middle, because
 * input is often sorted. Once one is accepted, the bad rows are the cause: the batch is searched by halves to the end.
 */
export class BadRowSearch {
	private refusedProbes = 0;
	private isAboutRows: boolean;

	/** @param stopsAtFirst true if the run ends at the first bad row */
	constructor(stopsAtFirst: boolean) {
		this.isAboutRows = stopsAtFirst;
	}

	/** Must be called when rows were accepted, or refused because of a person. */
	foundCause(): void {
		this.isAboutRows = true;
	}

	get givesUp(): boolean {
		return !this.isAboutRows && this.refusedProbes >= MAX_PROBES;
	}

	/** Takes the rows to send next out of the parts that are left. */
	take<Row>(parts: Array<Part<Row>>): Part<Row> | undefined {
		if (this.isAboutRows || this.givesUp || !parts[0]?.failure) return parts.shift();
		const sizes = parts.map(({ rows }) => rows.length);
		const largest = sizes.indexOf(Math.max(...sizes));
		const index = [sizes.length - 1, 0, largest][this.refusedProbes % 3] ?? 0;
		const [part] = parts.splice(index, 1);
		if (part === undefined) return undefined;
		const { rows, failure } = part;
		const row = [rows.length - 1, 0, rows.length >> 1][this.refusedProbes % 3] ?? 0;
		const others = [rows.slice(0, row), rows.slice(row + 1)].filter(({ length }) => length > 0);
		parts.splice(index, 0, ...others.map((rest) => ({ rows: rest, failure })));
		return { rows: rows.slice(row, row + 1), failure };
	}

	/** Returns the parts into which a refused part is split; none for a single row. */
	split<Row>(rows: Row[], failure: Failure): Array<Part<Row>> {
		if (rows.length === 1) {
			this.refusedProbes++;
			return [];
		}
		if (!this.isAboutRows) return [{ rows, failure }];
		const middle = Math.ceil(rows.length / 2);
		return [rows.slice(0, middle), rows.slice(middle)].map((half) => ({ rows: half, failure }));
	}
}
