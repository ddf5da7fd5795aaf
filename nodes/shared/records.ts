import { z } from 'zod/v4';

import { lazy } from './base/lazy';

// Schemas of records. Real servers null or leave out most scalars and add keys of their own, so only what identifies a
// record is required, and unknown keys are kept. A schema is made when it is first needed: making all of them while n8n
// loads the nodes would take as long as loading the nodes.

/** Makes a schema. */
type Make = () => z.ZodType;

/** Makes the schema of a record, and names its fields without making it. */
export interface RecordSchema {
	(): z.ZodObject<Record<string, z.ZodType>, z.core.$loose>;
	fields: string[];
}

/** Returns the schema of a record by the schemas of its fields. */
export function record(shape: Record<string, Make>): RecordSchema {
	const make = lazy(() =>
		z.looseObject(
			Object.fromEntries(Object.entries(shape).map(([name, schema]) => [name, schema()])),
		),
	);
	return Object.assign(make, { fields: Object.keys(shape) });
}

/** Returns fields that have the same schema, for the shape of a record. */
export function fields(schema: Make, ...names: string[]): Record<string, Make> {
	return Object.fromEntries(names.map((name) => [name, schema]));
}

/** Returns the schema of a record that may be null or absent. */
export const optional = (shape: Record<string, Make>) => () => record(shape)().nullish();

/** Returns the schema of a list that may be null or absent. */
export const listOf = (schema: Make) => () => z.array(schema()).nullish();

/** Reads a text that may be null or absent. */
export const string = () => z.string().nullish();
/** Reads a number that may be null or absent. */
export const numeric = () => z.number().nullish();
/** Reads true or false, null, or nothing. */
export const boolean = () => z.boolean().nullish();
/** Reads a list of texts that may be null or absent. */
export const strings = listOf(z.string);
/** Reads a value that the service gives as a number in some responses and as a text in others. */
export const numericOrString = () => z.union([z.number(), z.string()]).nullish();
/** Reads an object whose fields the account decides, such as properties. */
export const anyFields = () => z.record(z.string(), z.unknown()).nullish();
