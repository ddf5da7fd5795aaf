import type { CommonSettings } from './settings';

/** The response of a service, before a fault changes it. */
export interface ApiResponse {
	status: number;
	headers?: Record<string, string>;
	/** Undefined: no body. A string is sent as plain text, anything else as JSON. */
	body?: unknown;
}

/** Thrown by a handler that rejects a request. The request had no effect. */
export class Refusal extends Error {
	constructor(readonly response: ApiResponse) {
		super(`Refused with ${response.status}`);
	}
}

/** Returns the 200 response with this body. */
export const ok = (body: unknown): ApiResponse => ({ status: 200, body });

/** A response ready to be written. The body is text, so that later changes of state do not change it. */
export interface RenderedResponse {
	status: number;
	headers: Record<string, string>;
	text: string;
}

/** Serializes a response. */
export function render({ status, headers = {}, body }: ApiResponse): RenderedResponse {
	if (body === undefined) return { status, headers, text: '' };
	const type = typeof body === 'string' ? 'text/plain' : 'application/json';
	const text = typeof body === 'string' ? body : JSON.stringify(body);
	return { status, headers: { 'content-type': `${type}; charset=utf-8`, ...headers }, text };
}

const ERROR_PAGE = '<!doctype html><title>Bad Gateway</title><h1>Bad Gateway</h1>';

/** Returns a response in the form that the settings ask for. A rate limit always has the form of the contract. */
function inForm(
	{ errors, successes, validationStatus }: CommonSettings,
	response: ApiResponse,
): ApiResponse {
	const status = response.status === 400 ? (validationStatus ?? 400) : response.status;
	if (status < 300 && successes === 'always200') {
		return { ...response, status: 200, body: response.body ?? {} };
	}
	if (status < 400 || status === 429 || errors === 'contract') return { ...response, status };
	if (errors === 'status200') return { ...response, status: 200 };
	return { status, headers: { 'content-type': 'text/html; charset=utf-8' }, body: ERROR_PAGE };
}

const ZONED_TIME = /"(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?)Z"/g;

const EMAIL = /"[^"@\s]+@[^"@\s]+"/g;

const NUMERIC_ID = /"(id|campaign_id)":(\d+)/g;

/** Serializes a response in the form that the settings ask for. */
export function renderFor(settings: CommonSettings, response: ApiResponse): RenderedResponse {
	const rendered = render(inForm(settings, response));
	let { text } = rendered;
	if (settings.times === 'noZone') text = text.replace(ZONED_TIME, '"$1"');
	if (settings.times === 'offset') text = text.replace(ZONED_TIME, '"$1+00:00"');
	if (settings.idsAsText) text = text.replace(NUMERIC_ID, '"$1":"$2"');
	if (settings.lowercaseEmails) text = text.replace(EMAIL, (email) => email.toLowerCase());
	if (settings.furtherFields)
		text = text.replace(/"email":/g, '"furtherField":{"list":[1]},"deleted":false,"email":');
	return { ...rendered, text };
}
