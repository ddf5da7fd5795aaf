import type { Service } from './service';

// Messages and hints for responses to which the service gives none.

/** The hint for a response that cannot come from the service. */
export const CHECK_URL = 'Check the Base URL of the credential';

/** The end of a message about a response that is not data. */
export const WEB_PAGE = ': a web page instead of data';

const DEFAULT_MESSAGES: Record<number, string> = {
	401: 'The API key was not accepted',
	403: 'The API key does not have permission',
	404: 'The resource was not found',
	405: 'The service does not support this request',
	406: 'The service did not return JSON',
	407: 'A proxy on the way asks for a password',
	410: 'The resource was removed',
	500: 'The service failed internally',
	502: 'The service is not reachable behind its gateway',
	503: 'The service is down for maintenance',
	504: 'The service did not respond to its gateway in time',
};

const DEFAULT_HINTS: Record<number, string> = {
	400: 'Correct the value that the message names',
	401: 'Check the API key of the credential',
	403: 'Check what the owner of the API key may do in the service',
	404: 'Check the ID, and the Base URL of the credential',
	405: 'The account or its API version may not support this operation',
	406: CHECK_URL,
	407: 'Check the proxy that n8n is set to use (HTTP_PROXY, HTTPS_PROXY)',
	410: 'Remove the row. The resource may be gone for good',
};

/** Returns the message for a status to which the service gives none. */
export function defaultMessage(service: Service, status: number): string {
	if (status < 400) return `${service.name} returned a redirect, which is not followed`;
	return DEFAULT_MESSAGES[status] ?? `${service.name} rejected the request without giving a reason`;
}

/** Returns the hint for a refusal: by the service's known messages, else by the HTTP status. */
export function hintFor(
	{ knownMessages, statusHints }: Service,
	message: string | undefined,
	status: number,
): string | undefined {
	if (message === undefined && status === 400) return 'Check the values of this row';
	const known = knownMessages.find((entry) => message !== undefined && entry.message.test(message));
	const byStatus = statusHints?.[status] ?? DEFAULT_HINTS[status];
	if (known || byStatus) return known?.hint ?? byStatus;
	if (status >= 500) return 'Try again later';
	return status >= 300 && status < 400 ? CHECK_URL : undefined;
}
