import { Refusal } from '../core/apiResponse';
import type { RecordedRequest } from '../core/requestLog';
import { invalid, refusal } from './refusals';

interface Keys {
	apiKey: string;
	keyWithoutAccount: string;
}

/** Authenticates a request and checks its content type. */
export function guard({ headers, rawBody, body }: RecordedRequest, keys: Keys): void {
	const [scheme, key] = (headers.authorization || 'api_key=').split(/=(.*)/s);
	if (scheme !== 'api_key') {
		const message = 'Authentication Required.';
		throw new Refusal({ status: 401, body: { statusCode: 401, error: 'Unauthorized', message } });
	}
	if (!key) throw refusal(401, 'Missing authorization key (api_key).');
	if (key === keys.keyWithoutAccount) throw refusal(401, 'Account not found');
	if (key !== keys.apiKey) throw refusal(401, 'Invalid API key.');
	if (!/^application\/json\s*(;|$)/i.test(headers['content-type'] ?? '')) {
		throw invalid('Content-Type must be application/json');
	}
	if (rawBody !== '' && body === undefined) throw invalid('Body is not JSON');
}
