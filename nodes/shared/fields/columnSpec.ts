import type { FieldType, IDataObject, ResourceMapperField } from 'n8n-workflow';

import type { ReadRecords } from './mapping';

/** A column that can be mapped. */
export interface Column {
	/** Stable and readable: `email`, `property:Renewal Date`. */
	id: string;
	displayName: string;
	type: FieldType;
	required?: boolean;
	options?: ResourceMapperField['options'];
	/** Other names under which input items have this column. */
	aliases?: string[];
}

/** One value of a row. */
export interface Cell {
	id: string;
	/** The name of the column in error messages. */
	label: string;
	value: unknown;
	/** The type that a record of the service has for it, or that the run has decided. */
	type?: FieldType;
}

/** How a service takes columns that it has no field for. */
export interface Extra {
	/** Returns the ID of an input column: `property:Plan` for `Plan`. */
	idOf(name: string): string;
	/** The prefixes of such IDs. */
	prefixes: string[];
	/** The service's word for them: `Properties`. */
	plural: string;
	/** Returns whether the service has a number for a value. */
	isNumber(value: unknown): boolean;
	/** The service's names of types in hints, where they differ. */
	typeNames: Partial<Record<FieldType, string>>;
	/** Options with further columns as a JSON object. */
	json: Array<{ option: string; prefix: string; label: string }>;
	/** Reads the columns that the account has beyond the fixed ones. */
	read(readRecords: ReadRecords): Promise<Column[]>;
}

/** Says whether an empty column leaves the value at the service unchanged or clears it. */
export type EmptyValues = 'ignore' | 'clear';

/** The columns that a service takes. */
export interface RowShape {
	/** The columns that every account has. The first one is the email. */
	fixed: Column[];
	/** How other columns are sent. Absent when the endpoint takes no others. */
	extra?: Extra;
	/** Returns whether no row can send an input column of this name. */
	isUnsendable?(name: string): boolean;
	/** Returns whether the service itself writes an input column, in a record of its own. */
	isOwn(name: string, row: IDataObject): boolean;
	/** Returns the cells inside a column of the service's own record, such as a list of properties. */
	expand?(name: string, row: IDataObject): Cell[] | undefined;
}
