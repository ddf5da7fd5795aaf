import type { IDataObject, IHttpRequestMethods } from 'n8n-workflow';

import { Failure } from './failure';

/**
 * What a repetition does. `idempotent`: the service ends up as after one request (reads, upserts,
 * unsubscribe, delete, replace). `notIdempotent`: a repetition would act again (a survey or a reply would go
 * out twice), so a request that may have been carried out is never repeated.
 */
export type Effect = 'idempotent' | 'notIdempotent';

export interface ApiRequest {
	method: IHttpRequestMethods;
	/** The path below the base URL, to the letter of the contract; ids encoded by `path`. */
	path: string;
	query?: IDataObject;
	body?: IDataObject;
	effect: Effect;
	/** True where a record goes: one that a repetition does not find went the first time. */
	removes?: boolean;
}

/** A read: always harmless. Query entries that are undefined are left out. */
export function get(path: string, query?: IDataObject): ApiRequest {
	return { method: 'GET', path, query, effect: 'idempotent' };
}

/** A POST. Its effect must be said: nothing can be derived from the method. */
export function post(effect: Effect, path: string, body: IDataObject): ApiRequest {
	return { method: 'POST', path, body, effect };
}

/** Replaces a record's state: harmless. */
export function put(path: string, body: IDataObject): ApiRequest {
	return { method: 'PUT', path, body, effect: 'idempotent' };
}

/** Deletes: harmless, since what is gone cannot go again. */
export function remove(path: string, body?: IDataObject): ApiRequest {
	return { method: 'DELETE', path, body, effect: 'idempotent', removes: true };
}

/**
 * Writes a path with its ids encoded, so that no id can leave its place: path`/feedback/${id}/`.
 *
 * @throws Failure for an id that no encoding can keep in its place
 */
export function path(parts: TemplateStringsArray, ...ids: Array<string | number>): string {
	return parts.reduce((before, part, i) => before + segment(String(ids[i - 1])) + part);
}

function segment(id: string): string {
	// URL parsers take a dot segment as «here» or «one up», encoded or not.
	if (id === '' || id === '.' || id === '..' || !isWellFormed(id)) {
		throw new Failure({
			words: `'${id}' cannot be an ID`,
			advice: 'Use an ID as the service shows it, for example from a Get Many operation',
		});
	}
	return encodeURIComponent(id);
}

/** False for half a surrogate pair, which no URL can carry. */
function isWellFormed(text: string): boolean {
	return !/[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/.test(text);
}
