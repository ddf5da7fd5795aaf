import { Failure } from '../base/failure';
import { truncate } from '../base/text';
import { isObject } from '../base/json';
import type { ResponseSchema } from '../base/json';
import { CHECK_URL, defaultMessage, hintFor, WEB_PAGE } from './messages';
import type { ApiRequest } from './request';
import { isTransient, requestedPause } from './retry';
import type { FailedAttempt } from './retry';
import type { Service } from './service';

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
	const shown = isObject(body) ? `: ${JSON.stringify(body)}` : '';
	const message = `${service.name} returned an unexpected response${isPage ? WEB_PAGE : shown}`;
	return { cause: 'lost', failure: new Failure('failed', message, { status, hint: CHECK_URL }) };
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
