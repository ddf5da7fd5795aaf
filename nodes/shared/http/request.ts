import type { IDataObject, IHttpRequestMethods } from 'n8n-workflow';

import { Failure } from '../base/failure';

/**
 * The effect of sending a request twice. `idempotent`: the same as once (reads, upserts, unsubscribe, delete,
 * replace). `notIdempotent`: it acts again (a second survey or reply), so a request that the service may have
 * processed is never retried.
 */
export type Effect = 'idempotent' | 'notIdempotent';

/** A request as the contract shows it, without host and key. */
export interface ApiRequest {
	method: IHttpRequestMethods;
	/** The path below the base URL, exactly as in the contract; `path` encodes its IDs. */
	path: string;
	query?: IDataObject;
	body?: IDataObject;
	effect: Effect;
	/** Tells a user where the service shows whether it was processed: `the outbox`. */
	lookAt?: string;
}

/** Query entries that are undefined are left out. */
export function get(path: string, query?: IDataObject): ApiRequest {
	return { method: 'GET', path, query, effect: 'idempotent' };
}

/** The effect does not follow from the method. @param lookAt where a user sees whether it was processed */
export function post(effect: Effect, path: string, body: IDataObject, lookAt?: string): ApiRequest {
	return { method: 'POST', path, body, effect, lookAt };
}

export function put(path: string, body: IDataObject): ApiRequest {
	return { method: 'PUT', path, body, effect: 'idempotent' };
}

export function remove(path: string, body?: IDataObject): ApiRequest {
	return { method: 'DELETE', path, body, effect: 'idempotent' };
}

/**
 * Returns a path with its IDs encoded, so that an ID cannot change the path: path`/feedback/${id}/`.
 *
 * @throws Failure for an ID that no encoding makes safe
 */
export function path(parts: TemplateStringsArray, ...ids: Array<string | number>): string {
	return parts.reduce((before, part, i) => before + segment(String(ids[i - 1])) + part);
}

function segment(id: string): string {
	// URL parsers resolve dot segments, encoded or not, and no URL can hold half a surrogate pair.
	if (/^\.{0,2}$|\p{Surrogate}/u.test(id)) {
		throw new Failure('value', `'${id}' cannot be an ID`, {
			hint: 'Use an ID as the service shows it, for example from a Get Many operation',
		});
	}
	// promise: path
	return encodeURIComponent(id);
}
