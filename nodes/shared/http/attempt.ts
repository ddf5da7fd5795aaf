import type { IN8nHttpFullResponse } from 'n8n-workflow';

import type { AnswerSchema } from './answer';
import { MOST_MB, readBody, TOO_LARGE } from './body';
import type { Credential } from './credential';
import { Deadline } from './deadline';
import { Failure } from './failure';
import type { FailureDetails } from './failure';
import { networkError } from './networkError';
import type { ApiRequest } from './request';
import { isTransient, pauseAsked } from './retry';
import type { Service } from './service';
import { brief } from './brief';
import { adviceFor, defaultWords } from './messages';
import { redactKey } from './redactKey';
import { MOST_REDIRECTS, redirectOf } from './redirect';
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

/** Sends a request once, and reads its answer by the schema. Never throws. */
export async function attempt<Answer>(
	caller: Caller,
	request: ApiRequest,
	schema: AnswerSchema<Answer>,
	redirects = MOST_REDIRECTS,
): Promise<AttemptResult<Answer>> {
	const reply = await sendOnce(caller, request);
	if ('kind' in reply) return reply;

	const redirect = redirectOf(request, reply, caller.credential.baseUrl, redirects);
	if (redirect && 'to' in redirect) {
		return await attempt(caller, { ...request, ...redirect.to }, schema, redirects - 1);
	}
	try {
		return readReply(caller, request, reply, schema, redirect?.words);
	} catch (error) {
		if (error instanceof Failure) {
			return { kind: 'final', failure: toFailure(caller, error.details) };
		}
		return unreadable(caller, request, reply);
	}
}

/**
 * Reads an answer by the schema.
 *
 * @param redirect what an answer that is a redirect says
 * @throws what the schema throws: a Failure that it finds in the answer, or anything else for an answer
 *   that nobody thought of
 */
function readReply<Answer>(
	caller: Caller,
	request: ApiRequest,
	reply: Reply,
	schema: AnswerSchema<Answer>,
	redirect: string | undefined,
): AttemptResult<Answer> {
	const inside = reply.statusCode < 300 ? caller.service.failureInside(reply.body) : undefined;
	const status = inside ?? reply.statusCode;
	if (status >= 300) return failedAttempt(caller, request, reply, status, redirect);
	const read = schema.safeParse(reply.body);
	if (read.success) return { kind: 'response', response: read.data };
	return unreadable(caller, request, reply);
}

/** An answer that has another shape than the contract shows: a fault that may pass. */
function unreadable(caller: Caller, request: ApiRequest, reply: Reply): FailedAttempt {
	return retryable(caller, request, {
		words: `${caller.service.name} returned an unexpected response${nameOf(reply.body)}`,
		status: reply.statusCode,
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
		const read = await readBody(reply, credential.apiKey, deadline.signal);
		if (read !== TOO_LARGE) return { ...reply, body: read };
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
	// What nobody thought of may have happened after the request went out.
	if (kind === 'unknown') return retryable(caller, request, Failure.from(error).details);
	const details = reason
		? { words: `Nothing was sent to ${service.name}${because}`, advice }
		: Failure.from(error).details;
	return { kind: 'final', failure: toFailure(caller, details) };
}

/** What to make of an answer that tells of a failure. */
function failedAttempt(
	caller: Caller,
	request: ApiRequest,
	reply: Reply,
	status: number,
	redirect: string | undefined,
): FailedAttempt {
	const { service } = caller;
	const words = brief(service.words(reply.body));
	const details = {
		words: words ?? (redirect ? `${service.name} ${redirect}` : defaultWords(service, status)),
		status,
		advice: adviceFor(service, words, status),
	};
	const pause = pauseAsked(reply.headers['retry-after'], words);
	if (status === 429) return { kind: 'rateLimited', failure: toFailure(caller, details), pause };
	if (isTransient(status)) return { ...retryable(caller, request, details), pause };
	const refused = service
		.refusedRows(reply.body)
		.map((row) => ({ ...row, reason: brief(row.reason) }));
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
