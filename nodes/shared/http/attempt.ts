import type { IN8nHttpFullResponse } from 'n8n-workflow';
import type { z } from 'zod/v4';

import { MOST_MB, readBody, TOO_LARGE } from './body';
import type { Credential } from './credential';
import { Deadline } from './deadline';
import { Failure, redactKey } from './failure';
import type { FailureDetails } from './failure';
import { networkError } from './networkError';
import type { ApiRequest } from './request';
import { isTransient, pauseAsked } from './retry';
import type { Service } from './service';
import { adviceFor, defaultWords } from './messages';
import { cancelled } from './sleep';
import type { Transport } from './transport';

/** Answers that refuse what a request holds, and mean that nothing of it was carried out. */
const REFUSALS = new Set([400, 413, 422]);

/** Who asks: all that one attempt needs. */
export interface Caller {
	transport: Transport;
	service: Service;
	credential: Pick<Credential, 'baseUrl' | 'apiKey'>;
	/** The longest that one request may take, to the end of its answer, in seconds. */
	timeout: number;
	/** Aborts when the run is cancelled. */
	signal?: AbortSignal;
}

/** An answer, read to its end. */
type Reply = Omit<IN8nHttpFullResponse, 'body'> & { body: unknown };

/** An attempt that brought no answer, and what may be done about it. */
export interface FailedAttempt {
	/** `rateLimited`: asked too often. `retryable`: a repetition may better it. `final`: it stays so. */
	kind: 'rateLimited' | 'retryable' | 'final';
	failure: Failure;
	/** How long the service asks to be left alone, in ms. */
	pause?: number;
}

type AttemptResult<Answer> = { kind: 'response'; response: Answer } | FailedAttempt;

/** Reads may be redirected below the base URL, this often. */
const MOST_REDIRECTS = 3;
const REDIRECTS = new Set([301, 302, 303, 307, 308]);

/** Sends a request once, and reads its answer by the schema. Never throws. */
export async function attempt<Answer>(
	caller: Caller,
	request: ApiRequest,
	schema: z.ZodType<Answer>,
	redirects = MOST_REDIRECTS,
): Promise<AttemptResult<Answer>> {
	const reply = await sendOnce(caller, request);
	if ('kind' in reply) return reply;

	const moved = redirects > 0 ? movedTo(caller, request, reply) : undefined;
	if (moved) return await attempt(caller, { ...request, ...moved }, schema, redirects - 1);

	const inside = reply.statusCode < 300 ? caller.service.failureInside(reply.body) : undefined;
	const status = inside ?? reply.statusCode;
	if (status >= 300) return failedAttempt(caller, request, reply, status);

	const read = schema.safeParse(reply.body);
	if (read.success) return { kind: 'response', response: read.data };
	return retryable(caller, request, {
		words: `${caller.service.name} returned an unexpected response${nameOf(reply.body)}`,
		status,
		advice: 'Check the Base URL of the credential',
	});
}

function nameOf(body: unknown): string {
	const isPage = typeof body === 'string' && body.trimStart().startsWith('<');
	return isPage ? ': a web page instead of data' : '';
}

/** One request, and its whole answer. */
async function sendOnce(caller: Caller, request: ApiRequest): Promise<Reply | FailedAttempt> {
	const { transport, credential, timeout, signal } = caller;
	const { method, path, query, body } = request;
	const url = credential.baseUrl + path;
	if (!path.startsWith('/') || !isStraight(url))
		return { kind: 'final', failure: strayed(request) };
	const deadline = new Deadline(timeout, signal);
	const limits = { timeoutMs: Math.ceil(timeout * 1000), signal: deadline.signal };
	try {
		const reply = await transport({ method, url, qs: query, body }, limits);
		const read = await readBody(reply, deadline.signal);
		return read === TOO_LARGE ? tooLarge(caller, request) : { ...reply, body: read };
	} catch (error) {
		if (signal?.aborted) return { kind: 'final', failure: cancelled() };
		return deadline.isOver ? tooSlow(caller, request) : withoutResponse(caller, request, error);
	} finally {
		deadline.release();
	}
}

/** False for a URL that a parser reads otherwise: dots, a query, another host in its path. */
function isStraight(url: string): boolean {
	return URL.canParse(url) && new URL(url).origin + new URL(url).pathname === url;
}

function strayed({ path }: ApiRequest): Failure {
	return new Failure({
		words: `The path '${path.slice(0, 200)}' cannot be requested`,
		advice: 'Enter a path that begins with a slash and has no query',
	});
}

function tooSlow(caller: Caller, request: ApiRequest): FailedAttempt {
	return retryable(caller, request, {
		words: `${caller.service.name} did not respond within ${caller.timeout} s`,
		advice: "Try again later, or increase 'Timeout'",
	});
}

function tooLarge(caller: Caller, { method }: ApiRequest): FailedAttempt {
	const words = `${caller.service.name} returned more than ${MOST_MB} MB`;
	const advice = 'Check the Base URL of the credential, or narrow the list by a filter';
	const uncertain = method !== 'GET';
	return { kind: 'final', failure: new Failure({ words, advice, uncertain }) };
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
	const details = reason
		? { words: `Nothing was sent to ${service.name}${because}`, advice }
		: Failure.from(error).details;
	return { kind: 'final', failure: toFailure(caller, details) };
}

/** Where a read is redirected, as long as it stays below the base URL: the key goes nowhere else. */
function movedTo(
	{ credential: { baseUrl } }: Caller,
	{ method }: ApiRequest,
	{ statusCode, headers: { location } }: Reply,
): Pick<ApiRequest, 'path' | 'query'> | undefined {
	if (method !== 'GET' || !REDIRECTS.has(statusCode) || typeof location !== 'string')
		return undefined;
	if (!URL.canParse(location, baseUrl)) return undefined;
	const { origin, pathname, searchParams } = new URL(location, baseUrl);
	if (!`${origin}${pathname}`.startsWith(`${baseUrl}/`)) return undefined;
	const path = `${origin}${pathname}`.slice(baseUrl.length);
	return { path, query: Object.fromEntries(searchParams) };
}

/** Where a redirect leads that is not followed; without its query, which may hold what is secret. */
function redirectWords({ service, credential }: Caller, reply: Reply): string | undefined {
	const { location } = reply.headers;
	if (!REDIRECTS.has(reply.statusCode) || typeof location !== 'string') return undefined;
	if (!URL.canParse(location, credential.baseUrl)) return undefined;
	const { origin, pathname } = new URL(location, credential.baseUrl);
	return `${service.name} redirects to ${origin}${pathname}, where the key is not sent`;
}

/** What to make of an answer that tells of a failure. */
function failedAttempt(
	caller: Caller,
	request: ApiRequest,
	reply: Reply,
	status: number,
): FailedAttempt {
	const { service } = caller;
	const words = service.words(reply.body);
	const details = {
		words: words ?? redirectWords(caller, reply) ?? defaultWords(service, status),
		status,
		advice: adviceFor(service, words, status),
	};
	const pause = pauseAsked(reply.headers['retry-after'], words);
	if (status === 429) return { kind: 'rateLimited', failure: toFailure(caller, details), pause };
	if (isTransient(status)) return { ...retryable(caller, request, details), pause };
	const refused = service.refusedRows(reply.body);
	const isIdempotent = request.effect === 'idempotent';
	const isRefused = isRefusal(isIdempotent ? status : reply.statusCode, words);
	const mayBeOneRow = isRefused && !service.ofWholeBatch?.test(words ?? '');
	if (isIdempotent || REFUSALS.has(reply.statusCode) || refused.length === 0) {
		const failure = toFailure(caller, { ...details, refused, mayBeOneRow });
		return { kind: 'final', failure };
	}
	// Only a refusal means that nothing was carried out. Another answer may be about these rows alone.
	return { kind: 'final', failure: toFailure(caller, { ...details, uncertain: true }) };
}

/** Whether an answer refuses what a request holds: a 404 in words says that a record is not there. */
function isRefusal(status: number, words: string | undefined): boolean {
	return REFUSALS.has(status) || (status === 404 && words !== undefined);
}

/** A failure that a repetition may better: where repeating is harmless, else it is final. */
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
