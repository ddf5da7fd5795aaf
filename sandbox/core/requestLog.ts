import type { Request } from 'express';

/** A request as it was received, and its result. */
export interface RecordedRequest {
	/** `Date.now()` on arrival. */
	at: number;
	method: string;
	/** Path and query, still encoded. */
	url: string;
	path: string;
	query: Record<string, string | string[]>;
	headers: Record<string, string | string[] | undefined>;
	rawBody: string;
	/** The parsed body; undefined if it is not JSON. */
	body: unknown;
	/** The status that was sent; undefined if there was no response. */
	status?: number;
	/** True once the service carried out the operation, even if the client received no response. */
	carriedOut: boolean;
}

/** Parses JSON; returns undefined for invalid JSON. */
function parseJson(text: string): unknown {
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

/** Records a request whose body was read as text before. */
export function recordRequest(request: Request): RecordedRequest {
	const url = request.originalUrl;
	const [path = ''] = url.split('?', 1);
	const rawBody = typeof request.body === 'string' ? request.body : '';
	return {
		at: Date.now(),
		method: request.method,
		url,
		path,
		query: readQuery(url.slice(path.length)),
		headers: { ...request.headers },
		rawBody,
		body: parseJson(rawBody),
		carriedOut: false,
	};
}

/** Returns a header of a request; empty if absent. */
export function header(record: RecordedRequest, name: string): string {
	const found = record.headers[name];
	return Array.isArray(found) ? found.join(', ') : (found ?? '');
}

const SECRET_HEADER = /authorization|cookie|token|secret|api-?key|password/i;
const MASK = '••••';

/** Keeps the scheme of an Authorization header, for example `api_key=` or `Token `. */
function mask(name: string, value: string): string {
	const scheme = name === 'authorization' ? /^[\w-]+[= ]/.exec(value)?.[0] : undefined;
	return `${scheme ?? ''}${MASK}`;
}

/** Returns the log without keys, cookies, and other secrets in headers. */
export function maskedLog(requests: RecordedRequest[]): RecordedRequest[] {
	return requests.map((record) => {
		const headers = Object.keys(record.headers).map((name) => {
			const value = header(record, name);
			return [name, SECRET_HEADER.test(name) ? mask(name, value) : value];
		});
		return { ...record, headers: Object.fromEntries(headers) };
	});
}
