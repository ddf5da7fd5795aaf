import { z } from 'zod/v4';

import { wordKey } from './choices';
import { readNumber } from './numbers';
import { clearable, given, isBlank, needed, optional, schemaOf, Unusable } from './values';
import type { ReadValue } from './values';

// The schemas that operations describe their parameters with. Addresses, IDs and other names of
// things are trimmed; every other text goes out as it was given.

/** Reads text as it was given; numbers too, since spreadsheets give them where text is meant. */
export const readText: ReadValue<string> = (value) => {
	if (typeof value === 'string') return value;
	if (typeof value === 'number') return String(readNumber(value));
	throw new Unusable('must be text');
};

/** Reads the name of a thing: an address, an ID, a choice. Its form is for the service to judge. */
export const readId: ReadValue<string> = (value) => readText(value).trim();

/** Names that would reach into JavaScript's own objects, and so get lost. */
const LOST_NAMES = new Set(['__proto__', 'constructor', 'prototype']);

/** Reads a name that becomes one in the request: of a property or an attribute. */
export const readName: ReadValue<string> = (value) => {
	const name = readId(value);
	if (LOST_NAMES.has(name)) throw new Unusable('is a name that cannot be sent', 'Use another name');
	return name;
};

/** Text that must be there. */
export const text = needed(readText);

/** Text that may be left out. */
export const optionalText = optional(readText);

/** Text that may be left out, or cleared at the service. */
export const clearableText = clearable(readText);

/** An ID, an address or another name that must be there. */
export const id = needed(readId);

/** An ID, an address or another name that may be left out. */
export const optionalId = optional(readId);

/** One of some words, in any case, or left out. */
export function optionalWord<Word extends string>(words: readonly [Word, ...Word[]]) {
	return optional((value): Word => {
		const wanted = wordKey(value);
		const found = words.find((word) => wordKey(word) === wanted);
		if (found !== undefined) return found;
		throw new Unusable(`must be one of: ${words.join(', ')}`);
	});
}

const located = (value: unknown) =>
	typeof value === 'object' && value !== null && 'value' in value ? value.value : value;

const neededId: ReadValue<string> = (value) => {
	if (isBlank(value)) throw new Unusable('is missing');
	return readId(value);
};

/** A resource locator, or the bare value that an expression may put in its place. */
export const locator = schemaOf((value) => neededId(located(value)));

/** A resource locator that may be left out. */
export const optionalLocator = schemaOf((value) => {
	const inside = located(value);
	return isBlank(inside) ? undefined : readId(inside);
}).optional();

const readList: ReadValue<string[] | undefined> = (value) => {
	const entries = Array.isArray(value) ? value : entriesOf(value);
	const read = entries.filter((entry) => !isBlank(entry)).map(readEntry);
	return read.length === 0 && entries.length > 0 ? undefined : read;
};

/**
 * A list: an array, or text with commas between its entries. Entries that are blank are dropped; a list
 * of nothing but those was not given, while an array without entries is meant.
 */
export const stringList = optional(readList);

/** A list that must be given. */
export const neededList = needed((value): string[] => {
	const list = readList(value);
	if (list === undefined) throw new Unusable('is missing');
	return list;
});

const LIST_WANTED = 'must be text with commas, or an array of texts';

function entriesOf(value: unknown): unknown[] {
	return typeof value === 'string' ? value.split(',') : [value];
}

function readEntry(entry: unknown): string {
	if (typeof entry === 'string' || typeof entry === 'number') return readId(entry);
	throw new Unusable(LIST_WANTED);
}

// n8n loads every operation when it starts, and few ever run: what has an inside is made when it is first read.

/** A collection (Additional Fields, Filters, Options): every entry may be left out. */
export function collection<Shape extends z.ZodRawShape>(shape: Shape) {
	return z.lazy(() => {
		const fields = z.object(shape, 'must be a collection of fields');
		return z.preprocess((value) => given(value) ?? {}, fields);
	});
}

/** The rows of a fixed collection whose entries stand under `key`. */
export function entries<Row extends z.ZodType>(key: string, row: Row) {
	return z.lazy(() => {
		const rows = z.array(row, 'must be a list of rows');
		const fields = z.object(
			{ [key]: z.preprocess((value) => [given(value) ?? []].flat(), rows) },
			'must be a collection of rows',
		);
		return z
			.preprocess((value) => given(value) ?? {}, fields)
			.transform((value) => value[key] ?? []);
	});
}
