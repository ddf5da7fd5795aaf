import type { GenericValue, IDataObject } from 'n8n-workflow';
import { z } from 'zod/v4';

export function isObject(value: unknown): value is IDataObject {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** @param path for example `contact.email` */
export function valueAt(record: IDataObject, path: string): unknown {
	return path
		.split('.')
		.reduce<unknown>((value, name) => (isObject(value) ? value[name] : undefined), record);
}

/** Functions, symbols and BigInts become undefined. */
export function jsonValue(value: unknown): GenericValue {
	const isJson = typeof value === 'string' || typeof value === 'number';
	return isJson || typeof value === 'boolean' || typeof value === 'object' ? value : undefined;
}

export function parsedJson(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
}

export function recordsOf(value: unknown): IDataObject[] | undefined {
	return Array.isArray(value) && value.every(isObject) ? value : undefined;
}

export function objectsIn(value: unknown): IDataObject[] {
	return Array.isArray(value) ? value.filter(isObject) : [];
}

/** Undefined for what no number holds exactly. */
export function wholeNumber(value: unknown): number | undefined {
	const isText = typeof value === 'string' && value.trim() !== '';
	if (!isText && typeof value !== 'number') return undefined;
	const number = Number(value);
	return Number.isSafeInteger(number) && number >= 0 ? number : undefined;
}

/** Reads the body of a response, as every zod schema does. */
export interface ResponseSchema<Response> {
	safeParse(
		body: unknown,
	): { success: true; data: Response } | { success: false; data?: undefined };
}

/**
 * Returns the schema of a function. For a single request, zod's own `transform` takes longer to set up than to read.
 *
 * @param read returns undefined for a body of another shape
 */
export function reading<Response>(
	read: (body: unknown) => Response | undefined,
): ResponseSchema<Response> {
	return {
		safeParse(body) {
			const data = read(body);
			return data === undefined ? { success: false } : { success: true, data };
		},
	};
}

export const anyObject = z.custom<IDataObject>(isObject);

/**
 * Reads a JSON object that has text or a number in at least one of these fields, which shows that it is the data asked for.
 * A validation error has lists of messages in their place.
 */
export function objectWith(...names: string[]) {
	return z.custom<IDataObject>(
		(body) =>
			isObject(body) && names.some((name) => ['string', 'number'].includes(typeof body[name])),
	);
}

/** Reads a body that may be empty, as some writes return it; not a web page. */
export const maybeEmpty = z
	.union([z.literal(''), z.null(), z.undefined(), z.tuple([]), anyObject])
	.transform((body): IDataObject => (isObject(body) ? body : {}));

export const emptyBody = maybeEmpty.refine((body) => Object.keys(body).length === 0);
