import type { Service } from './service';

// What the client says where the service gives no words or no reason.

const CHECK_URL = 'Check the Base URL of the credential';

const PLAIN_WORDS: Record<number, string> = {
	401: 'The API key was not accepted',
	403: 'The API key does not have permission',
	404: 'Nothing was found there',
	405: 'The service does not offer this',
	406: 'The service does not answer in JSON here',
	410: 'This was removed from the service',
	500: 'The service failed inside',
	407: 'A proxy on the way asks for a password',
	502: 'The service could not be reached behind its gateway',
	503: 'The service is down for maintenance',
	504: 'The service did not answer its gateway in time',
};

const ADVICE: Record<number, string> = {
	301: CHECK_URL,
	302: CHECK_URL,
	303: CHECK_URL,
	307: CHECK_URL,
	308: CHECK_URL,
	400: 'Correct the value that the message names, for this row',
	401: 'Check the API key of the credential',
	403: 'Use the API key of an administrator, or ask one for access',
	404: 'Check the ID, and the Base URL of the credential',
	405: 'The account or its API version may lack this operation',
	406: CHECK_URL,
	407: 'Check the proxy that n8n is set to use (HTTP_PROXY, HTTPS_PROXY)',
	410: 'Take this row out: what it names is gone for good',
};

/** The words of an answer that is plain text; a web page has none. */
export function plainText(body: unknown): string | undefined {
	const text = typeof body === 'string' ? body.trim() : '';
	return text === '' || text.startsWith('<') ? undefined : text.slice(0, 300);
}

/** Says what an answer without words means. */
export function defaultWords(service: Service, status: number): string {
	if (status < 400) return `${service.name} answered with a redirect, which is not followed`;
	return PLAIN_WORDS[status] ?? `${service.name} refused the request without saying why`;
}

/** What to do about a refusal: by the service's known messages, else by the HTTP code. */
export function adviceFor(
	service: Service,
	words: string | undefined,
	status: number,
): string | undefined {
	const known = service.advice.find((entry) => words !== undefined && entry.words.test(words));
	return known?.advice ?? ADVICE[status] ?? (status >= 500 ? 'Try again later' : undefined);
}
