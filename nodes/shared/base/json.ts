import type { GenericValue, IDataObject } from 'n8n-workflow';

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

/** Reads the body of a response; returns undefined for one of another shape. */
export type BodyReader<Response> = (body: unknown) => Response | undefined;

/** Reads a JSON object that passes a test. */
export function objectThat(test: (body: IDataObject) => boolean): BodyReader<IDataObject> {
	return (body) => (isObject(body) && test(body) ? body : undefined);
}

/**
 * Reads a JSON object that has text or a number in at least one of these fields, which shows that it is the data asked for.
 * A validation error has lists of messages in their place.
 */
export function objectWith(...names: string[]): BodyReader<IDataObject> {
	return objectThat((body) =>
		names.some((name) => ['string', 'number'].includes(typeof body[name])),
	);
}

/** Reads a body that may be empty, as some writes return it; not a web page. */
export function maybeEmpty(body: unknown): IDataObject | undefined {
	if (isObject(body)) return body;
	const isEmpty = Array.isArray(body) ? body.length === 0 : (body ?? '') === '';
	return isEmpty ? {} : undefined;
}

export function emptyBody(body: unknown): IDataObject | undefined {
	return objectThat((read) => Object.keys(read).length === 0)(maybeEmpty(body));
}
