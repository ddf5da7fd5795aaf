import { Refusal } from '../core/apiResponse';
import type { RecordedRequest } from '../core/requestLog';
import type { SettingsB } from './settings';

/** Messages by field name. */
export interface Messages {
	[field: string]: string[] | Messages;
}

/** Creates a validation error (400). */
export const invalid = (body: Messages): Refusal => new Refusal({ status: 400, body });

/** Creates a refusal with a `detail`. */
export const refusal = (status: number, detail: string): Refusal =>
	new Refusal({ status, body: { detail } });

export const notFound = () => refusal(404, 'Not Found');

/** Authenticates a request and checks its content type. */
export function guard(
	{ headers, rawBody, body }: RecordedRequest,
	{ apiKey, settings: { wrongKeyStatus } }: { apiKey: string; settings: SettingsB },
): void {
	const { authorization, accept = '*/*', 'content-type': type = '' } = headers;
	if (!authorization)
		throw refusal(wrongKeyStatus, 'Authentication credentials were not provided.');
	const [, key] = /^Token\s+(\S+)$/.exec(authorization) ?? [];
	if (!key) throw refusal(wrongKeyStatus, 'Invalid token header.');
	if (key !== apiKey) throw refusal(wrongKeyStatus, 'Invalid token.');
	if (!/(\*|application)\/(\*|json)/i.test(accept)) throw refusal(406, 'Not Acceptable');
	if (!/^application\/json\s*(;|$)/i.test(type)) {
		throw refusal(415, `Unsupported media type "${type}" in request.`);
	}
	if (rawBody !== '' && body === undefined) throw refusal(400, 'JSON parse error');
}
