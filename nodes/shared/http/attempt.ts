import { MAX_BODY_MB, readBody, TOO_LARGE } from './body';
import type { Credential } from './credential';
import { Deadline } from './deadline';
import type { ResponseSchema } from './json';
import { CHECK_URL, defaultMessage, hintFor, WEB_PAGE } from './messages';
import { networkError } from './networkError';
import { redactKey, redactText } from './redactKey';
import { MAX_REDIRECTS, redirectOf } from './redirect';
import type { ApiRequest } from './request';
import { isTransient, requestedPause } from './retry';
import type { Service } from './service';
import { cancelled } from './sleep';
import { Failure } from '../base/failure';
import type { RawResponse, Transport } from './transport';
import { truncate } from '../base/text';

/** Status codes that refuse the content of a request, and guarantee that it had no effect. */
const REFUSALS = new Set([400, 413, 422]);

/** Status codes about the API key or a proxy's password, which are the same for every row. */
const ACCOUNT_STATUSES = new Set([401, 407]);

export interface Caller {
	transport: Transport;
	service: Service;
	credential: Pick<Credential, 'baseUrl' | 'apiKey'>;
	/** The longest time from the start of one attempt to the end of its response, in seconds. */
	timeout: number;
	/** Aborts when the run is cancelled. */
	signal?: AbortSignal;
}

type ReceivedResponse = RawResponse & { isRedacted: boolean };

/** A failed attempt, and whether it can be retried. */
export interface FailedAttempt {
	/** `rateLimited`: too many requests. `retryable`: a retry may succeed. `final`: it would not, or might do harm. */
	kind: 'rateLimited' | 'retryable' | 'final';
	failure: Failure;
	/** The pause that the service asks for, in ms. */
	pause?: number;
}

type AttemptResult<Response> =
	| { kind: 'response'; response: Response; isRedacted: boolean }
	| { kind: 'redirect'; to: Pick<ApiRequest, 'path' | 'query'> }
	| FailedAttempt;

/**
 * Sends a request once, and reads the response by the schema. Never throws.
 *
 * @param redirectsLeft how many redirects may still be followed
 */
export async function attempt<Response>(
	caller: Caller,
	request: ApiRequest,
	schema: ResponseSchema<Response>,
	redirectsLeft = MAX_REDIRECTS,
): Promise<AttemptResult<Response>> {
	const response = await exchange(caller, request);
	if ('kind' in response) return response;
	const redirect = redirectOf(request, response, caller.credential.baseUrl, redirectsLeft);
	if (redirect && 'to' in redirect) return { kind: 'redirect', to: redirect.to };
	const { statusCode, body, isRedacted } = response;
	try {
		const embedded = statusCode < 300 ? caller.service.embeddedErrorStatus(body) : undefined;
		const status = embedded ?? statusCode;
		if (status >= 300) return failedAttempt(caller, request, response, status, redirect?.problem);
		const read = schema.safeParse(body);
		if (read.success) return { kind: 'response', response: read.data, isRedacted };
	} catch (error) {
		// A schema may find an error in the response; any other one means that no code expects the response.
		if (error instanceof Failure) return final(caller, error);
	}
	return unexpectedResponse(caller, request, response);
}

/** The response has another shape than the contract shows, which may be temporary. */
function unexpectedResponse(
	caller: Caller,
	request: ApiRequest,
	{ body, statusCode }: ReceivedResponse,
): FailedAttempt {
	const isPage = typeof body === 'string' && body.trimStart().startsWith('<');
	const message = `${caller.service.name} returned an unexpected response${isPage ? WEB_PAGE : ''}`;
	const failure = new Failure('failed', message, { status: statusCode, hint: CHECK_URL });
	return retryable(caller, request, failure);
}

/** Sends one request, and reads its whole response. */
async function exchange(
	caller: Caller,
	request: ApiRequest,
): Promise<ReceivedResponse | FailedAttempt> {
	const { transport, service, credential, timeout, signal } = caller;
	const { method, path, query, body } = request;
	const url = credential.baseUrl + path;
	if (!path.startsWith('/') || !isNormalizedUrl(url)) {
		const message = `The path '${path.slice(0, 200)}' cannot be requested`;
		const hint = 'Enter a path that begins with a slash and has no query';
		return final(caller, new Failure('value', message, { hint }));
	}
	const deadline = new Deadline(timeout, signal);
	const limits = { timeoutMs: Math.ceil(timeout * 1000), signal: deadline.signal };
	try {
		const response = await transport({ method, url, qs: query, body }, limits);
		const read = await readBody(response, credential.apiKey, deadline.signal);
		if (read !== TOO_LARGE) return { ...response, ...read };
		deadline.abandon();
		const kind = method === 'GET' ? 'tooLarge' : 'uncertain';
		const message = `${service.name} returned more than ${MAX_BODY_MB} MB`;
		const hint = 'Check the Base URL of the credential, or narrow the list by a filter';
		return final(caller, new Failure(kind, message, { hint }));
	} catch (error) {
		deadline.abandon();
		if (signal?.aborted) return { kind: 'final', failure: cancelled('failed') };
		if (!deadline.isOver) return connectionFailure(caller, request, error);
		const message = `${service.name} did not respond within ${timeout} s`;
		const hint = "Try again later, or increase 'Timeout'";
		return retryable(caller, request, new Failure('failed', message, { hint }));
	} finally {
		deadline.release();
	}
}

/** Returns false for a URL that parsing changes: dots, a query, another host in its path. */
function isNormalizedUrl(url: string): boolean {
	return URL.canParse(url) && new URL(url).origin + new URL(url).pathname === url;
}

function connectionFailure(caller: Caller, request: ApiRequest, error: unknown): FailedAttempt {
	const { service, credential } = caller;
	const { kind, reason, hint } = networkError(error, credential.baseUrl);
	if (kind === 'never connected') {
		const failure = new Failure(
			'failed',
			`${service.name} could not be reached at ${credential.baseUrl}: ${reason}`,
			{ hint: hint ?? 'Check the Base URL of the credential, and whether the service is running' },
		);
		return { kind: 'retryable', failure };
	}
	if (kind === 'broken') {
		const message = `The connection to ${service.name} closed before the response was complete`;
		const failure = new Failure('failed', message, { hint: 'Try again later' });
		return retryable(caller, request, failure);
	}
	// An unknown error may have happened after the request went out.
	if (kind === 'unknown') return retryable(caller, request, Failure.from(error));
	if (!reason) return final(caller, Failure.from(error));
	const message = `Nothing was sent to ${service.name}: ${reason}`;
	return final(caller, new Failure('failed', message, { hint }));
}

/** Handles a response with an error status, in its head or embedded in a 200. */
function failedAttempt(
	caller: Caller,
	request: ApiRequest,
	{ statusCode, headers, body }: ReceivedResponse,
	status: number,
	redirect: string | undefined,
): FailedAttempt {
	const { service, credential } = caller;
	// Truncating comes last: it could leave a part of the key.
	const clean = (text: string) => truncate(redactText(text, credential.apiKey));
	const own = service.messageIn(body);
	const message = own && clean(own);
	const failure = new Failure(
		ACCOUNT_STATUSES.has(status) ? 'run' : 'failed',
		message ?? (redirect ? `${service.name} ${redirect}` : defaultMessage(service, status)),
		{ status, hint: hintFor(service, message, status) },
	);
	const pause = requestedPause(headers['retry-after'], message);
	if (status === 429) return { ...final(caller, failure), kind: 'rateLimited', pause };
	if (isTransient(status)) return { ...retryable(caller, request, failure), pause };
	const refusedRows = service
		.refusedRows(body)
		.map(({ key, reason }) => ({ key, reason: clean(reason) }));
	const isIdempotent = request.effect === 'idempotent';
	const isRefused = isRefusal(isIdempotent ? status : statusCode, message);
	const mayConcernOneRow = isRefused && !service.batchWideMessage?.test(failure.message);
	// Without a refusal, a request that names failed rows may have been processed for the others.
	const hasNoEffect = isIdempotent || REFUSALS.has(statusCode) || refusedRows.length === 0;
	if (!hasNoEffect) return final(caller, failure.with({ kind: 'uncertain' }));
	const kind = mayConcernOneRow ? 'refused' : failure.kind;
	return final(caller, failure.with({ kind, refusedRows }));
}

/** A 404 with a message refuses a record that does not exist; without one, the URL may be wrong. */
function isRefusal(status: number, message: string | undefined): boolean {
	return REFUSALS.has(status) || (status === 404 && message !== undefined);
}

/** A failure that is worth retrying if the request is idempotent; final otherwise. */
function retryable(caller: Caller, { effect }: ApiRequest, failure: Failure): FailedAttempt {
	if (effect === 'notIdempotent') return final(caller, failure.with({ kind: 'uncertain' }));
	return { ...final(caller, failure), kind: 'retryable' };
}

function final({ credential: { apiKey } }: Caller, failure: Failure): FailedAttempt {
	return { kind: 'final', failure: redactKey(failure, apiKey) };
}
