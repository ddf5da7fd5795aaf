import { Refusal } from '../core/apiResponse';
import { secondsToWait } from '../core/rateLimit';
import { header, type RecordedRequest } from '../core/requestLog';
import { invalid, refusal } from './refusals';
import type { SettingsA } from './settings';

interface Keys {
	apiKey: string;
	keyWithoutAccount: string;
}

function throttle(requests: RecordedRequest[], settings: SettingsA): void {
	const seconds = secondsToWait(requests, settings.rateLimit);
	if (seconds === 0) return;
	const headers = { 'retry-after': String(seconds) };
	throw new Refusal({ status: 429, headers, body: { code: 429, message: 'Too Many Requests' } });
}

function authenticate(request: RecordedRequest, keys: Keys): void {
	const authorization = header(request, 'authorization');
	if (!authorization) throw refusal(401, 'Missing authorization key (api_key).');
	const [scheme, key] = authorization.split(/=(.*)/s);
	if (scheme !== 'api_key') {
		const body = { statusCode: 401, error: 'Unauthorized', message: 'Authentication Required.' };
		throw new Refusal({ status: 401, body });
	}
	if (!key) throw refusal(401, 'Missing authorization key (api_key).');
	if (key === keys.keyWithoutAccount) throw refusal(401, 'Account not found');
	if (key !== keys.apiKey) throw refusal(401, 'Invalid API key.');
}

function requireJson(request: RecordedRequest): void {
	const type = header(request, 'content-type').split(';')[0]?.trim().toLowerCase();
	if (type !== 'application/json') throw invalid('Content-Type must be application/json');
	if (request.rawBody !== '' && request.body === undefined) throw invalid('Body is not JSON');
}

/** Throttles, authenticates, and checks the content type of a request. */
export function guard(
	request: RecordedRequest,
	{ requests, settings, ...keys }: Keys & { requests: RecordedRequest[]; settings: SettingsA },
): void {
	throttle(requests, settings);
	authenticate(request, keys);
	requireJson(request);
}
