import { Failure } from '../base/failure';
import { isObject } from '../base/json';
import type { ResponseSchema } from '../base/json';
import { isBlank, quote, truncate } from '../base/text';
import type { ApiRequest } from './request';
import { isTransient, requestedPause } from './retry';
import type { FailedAttempt } from './retry';
import type { Service } from './service';

// Reads responses, has messages and hints where the service gives none, and decides whether a write is confirmed.

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
	429: 'The service received too many requests',
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
function defaultMessage(service: Service, status: number): string {
	return DEFAULT_MESSAGES[status] ?? `${service.name} rejected the request without giving a reason`;
}

/** Returns the hint for a refusal: by the service's known messages, else by the HTTP status. */
export function hintFor(
	{ knownMessages, statusHints }: Service,
	message: string | undefined,
	status: number,
): string | undefined {
	if (message === undefined && status === 400) return 'Check the values of this row';
	const known = knownMessages.find(([one]) => message !== undefined && one.test(message));
	const hint = known?.[1] ?? statusHints?.[status] ?? DEFAULT_HINTS[status];
	return hint ?? (status >= 500 ? 'Try again later' : undefined);
}

/** Status codes that refuse the content of a request, and guarantee that it had no effect. */
const REFUSALS = new Set([400, 413, 422]);

/** Status codes about the API key or a proxy's password, which are the same for every row. */
const ACCOUNT_STATUSES = new Set([401, 407]);

/** A response whose body was read, without the API key. */
export interface Received {
	status: number;
	headers: Record<string, unknown>;
	/** Parsed if it is JSON, else text. */
	body: unknown;
}

/** Reads a response by its status and by the schema: the data, or why there is none. */
export function readResponse<Response>(
	service: Service,
	request: ApiRequest,
	received: Received,
	schema: ResponseSchema<Response>,
	baseUrl: string,
): { response: Response } | FailedAttempt {
	const { status, body } = received;
	try {
		const embedded = status < 300 ? service.embeddedErrorStatus(body) : undefined;
		if (status >= 300 && status < 400) return redirected(service, request, received, baseUrl);
		if ((embedded ?? status) >= 400) return refused(service, request, received, embedded ?? status);
		const read = schema.safeParse(body);
		if (read.success) return { response: read.data };
	} catch (error) {
		// A schema may find an error in the response; any other one means that no code expects the response.
		if (error instanceof Failure) return { cause: 'final', failure: error };
	}
	return unexpected(service, received);
}

/** The response has another shape than the contract shows, which may be temporary. */
function unexpected(service: Service, { status, body }: Received): FailedAttempt {
	const isPage = typeof body === 'string' && body.trimStart().startsWith('<');
	const shown = isPage ? WEB_PAGE : quoted(body);
	const message = `${service.name} returned an unexpected response${shown}`;
	return { cause: 'lost', failure: new Failure('failed', message, { status, hint: CHECK_URL }) };
}

/** Returns the end of a message that quotes an object or an array. */
export function quoted(body: unknown): string {
	if (typeof body !== 'object' || body === null) return '';
	try {
		return `: ${JSON.stringify(body)}`;
	} catch {
		// It is nested too deeply.
		return '';
	}
}

/** A redirect is not followed: the key goes nowhere else. The message names the URL, without its query. */
function redirected(
	service: Service,
	{ path }: ApiRequest,
	{ status, headers: { location }, body }: Received,
	baseUrl: string,
): FailedAttempt {
	const own = truncate(service.messageIn(body));
	const url = typeof location === 'string' && URL.canParse(location, baseUrl) ? location : '';
	const { origin, pathname } = new URL(url, baseUrl);
	const target = origin + pathname;
	const other = target.endsWith(path) ? target.slice(0, -path.length) : baseUrl;
	const base = other === baseUrl ? undefined : other;
	const where = url ? `to ${base ?? target}` : 'without saying where to';
	const message = (url ? undefined : own) ?? `${service.name} redirects ${where}`;
	const hint = base
		? `If this is ${service.name}, enter ${base} as the Base URL of the credential`
		: CHECK_URL;
	return { cause: 'final', failure: new Failure('failed', message, { status, hint }) };
}

/** Handles an error status, in the head of the response or embedded in a 200. */
function refused(
	service: Service,
	{ effect }: ApiRequest,
	received: Received,
	status: number,
): FailedAttempt {
	const { headers, body } = received;
	const own = truncate(service.messageIn(body));
	const message = own ?? defaultMessage(service, status);
	const hint = hintFor(service, own, status);
	const pause = requestedPause(headers, own);
	const failure = new Failure('failed', message, { status, hint });
	if (status === 429) return { cause: 'rateLimited', failure, pause };
	if (isTransient(status)) return { cause: 'lost', failure, pause };
	const refusedRows = service
		.refusedRows(body)
		.map(({ key, reason }) => ({ key, reason: truncate(reason) }));
	const isRepeatable = effect === 'idempotent';
	// A request that names failed rows may have been processed for the others, if its status is no refusal.
	if (!isRepeatable && refusedRows.length > 0 && !REFUSALS.has(received.status)) {
		return { cause: 'final', failure: failure.with({ kind: 'uncertain' }) };
	}
	const refusal = isRepeatable ? status : received.status;
	// A 404 with a message refuses a record that does not exist; without one, the URL may be wrong.
	const isRefusal = REFUSALS.has(refusal) || (refusal === 404 && own !== undefined);
	const isAboutRow = isRefusal && !service.batchWideMessage?.test(message);
	const kind = ACCOUNT_STATUSES.has(status) ? 'run' : isAboutRow ? 'refused' : 'failed';
	return { cause: 'final', failure: failure.with({ kind, refusedRows }) };
}

// A response confirms a write if it has a sign of success that the contract shows, and none against it. The operation's
// schema looks for the first; the second is decided here, for the whole response and for each row in it.

/** Statuses of a row that was not processed. */
const NEGATIVE =
	/fail|error|reject|denied|declin|refus|invalid|not.?(sent|found|allowed|eligible|valid|queued)|unsent|bounce|block|cancel|skip|throttl|ineligib/i;

const SENT = /^(sent|sending|queued)$/i;

/** Returns whether a status says that a survey is on its way. */
export function isSent(status: unknown): boolean {
	return typeof status === 'string' && SENT.test(status.trim());
}

/** Returns whether a response, or a row in it, says that it was not processed. */
export function isRefused(part: unknown): boolean {
	if (!isObject(part)) return isMessages(part);
	const { success, status, error, errors, detail, non_field_errors: others } = part;
	if (String(success).toLowerCase() === 'false' || NEGATIVE.test(String(status))) return true;
	return [error, errors, detail, others].some(isReason) || isMessages(part);
}

function isReason(value: unknown): boolean {
	return typeof value === 'object' && value !== null
		? Object.keys(value).length > 0
		: Boolean(value);
}

/** Returns whether a body has nothing but lists of sentences, at any depth, as validation errors have. */
function isMessages(part: unknown): boolean {
	if (Array.isArray(part))
		return part.length > 0 && part.every((one) => typeof one === 'string' && /\S\s/.test(one));
	const inside = isObject(part) ? Object.values(part) : [];
	return inside.length > 0 && inside.every(isMessages);
}

/** Throws a Failure if the response to a write speaks against success. */
export function confirm(service: Service, request: ApiRequest, body: unknown): void {
	if (!isRefused(body)) return;
	const own = isMessages(body) ? service.messageIn(body) : undefined;
	const message = own ?? `${service.name} did not confirm the request${quoted(body)}`;
	// The response does not say that nothing was done.
	const kind = request.effect === 'notIdempotent' ? 'uncertain' : 'failed';
	throw new Failure(kind, message, { hint: hintFor(service, message, 200) });
}

/** Returns the failure of a write whose response has another value of a field than the one that was sent. */
export function notSaved(label: string, sent: unknown, saved: unknown): Failure | undefined {
	const isSaved = String(saved).toLowerCase() === String(sent).toLowerCase();
	if (isSaved || isBlank(sent) || isBlank(saved)) return undefined;
	return new Failure('failed', `'${label}' is ${quote(saved)} in the response, not ${quote(sent)}`);
}
