import type { AnswerSchema } from './answer';
import { MOST_MB, readBody, TOO_LARGE } from './body';
import { brief } from './brief';
import type { Credential } from './credential';
import { Deadline } from './deadline';
import { Failure } from './failure';
import type { FailureDetails } from './failure';
import { adviceFor, CHECK_URL, defaultWords, WEB_PAGE } from './messages';
import { networkError } from './networkError';
import { redactKey, redactText } from './redactKey';
import { MOST_REDIRECTS, redirectOf } from './redirect';
import type { Redirect } from './redirect';
import type { ApiRequest } from './request';
import { isTransient, pauseAsked } from './retry';
import type { Service } from './service';
import { cancelled } from './sleep';
import type { RawResponse, Transport } from './transport';

/** Status codes that refuse the content of a request, and guarantee that it had no effect. */
const REFUSALS = new Set([400, 413, 422]);

/** Status codes about the API key or a proxy's password, which are the same for every row. */
const NOT_OF_ROW = new Set([401, 407]);

/** All that one attempt needs. */
export interface Caller {
	transport: Transport;
	service: Service;
	credential: Pick<Credential, 'baseUrl' | 'apiKey'>;
	/** The longest time from the start of one attempt to the end of its response, in seconds. */
	timeout: number;
	/** Aborts when the run is cancelled. */
	signal?: AbortSignal;
}

/** A response whose body was read. */
type Response = RawResponse & { isRedacted: boolean };

/** A failed attempt, and whether it can be retried. */
export interface FailedAttempt {
	/** `rateLimited`: too many requests. `retryable`: a retry may succeed. `final`: it would not, or might do harm. */
	kind: 'rateLimited' | 'retryable' | 'final';
	failure: Failure;
	/** The pause that the service asks for, in ms. */
	pause?: number;
}

type AttemptResult<Answer> =
	| { kind: 'response'; response: Answer; isRedacted: boolean }
	| { kind: 'redirect'; to: Pick<ApiRequest, 'path' | 'query'> }
	| FailedAttempt;

/**
 * Sends a request once, and reads the response by the schema. Never throws.
 *
 * @param redirectsLeft how many redirects may still be followed
 */
export async function attempt<Answer>(
	caller: Caller,
	request: ApiRequest,
	schema: AnswerSchema<Answer>,
	redirectsLeft = MOST_REDIRECTS,
): Promise<AttemptResult<Answer>> {
	const response = await exchange(caller, request);
	if ('kind' in response) return response;
	const redirect = redirectOf(request, response, caller.credential.baseUrl, redirectsLeft);
	if (redirect && 'to' in redirect) return { kind: 'redirect', to: redirect.to };
	try {
		return readResponse(caller, request, response, schema, redirect);
	} catch (error) {
		// A schema may find a failure in the response; it may also stumble over a response that no code expects.
		if (!(error instanceof Failure)) return unexpected(caller, request, response);
		return { kind: 'final', failure: toFailure(caller, error.details) };
	}
}

function readResponse<Answer>(
	caller: Caller,
	request: ApiRequest,
	response: Response,
	schema: AnswerSchema<Answer>,
	redirect: Exclude<Redirect, { to: unknown }> | undefined,
): AttemptResult<Answer> {
	const { statusCode, body, isRedacted } = response;
	const embedded = statusCode < 300 ? caller.service.failureInside(body) : undefined;
	const status = embedded ?? statusCode;
	if (status >= 300) return failedAttempt(caller, request, response, status, redirect?.words);
	const read = schema.safeParse(body);
	if (!read.success) return unexpected(caller, request, response);
	return { kind: 'response', response: read.data, isRedacted };
}

/** The response has another shape than the contract shows, which may be temporary. */
function unexpected(caller: Caller, request: ApiRequest, { body, statusCode }: Response) {
	const isPage = typeof body === 'string' && body.trimStart().startsWith('<');
	const page = isPage ? WEB_PAGE : '';
	return retryable(caller, request, {
		words: `${caller.service.name} returned an unexpected response${page}`,
		status: statusCode,
		advice: CHECK_URL,
	});
}

/** Sends one request, and reads its whole response. */
async function exchange(caller: Caller, request: ApiRequest): Promise<Response | FailedAttempt> {
	const { transport, credential, timeout, signal } = caller;
	const { method, path, query, body } = request;
	const url = credential.baseUrl + path;
	if (!path.startsWith('/') || !isNormalizedUrl(url)) return invalidPath(request);
	const deadline = new Deadline(timeout, signal);
	const limits = { timeoutMs: Math.ceil(timeout * 1000), signal: deadline.signal };
	try {
		const response = await transport({ method, url, qs: query, body }, limits);
		const read = await readBody(response, credential.apiKey, deadline.signal);
		if (read !== TOO_LARGE) return { ...response, ...read };
		deadline.abandon();
		return tooLarge(caller, request);
	} catch (error) {
		deadline.abandon();
		if (signal?.aborted) return { kind: 'final', failure: cancelled() };
		return deadline.isOver ? tooSlow(caller, request) : withoutResponse(caller, request, error);
	} finally {
		deadline.release();
	}
}

/** Returns false for a URL that parsing changes: dots, a query, another host in its path. */
function isNormalizedUrl(url: string): boolean {
	return URL.canParse(url) && new URL(url).origin + new URL(url).pathname === url;
}

function invalidPath({ path }: ApiRequest): FailedAttempt {
	const failure = new Failure({
		words: `The path '${path.slice(0, 200)}' cannot be requested`,
		advice: 'Enter a path that begins with a slash and has no query',
	});
	return { kind: 'final', failure };
}

function tooSlow(caller: Caller, request: ApiRequest): FailedAttempt {
	return retryable(caller, request, {
		words: `${caller.service.name} did not respond within ${caller.timeout} s`,
		advice: "Try again later, or increase 'Timeout'",
	});
}

function tooLarge(caller: Caller, { method }: ApiRequest): FailedAttempt {
	const failure = new Failure({
		words: `${caller.service.name} returned more than ${MOST_MB} MB`,
		advice: 'Check the Base URL of the credential, or narrow the list by a filter',
		isTooLarge: true,
		uncertain: method !== 'GET',
	});
	return { kind: 'final', failure };
}

function withoutResponse(caller: Caller, request: ApiRequest, error: unknown): FailedAttempt {
	const { service, credential } = caller;
	const { kind, reason, advice } = networkError(error, credential.baseUrl);
	const because = reason === undefined ? '' : `: ${reason}`;
	if (kind === 'never connected') {
		const failure = new Failure({
			words: `${service.name} could not be reached at ${credential.baseUrl}${because}`,
			advice: advice ?? 'Check the Base URL of the credential, and whether the service is running',
		});
		return { kind: 'retryable', failure };
	}
	if (kind === 'broken') {
		return retryable(caller, request, {
			words: `The connection to ${service.name} closed before the response was complete`,
			advice: 'Try again later',
		});
	}
	// An unknown error may have happened after the request went out.
	if (kind === 'unknown') return retryable(caller, request, Failure.from(error).details);
	const details = reason
		? { words: `Nothing was sent to ${service.name}${because}`, advice }
		: Failure.from(error).details;
	return { kind: 'final', failure: toFailure(caller, details) };
}

/** Handles a response with an error status, in its head or embedded in a 200. */
function failedAttempt(
	caller: Caller,
	request: ApiRequest,
	{ statusCode, headers, body }: Response,
	status: number,
	redirect: string | undefined,
): FailedAttempt {
	const { service, credential } = caller;
	const message = shortened(service.words(body), credential.apiKey);
	const details = {
		words: message ?? (redirect ? `${service.name} ${redirect}` : defaultWords(service, status)),
		status,
		advice: adviceFor(service, message, status),
		isOfRun: NOT_OF_ROW.has(status) || undefined,
	};
	const pause = pauseAsked(headers['retry-after'], message);
	if (status === 429) return { kind: 'rateLimited', failure: toFailure(caller, details), pause };
	if (isTransient(status)) return { ...retryable(caller, request, details), pause };
	const refused = service.refusedRows(body).map((row) => ({
		...row,
		reason: shortened(row.reason, credential.apiKey) ?? '',
	}));
	const isIdempotent = request.effect === 'idempotent';
	const isRefused = isRefusal(isIdempotent ? status : statusCode, message);
	const mayBeOneRow = isRefused && !service.ofWholeBatch?.test(message ?? '');
	// Without a refusal, a request that names failed rows may have been processed for the others.
	const hasNoEffect = isIdempotent || REFUSALS.has(statusCode) || refused.length === 0;
	const more = hasNoEffect ? { refused, mayBeOneRow } : { uncertain: true };
	return { kind: 'final', failure: toFailure(caller, { ...details, ...more }) };
}

/** Returns what the service wrote without the key. Cutting comes last: it could leave a part of the key. */
function shortened(message: string | undefined, apiKey: string): string | undefined {
	return message === undefined ? undefined : brief(redactText(message, apiKey));
}

/** A 404 with a message refuses a record that does not exist; without one, the URL may be wrong. */
function isRefusal(status: number, message: string | undefined): boolean {
	return REFUSALS.has(status) || (status === 404 && message !== undefined);
}

/** A failure that is worth retrying if the request is idempotent; final otherwise. */
function retryable(caller: Caller, { effect }: ApiRequest, details: FailureDetails): FailedAttempt {
	const uncertain = effect === 'notIdempotent';
	return {
		kind: uncertain ? 'final' : 'retryable',
		failure: toFailure(caller, { ...details, uncertain }),
	};
}

function toFailure({ credential: { apiKey } }: Caller, details: FailureDetails): Failure {
	return redactKey(new Failure(details), apiKey);
}
