import { secondsToWait } from './rateLimit';
import { header, type RecordedRequest } from '../core/requestLog';
import { refusal } from './refusals';
import type { SettingsB } from './settings';

interface Rules {
	requests: RecordedRequest[];
	settings: SettingsB;
	apiKey: string;
}

function throttle({ requests, settings }: Rules): void {
	const seconds = secondsToWait(requests, settings.rateLimit);
	if (seconds === 0) return;
	const detail = `Request was throttled. Expected available in ${seconds}.0 seconds.`;
	throw refusal(429, detail, { 'retry-after': String(seconds) });
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

/** Throttles, authenticates, and checks the content type of a request. */
export function guard(request: RecordedRequest, rules: Rules): void {
	if (rules.settings.maintenance) throw refusal(503, 'Service Unavailable');
	throttle(rules);
	authenticate(request, rules);
	requireJson(request);
}
