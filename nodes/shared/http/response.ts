import { Failure } from '../base/failure';
import type { ResponseSchema } from '../base/json';
import { truncate } from '../base/text';
import { CHECK_URL, doubtfulEnd, endOf, hintFor, isPassing } from './outcome';
import { isKept, isMessages, isRefused, quoted } from './proof';
import type { ApiRequest } from './request';
import { requestedPause } from './retry';
import type { Service } from './service';

/** The end of a message about a response that is not data. */
export const WEB_PAGE = ': a web page instead of data';

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
	try {
		const failure = failureIn(service, request, received, baseUrl);
		if (failure) return failure;
		const read = schema.safeParse(received.body);
		if (read.success) return { response: read.data };
	} catch {
		// It has values that no code expects, such as texts that are nested too deeply.
	}
	return unexpected(service, received);
}

/** Returns the failure that a response states; undefined if it states none. */
function failureIn(
	service: Service,
	request: ApiRequest,
	received: Received,
	baseUrl: string,
): Failure | undefined {
	const { status, body } = received;
	if (status >= 300 && status < 400) return redirected(service, request, received, baseUrl);
	const hasResults = service.reportsDoneItems?.(body) === true;
	// The results of its items say more than the status of a request that must not be repeated.
	if (hasResults && request.effect === 'notIdempotent') return undefined;
	const embedded = status < 300 ? service.embeddedErrorStatus?.(body) : undefined;
	if (status >= 400 || embedded) return byErrorStatus(service, request, received, embedded);
	if (request.method === 'GET' || hasResults) return undefined;
	// promise: confirmed
	if (isRefused(body) || (request.removes && isKept(body))) return unconfirmed(service, received);
	return undefined;
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
function byErrorStatus(
	service: Service,
	request: ApiRequest,
	{ status: head, headers, body }: Received,
	embedded: number | undefined,
): Failure {
	const status = embedded ?? head;
	const reason = truncate(service.messageIn(body));
	const named = service.refusedItems?.(body) ?? [];
	const refusedItems = named.map(({ key, reason }) => ({ key, reason: truncate(reason) }));
	const end = endOf(service, status, reason);
	const message = `${service.name} ${end === 'lost' ? 'failed' : 'refused the request'}`;
	const isOfGroup = reason !== undefined && service.groupMessage?.test(reason) === true;
	const stated = isOfGroup && !isPassing(end) ? 'group' : end;
	// A request whose error names some items may have been processed for the others, unless its status refuses all.
	const isPart = refusedItems.length > 0 && stated !== 'refused';
	const isDoubtful = embedded !== undefined || isPart;
	return new Failure(isDoubtful ? doubtfulEnd(stated, request) : stated, reason ?? message, {
		status,
		reason,
		refusedItems,
		hint: hintFor(service, reason, status),
		pause: requestedPause(headers, reason),
	});
}
