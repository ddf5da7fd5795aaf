import { Failure } from '../base/failure';
import type { FailureKind } from '../base/failure';
import { isObject } from '../base/json';
import type { ResponseSchema } from '../base/json';
import { isBlank, quote, truncate } from '../base/text';
import type { ApiRequest } from './request';
import { doubtfulEnd } from './outcome';
import { isTransient, requestedPause } from './retry';
import type { Service } from './service';

// Reads responses, has messages and hints where the service gives none, and decides whether a write is confirmed.

/** The hint for a response that cannot come from the service. */
export const CHECK_URL = 'Check the Base URL of the credential';

/** The end of a message about a response that is not data. */
export const WEB_PAGE = ': a web page instead of data';

const CHECK_ROW = 'Check the values of this row';
const CORRECT_VALUE = 'Correct the value that the message names';
const CHECK_PLAN = 'Check the plan of the account in the service';
const NOT_SUPPORTED = 'The account or its API version may not support this operation';
const LATER = 'Try again later';

/** The message and the hint for a status, where the service gives none. */
const DEFAULTS: Record<number, [message: string | undefined, hint: string]> = {
	400: [undefined, CORRECT_VALUE],
	401: ['The API key was not accepted', 'Check the API key of the credential'],
	402: ['The account has to be paid for', CHECK_PLAN],
	403: [
		'The API key does not have permission',
		'Check what the owner of the API key may do in the service',
	],
	404: ['The resource was not found', 'Check the ID, and the Base URL of the credential'],
	405: ['The service does not support this request', NOT_SUPPORTED],
	406: ['The service did not return JSON', CHECK_URL],
	407: [
		'A proxy on the way asks for a password',
		'Check the proxy that n8n is set to use (HTTP_PROXY, HTTPS_PROXY)',
	],
	408: ['The service did not receive the request in time', LATER],
	409: [
		'The request conflicts with what the service has stored',
		'Get the record to see its current state, and correct the row',
	],
	410: ['The resource was removed', 'Remove the row. The resource may be gone for good'],
	411: ['A proxy or the service did not get the length of the request', CHECK_URL],
	413: ['The request is too large', 'Shorten the longest values of this row'],
	415: ['The service does not accept JSON', CHECK_URL],
	422: [undefined, CORRECT_VALUE],
	423: ['The record is locked', 'Unlock the record in the service, or try again later'],
	425: ['The service does not take the request yet', LATER],
	428: ['The service demands a condition that this request does not have', NOT_SUPPORTED],
	429: ['The service received too many requests', "Set 'Requests per Minute' in the credential"],
	431: [
		'The headers of the request are too large',
		'Check the API key of the credential for stray characters',
	],
	451: ['The service refuses for legal reasons', 'Ask the support of the service'],
	500: ['The service failed internally', LATER],
	502: ['The service is not reachable behind its gateway', LATER],
	503: ['The service is down for maintenance', LATER],
	504: ['The service did not respond to its gateway in time', LATER],
};

/** Returns the message for a status to which the service gives none. */
function defaultMessage(service: Service, status: number): string {
	return DEFAULTS[status]?.[0] ?? `${service.name} rejected the request without giving a reason`;
}

/** Returns the hint for a refusal: by the service's known messages, else by the HTTP status. */
export function hintFor(
	{ knownMessages = [], statusHints }: Service,
	message: string | undefined,
	status: number,
): string | undefined {
	if (message === undefined && [400, 422].includes(status)) return CHECK_ROW;
	const known = knownMessages.find(([one]) => message !== undefined && one.test(message));
	const hint = known?.[1] ?? statusHints?.[status] ?? DEFAULTS[status]?.[1];
	if (hint !== undefined || status < 400) return hint;
	return status >= 500 ? LATER : `Ask the support of the service what HTTP ${status} means here`;
}

/** Status codes that refuse the content of a request, and guarantee that it had no effect. */
const REFUSALS = new Set([400, 413, 422]);

/** Status codes that are refusals if the service gives a reason: without one, the URL may be wrong. */
const REFUSALS_WITH_REASON = new Set([404, 410]);

/** Status codes about the API key, a proxy's password, or what the account may do, which are the same for every item. */
const ACCOUNT_STATUSES = new Set([401, 403, 407]);

/** Returns how an attempt ended that has an error status. @param own the service's message */
function endOf({ groupMessage }: Service, status: number, own?: string): FailureKind {
	if (status === 429) return 'rateLimited';
	if (isTransient(status)) return 'lost';
	if (own !== undefined && groupMessage?.test(own)) return 'group';
	if (ACCOUNT_STATUSES.has(status)) return 'run';
	const isRefusal = own !== undefined && REFUSALS_WITH_REASON.has(status);
	return isRefusal || REFUSALS.has(status) ? 'refused' : 'failed';
}

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
): { response: Response } | Failure {
	const { status, body } = received;
	try {
		if (status >= 300 && status < 400) return redirected(service, request, received, baseUrl);
		// The results of its items say more than the status of a request that must not be repeated.
		const hasResults = request.effect === 'notIdempotent' && service.reportsDoneItems?.(body);
		if (!hasResults) {
			const embedded = status < 300 ? service.embeddedErrorStatus?.(body) : undefined;
			if (status >= 400 || embedded) return refused(service, request, received, embedded);
			// promise: confirmed
			if (request.method !== 'GET' && isRefused(body)) return unconfirmed(service, received);
		}
		const read = schema.safeParse(body);
		if (read.success) return { response: read.data };
	} catch {
		// It has values that no code expects, such as texts that are nested too deeply.
	}
	return unexpected(service, received);
}

/** The response has another shape than the contract shows, which may be temporary. */
function unexpected(service: Service, { status, body }: Received): Failure {
	const isPage = typeof body === 'string' && body.trimStart().startsWith('<');
	const shown = isPage ? WEB_PAGE : quoted(body);
	const message = `${service.name} returned an unexpected response${shown}`;
	return new Failure('lost', message, { status, hint: CHECK_URL });
}

/** The response to a write speaks against success, but does not say that nothing was done. */
function unconfirmed(service: Service, { status, body }: Received): Failure {
	const own = isMessages(body) ? truncate(service.messageIn(body)) : undefined;
	const message = own ?? `${service.name} did not confirm the request${quoted(body)}`;
	const hint = hintFor(service, own, status);
	return new Failure('unconfirmed', message, { hint, reason: own });
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
): Failure {
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
	// The same path elsewhere asks for the same request there. 303 and another page may follow a request that was carried out.
	const isMoved = base !== undefined && status !== 303;
	return new Failure(isMoved ? 'failed' : 'unconfirmed', message, { status, hint });
}

/** Handles an error status, in the head of the response or embedded in a 2xx. */
function refused(
	service: Service,
	request: ApiRequest,
	{ status: head, headers, body }: Received,
	embedded: number | undefined,
): Failure {
	const status = embedded ?? head;
	const reason = truncate(service.messageIn(body));
	const named = service.refusedItems?.(body) ?? [];
	const refusedItems = named.map(({ key, reason }) => ({ key, reason: truncate(reason) }));
	const stated = endOf(service, status, reason);
	// A request whose error names some items may have been processed for the others, unless its status refuses all.
	const isPart = refusedItems.length > 0 && stated !== 'refused';
	const isDoubtful = embedded !== undefined || isPart;
	return new Failure(
		isDoubtful ? doubtfulEnd(stated, request) : stated,
		reason ?? defaultMessage(service, status),
		{
			...{ status, reason, refusedItems, hint: hintFor(service, reason, status) },
			pause: requestedPause(headers, reason),
		},
	);
}

// A response confirms a write if it has a sign of success that the contract shows, and none against it. The operation's
// schema looks for the first; the second is decided here, for the whole response and for each item in it.

/** Statuses of an item that was not processed. */
const NEGATIVE =
	/fail|error|reject|denied|declin|refus|invalid|not.?(sent|found|allowed|eligible|valid|queued)|unsent|bounce|block|cancel|skip|throttl|ineligib/i;

const SENT = /^(sent|sending|queued)$/i;

/** Returns whether a status says that a survey is on its way. */
export function isSent(status: unknown): boolean {
	return typeof status === 'string' && SENT.test(status.trim());
}

/** Returns whether a response says true: some write it as text or as a number. */
export function isTrue(value: unknown): boolean {
	return /^(true|1)$/i.test(String(value));
}

/** Returns whether a response, or an item in it, says that it was not processed. */
export function isRefused(part: unknown): boolean {
	if (!isObject(part)) return isMessages(part);
	const { success, status, deleted, error, errors, detail, non_field_errors: others } = part;
	const isKept = 'deleted' in part && !isTrue(deleted);
	if (String(success).toLowerCase() === 'false' || NEGATIVE.test(String(status)) || isKept) {
		return true;
	}
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

/** Returns the failure of a write whose response has another value of a field than the one that was sent. */
export function notSaved(label: string, sent: unknown, saved: unknown): Failure | undefined {
	const isSaved = String(saved).toLowerCase() === String(sent).toLowerCase();
	if (isSaved || isBlank(sent) || isBlank(saved)) return undefined;
	const message = `'${label}' is ${quote(saved)} in the response, not ${quote(sent)}`;
	return new Failure('unconfirmed', message);
}
