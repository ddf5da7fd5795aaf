import type { GenericValue, IDataObject } from 'n8n-workflow';
import { z } from 'zod/v4';

/** True for a JSON object; false for arrays, null and scalars. */
export function isObject(value: unknown): value is IDataObject {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A value as JSON can hold it; undefined for anything else. */
export function jsonValue(value: unknown): GenericValue {
	return typeof value === 'string' ||
		typeof value === 'number' ||
		typeof value === 'boolean' ||
		typeof value === 'object'
		? value
		: undefined;
}

/** The rows of a JSON array of objects; undefined for anything else. */
export function rowsOf(value: unknown): IDataObject[] | undefined {
	return Array.isArray(value) && value.every(isObject) ? value : undefined;
}

/** A whole number from a number or from its text; undefined for anything else, and for what no number holds exactly. */
export function wholeNumber(value: unknown): number | undefined {
	const isText = typeof value === 'string' && value.trim() !== '';
	if (!isText && typeof value !== 'number') return undefined;
	const number = Number(value);
	return Number.isSafeInteger(number) && number >= 0 ? number : undefined;
}

/** An answer that is a JSON object, taken as the service sent it. */
export const anyObject = z.custom<IDataObject>(isObject);

/** An answer that has at least one of these fields, by which it shows to be the data asked for. */
export function objectWith(...names: string[]) {
	return z.custom<IDataObject>((body) => isObject(body) && names.some((name) => name in body));
}

/** An answer that may be empty: some writes answer with nothing. A web page is no such answer. */
export const maybeEmpty = z
	.union([z.literal(''), z.null(), z.undefined(), z.array(z.unknown()), anyObject])
	.transform((body): IDataObject => (isObject(body) ? body : {}));
