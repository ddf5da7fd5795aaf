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
import { SurveyError } from './surveyError';
import type { ErrorDetails } from './surveyError';
import type { RawResponse, Transport } from './transport';
import { truncate } from './truncate';

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
	failure: SurveyError;
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
		if (error instanceof SurveyError) return final(caller, error.details);
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
	return retryable(caller, request, {
		message: `${caller.service.name} returned an unexpected response${isPage ? WEB_PAGE : ''}`,
		status: statusCode,
		hint: CHECK_URL,
	});
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
		return final(caller, {
			message: `The path '${path.slice(0, 200)}' cannot be requested`,
			hint: 'Enter a path that begins with a slash and has no query',
		});
	}
	const deadline = new Deadline(timeout, signal);
	const limits = { timeoutMs: Math.ceil(timeout * 1000), signal: deadline.signal };
	try {
		const response = await transport({ method, url, qs: query, body }, limits);
		const read = await readBody(response, credential.apiKey, deadline.signal);
		if (read !== TOO_LARGE) return { ...response, ...read };
		deadline.abandon();
		return final(caller, {
			message: `${service.name} returned more than ${MAX_BODY_MB} MB`,
			hint: 'Check the Base URL of the credential, or narrow the list by a filter',
			isTooLarge: true,
			uncertain: method !== 'GET',
		});
	} catch (error) {
		deadline.abandon();
		if (signal?.aborted) return { kind: 'final', failure: cancelled() };
		if (!deadline.isOver) return connectionFailure(caller, request, error);
		return retryable(caller, request, {
			message: `${service.name} did not respond within ${timeout} s`,
			hint: "Try again later, or increase 'Timeout'",
		});
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
		const failure = new SurveyError({
			message: `${service.name} could not be reached at ${credential.baseUrl}: ${reason}`,
			hint: hint ?? 'Check the Base URL of the credential, and whether the service is running',
		});
		return { kind: 'retryable', failure };
	}
	if (kind === 'broken') {
		return retryable(caller, request, {
			message: `The connection to ${service.name} closed before the response was complete`,
			hint: 'Try again later',
		});
	}
	// An unknown error may have happened after the request went out.
	if (kind === 'unknown') return retryable(caller, request, SurveyError.from(error).details);
	if (!reason) return final(caller, SurveyError.from(error).details);
	return final(caller, { message: `Nothing was sent to ${service.name}: ${reason}`, hint });
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
	const details = {
		message:
			message ?? (redirect ? `${service.name} ${redirect}` : defaultMessage(service, status)),
		status,
		hint: hintFor(service, message, status),
		isRunWide: ACCOUNT_STATUSES.has(status) || undefined,
	};
	const pause = requestedPause(headers['retry-after'], message);
	if (status === 429) return { kind: 'rateLimited', failure: toError(caller, details), pause };
	if (isTransient(status)) return { ...retryable(caller, request, details), pause };
	const refused = service
		.refusedRows(body)
		.map(({ key, reason }) => ({ key, reason: clean(reason) }));
	const isIdempotent = request.effect === 'idempotent';
	const isRefused = isRefusal(isIdempotent ? status : statusCode, message);
	const mayConcernOneRow = isRefused && !service.batchWideMessage?.test(details.message);
	// Without a refusal, a request that names failed rows may have been processed for the others.
	const hasNoEffect = isIdempotent || REFUSALS.has(statusCode) || refused.length === 0;
	const more = hasNoEffect ? { refused, mayConcernOneRow } : { uncertain: true };
	return final(caller, { ...details, ...more });
}

/** A 404 with a message refuses a record that does not exist; without one, the URL may be wrong. */
function isRefusal(status: number, message: string | undefined): boolean {
	return REFUSALS.has(status) || (status === 404 && message !== undefined);
}

/** A failure that is worth retrying if the request is idempotent; final otherwise. */
function retryable(caller: Caller, { effect }: ApiRequest, details: ErrorDetails): FailedAttempt {
	const uncertain = effect === 'notIdempotent';
	const failure = toError(caller, { ...details, uncertain });
	return { kind: uncertain ? 'final' : 'retryable', failure };
}

function final(caller: Caller, details: ErrorDetails): FailedAttempt {
	return { kind: 'final', failure: toError(caller, details) };
}

function toError({ credential: { apiKey } }: Caller, details: ErrorDetails): SurveyError {
	return redactKey(new SurveyError(details), apiKey);
}
