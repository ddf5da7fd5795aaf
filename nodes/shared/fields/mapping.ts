import type { FieldType, IDataObject, ResourceMapperField } from 'n8n-workflow';

import type { ApiRequest } from '../http/request';
import type { Parameters, ReadContext } from './context';
import type { Field, Shown } from './field';

/** Reads the first page of a list from the service. */
export type ReadRecords = (request: ApiRequest, recordsKey: string) => Promise<IDataObject[]>;

/** Maps rows to the service's columns. It looks at all rows of a run before it reads one of them. */
export interface Mapping<Value> extends Shown {
	/** Entries that it adds to the operation's Options. */
	readonly options: Record<string, Field<unknown>>;
	/** Returns the reader of a run's rows. It throws a Failure that concerns all rows. */
	start(parameters: Parameters, readRecords: ReadRecords): Promise<(context: ReadContext) => Value>;
}

/** The inputs of an operation. */
export type InputsOf<Values> = {
	[Name in keyof Values]: Field<Values[Name]> | Mapping<Values[Name]>;
};

/** Returns whether an input is a mapping. */
export function isMapping<Value>(input: Field<Value> | Mapping<Value>): input is Mapping<Value> {
	return 'start' in input;
}

/** Returns the mappings among an operation's inputs, each with its name. */
export function mappingsIn(
	inputs: Record<string, Field<unknown> | Mapping<unknown>>,
): Array<[string, Mapping<unknown>]> {
	return Object.entries(inputs).flatMap(([name, input]) =>
		isMapping(input) ? [[name, input]] : [],
	);
}

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
	/** True if the service gave only its name, and not the label by which it is written. */
	isUnlabeled?: boolean;
}

/** One value of a row. */
export interface Cell {
	/** The ID of its column. */
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
	/** Returns whether the service has a number for a value. */
	isNumber(value: unknown): boolean;
	/** The service's names of types in hints, where they differ. */
	typeNames: Partial<Record<FieldType, string>>;
	/** Options with further columns as a JSON object. */
	json: Array<{ option: string; prefix: string; label: string }>;
	/** Reads the columns that the account has beyond the fixed ones. */
	read(readRecords: ReadRecords): Promise<Column[]>;
	/** True if the account knows them by further names. The editor keeps none of these in the node. */
	hasAliases?: boolean;
}

/** The columns that a service takes. */
export interface RowShape {
	/** The columns that every account has. The first one is the email. */
	fixed: Column[];
	/** How other columns are sent. Absent when the endpoint takes no others. */
	extra?: Extra;
	/** Returns whether an input column is never sent, such as those that the service itself writes in a record. */
	isLeftOut(name: string, row: IDataObject): boolean;
	/** Returns the cells inside a column of the service's own record, such as a list of properties. */
	expand?(name: string, row: IDataObject): Cell[] | undefined;
}
