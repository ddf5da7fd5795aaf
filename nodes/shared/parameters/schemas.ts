import { z } from 'zod';

// The schemas that operations describe their parameters with.

/** What the editor leaves empty, as not given. */
export const given = (value: unknown) => (value === '' || value === null ? undefined : value);

/** A number as text: spreadsheets give numbers where text is meant. */
const numberAsText = (value: unknown) =>
	typeof value === 'number' && Number.isFinite(value) ? String(value) : value;

/** Text that must be there. */
export const text = z.preprocess(
	numberAsText,
	z
		.string({ required_error: 'is missing', invalid_type_error: 'must be text' })
		.trim()
		.min(1, 'is missing'),
);

/** Text that may be left out. */
export const optionalText = z.preprocess(given, text.optional());

/** An ID: text, or a number as expressions often give it. Its form is for the service to judge. */
export const id = z.preprocess(given, text);

/** An ID that may be left out. */
export const optionalId = z.preprocess(given, id.optional());

const located = (value: unknown) =>
	typeof value === 'object' && value !== null && 'value' in value ? value.value : value;

/** A resource locator, or the bare value that an expression may put in its place. */
export const locator = z.preprocess(located, id);

/** A resource locator that may be left out. */
export const optionalLocator = z.preprocess(located, optionalId);

/** A number that may be left out. */
export const optionalNumber = z.preprocess(
	given,
	z.coerce.number({ invalid_type_error: 'must be a number' }).optional(),
);

/** Reads truth as spreadsheets and forms write it. What is none is left as it is. */
export function booleanOf(value: unknown): unknown {
	const word = String(value).trim().toLowerCase();
	if (['true', 'yes', 'y', '1'].includes(word)) return true;
	return ['false', 'no', 'n', '0'].includes(word) ? false : given(value);
}

/** True or false, or left out. */
export const optionalBoolean = z.preprocess(
	booleanOf,
	z.boolean({ invalid_type_error: 'must be true or false' }).optional(),
);

const LIST_WANTED = 'must be text with commas, or an array of texts';

/** A list: an array, or text with commas between its entries. Empty entries are dropped. */
export const stringList = z.preprocess(
	(value) => {
		const entries = given(value);
		return typeof entries === 'string' || typeof entries === 'number'
			? String(entries).split(',')
			: entries;
	},
	z
		.array(z.union([z.string(), z.number().transform(String)]), { invalid_type_error: LIST_WANTED })
		.optional()
		.transform((entries) => entries?.map((entry) => entry.trim()).filter(Boolean)),
);

/** A collection (Additional Fields, Filters, Options): every entry may be left out. */
export function collection<Shape extends z.ZodRawShape>(shape: Shape) {
	const fields = z.object(shape, { invalid_type_error: 'must be a collection of fields' });
	return z.preprocess((value) => value ?? {}, fields);
}

/** The rows of a fixed collection whose entries stand under `key`. */
export function entries<Row extends z.ZodTypeAny>(key: string, row: Row) {
	return z
		.object({ [key]: z.array(row).default([]) })
		.default({})
		.transform((value) => value[key] ?? []);
}
