import { Refusal } from '../core/apiResponse';
import type { RecordedRequest } from '../core/requestLog';

/** Creates a refusal with an error body of the contract. */
export function refusal(code: number, message: string, error?: string): Refusal {
	const detail = error === undefined ? { data: null } : { error };
	return new Refusal({ status: code, body: { code, message, ...detail } });
}

export const invalid = (detail: string) => refusal(400, 'Validation failed', detail);

/** Creates the refusal of a batch; `data` has the rows that failed. */
export function invalidAddresses(data: object[] | null): Refusal {
	const message = 'Validation Error: Invalid email addresses';
	const body = { code: 400, success: false, status: 'error', message, data };
	return new Refusal({ status: 400, body });
}

/** Authenticates a request and checks its content type. */
export function guard(
	{ headers, rawBody, body }: RecordedRequest,
	keys: { apiKey: string; keyWithoutAccount: string },
): void {
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
