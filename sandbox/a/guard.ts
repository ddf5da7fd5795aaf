import { Refusal } from '../core/apiResponse';
import { header, type RecordedRequest } from '../core/requestLog';
import { invalid, refusal } from './refusals';

interface Keys {
	apiKey: string;
	keyWithoutAccount: string;
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

/** Authenticates a request and checks its content type. */
export function guard(request: RecordedRequest, keys: Keys): void {
	authenticate(request, keys);
	requireJson(request);
}
