import type { Cell } from './columnSpec';
import type { ColumnTypes } from './columnTypes';
import type { ReadContext } from './context';
import type { MappedRow } from './mappedRow';

/** The options of a row that only Map Automatically has. */
export interface NameOptions {
	emailColumn?: string;
	ignoredColumns?: string[];
}

/** Maps the rows of a run: by hand or by the names of their columns. */
export interface Mapper {
	readonly isAutomatic: boolean;
	/** Returns all cells of the run in columns that no field takes and the mapper does not show. */
	extras(types: ColumnTypes): Iterable<Cell>;
	/** Adds the cells of the row's item. */
	map(row: MappedRow, options: NameOptions): void;
	/** Returns the email of an item. @throws Failure if it has none, or several */
	emailOf(context: ReadContext): unknown;
}
