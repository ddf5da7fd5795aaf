import type { Request } from 'express';

/** A request as it was received, and its result. */
export interface RecordedRequest {
	/** `Date.now()` on arrival. */
	at: number;
	method: string;
	/** Path and query, still encoded. */
	url: string;
	path: string;
	query: Request['query'];
	headers: Request['headers'];
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
		query: request.query,
		headers: request.headers,
		rawBody,
		body: parseJson(rawBody),
		carriedOut: false,
	};
}

const SECRET = /authorization|cookie|token|secret|api-?key|password/i;

/** Returns the log as JSON. Keys, cookies, and other secrets in headers are masked, but not the scheme of a key. */
export function maskedLog(requests: RecordedRequest[]): string {
	const mask = (name: string, value: unknown) =>
		SECRET.test(name) ? String(value).replace(/^(api_key=|Token )?.*/, '$1••••') : value;
	return JSON.stringify(requests, mask);
}
