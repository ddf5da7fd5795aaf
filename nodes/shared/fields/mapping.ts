import type { IDataObject } from 'n8n-workflow';

import type { Failure } from '../base/failure';
import type { ApiRequest } from '../http/request';
import type { Parameters, ReadContext } from './context';
import type { Field, Shown } from './field';

/** Reads the first page of a list from the service. */
export type ReadRecords = (request: ApiRequest, recordsKey: string) => Promise<IDataObject[]>;

/** The run whose rows are mapped. */
export interface MappingRun {
	parameters: Parameters;
	/** The name of the mapping's parameter. */
	name: string;
	readRecords: ReadRecords;
}

/**
 * Reads the row of an item, and adds to `failures` what cannot be read.
 *
 * @throws Failure that concerns all rows
 */
export type ReadRow<Value> = (context: ReadContext, failures: Failure[]) => Value;

/** Maps rows to the service's columns. It looks at all rows of a run before it reads one of them. */
export interface Mapping<Value> extends Shown {
	/** Entries that it adds to the operation's Options. */
	readonly options: Record<string, Field<unknown>>;
	start(run: MappingRun): Promise<ReadRow<Value>>;
}

/** The inputs of an operation. */
export type InputsOf<Values> = {
	[Name in keyof Values]: Field<Values[Name]> | Mapping<Values[Name]>;
};

/** Returns whether an input is a mapping. */
export function isMapping<Value>(input: Field<Value> | Mapping<Value>): input is Mapping<Value> {
	return 'start' in input;
}

/** Returns the options that mappings add to an operation's Options collection. */
export function mappingOptionsOf(
	inputs: Record<string, Field<unknown> | Mapping<unknown>>,
): Record<string, Field<unknown>> {
	const mappings = Object.values(inputs).filter((input) => isMapping(input));
	return Object.assign({}, ...mappings.map(({ options }) => options));
}
