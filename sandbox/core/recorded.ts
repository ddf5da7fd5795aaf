import type { Request } from 'express';

/** A request as it came over the wire, and what became of it. */
export interface RecordedRequest {
	/** `Date.now()` of its arrival. */
	at: number;
	method: string;
	/** Path and query as on the wire. */
	url: string;
	path: string;
	query: Record<string, string | string[]>;
	headers: Record<string, string | string[] | undefined>;
	rawBody: string;
	/** The parsed JSON body; undefined when there is none or it is no JSON. */
	body: unknown;
	/** The status that was written; undefined when no answer was. */
	status?: number;
	/** True once the service carried the operation out, whatever the caller got to see. */
	carriedOut: boolean;
}

/** The value of JSON text, or undefined when it is none. */
export function parseJson(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
}

function readQuery(search: string): Record<string, string | string[]> {
	const query: Record<string, string | string[]> = {};
	const params = new URLSearchParams(search);
	for (const name of new Set(params.keys())) {
		const values = params.getAll(name);
		query[name] = values.length === 1 ? values.join() : values;
	}
	return query;
}

/** Reads a request off the wire; its body was read as text before. */
export function recordRequest(request: Request): RecordedRequest {
	const url = request.originalUrl;
	const cut = url.indexOf('?');
	const path = cut < 0 ? url : url.slice(0, cut);
	const rawBody = typeof request.body === 'string' ? request.body : '';
	return {
		at: Date.now(),
		method: request.method,
		url,
		path,
		query: cut < 0 ? {} : readQuery(url.slice(cut + 1)),
		headers: { ...request.headers },
		rawBody,
		body: parseJson(rawBody),
		carriedOut: false,
	};
}

/** One header of a request; empty when absent. */
export function header(record: RecordedRequest, name: string): string {
	const found = record.headers[name];
	return Array.isArray(found) ? found.join(', ') : (found ?? '');
}

/** The request log as it may be shown: without the caller's key. */
export function publicLog(requests: RecordedRequest[]): RecordedRequest[] {
	return requests.map((record) => {
		const { authorization } = record.headers;
		const scheme = typeof authorization === 'string' ? authorization.split(/[\s=]/)[0] : undefined;
		return { ...record, headers: { ...record.headers, authorization: scheme } };
	});
}
