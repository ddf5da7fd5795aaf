import { header, type RecordedRequest } from '../core/requestLog';
import { refusal } from './refusals';
import type { SettingsB } from './settings';

interface Rules {
	settings: SettingsB;
	apiKey: string;
}

function authenticate(request: RecordedRequest, { apiKey, settings }: Rules): void {
	const status = settings.wrongKeyStatus;
	const authorization = header(request, 'authorization');
	if (!authorization) throw refusal(status, 'Authentication credentials were not provided.');
	const [scheme, key, ...rest] = authorization.split(/\s+/);
	if (scheme !== 'Token' || !key || rest.length > 0) throw refusal(status, 'Invalid token header.');
	if (key !== apiKey) throw refusal(status, 'Invalid token.');
}

function acceptsJson(accept: string): boolean {
	const types = accept.split(',').map((type) => type.split(';')[0]?.trim().toLowerCase());
	return types.some(
		(type) => type === '*/*' || type === 'application/*' || type === 'application/json',
	);
}

function requireJson(request: RecordedRequest): void {
	const accept = header(request, 'accept');
	if (accept !== '' && !acceptsJson(accept)) throw refusal(406, 'Not Acceptable');
	const type = header(request, 'content-type');
	if (type.split(';')[0]?.trim().toLowerCase() !== 'application/json') {
		throw refusal(415, `Unsupported media type "${type}" in request.`);
	}
	if (request.rawBody !== '' && request.body === undefined) throw refusal(400, 'JSON parse error');
}

/** Authenticates a request and checks its content type. */
export function guard(request: RecordedRequest, rules: Rules): void {
	authenticate(request, rules);
	requireJson(request);
}
