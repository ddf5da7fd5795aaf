import type { Code } from '../base/codes';
import type { AttemptEnd, Failure, FailureKind } from '../base/failure';
import type { ApiRequest } from './request';
import { knownFor } from './service';
import type { Service } from './service';

// The one place that knows what a status means, whether a request is sent again, and whether it may have been processed.
// docs/errors.md prints it.

interface Outcome {
	/**
	 * When the request is repeated. `paced`: after the pause that the service asks for, for up to an hour in a run. The others:
	 * four attempts at most.
	 */
	repeat: 'never' | 'always' | 'paced' | 'ifHarmless';
	/** True if the service may have processed the request. If a repetition does harm, its items say so. */
	mayBeDone?: boolean;
	/** Why its rows fail, unless the failure has a code that says more. */
	code: Code;
	/** True if sending the same rows again later can help, maybe after the user has corrected the account. */
	retry?: boolean;
}

/** The consequences of each end of an attempt to send a request. @internal */
export const OUTCOMES: Record<AttemptEnd, Outcome> = {
	// Nothing reached the service: no connection, no such host, a TLS certificate that is not trusted.
	neverConnected: { repeat: 'always', code: 'unavailable', retry: true },
	// 429.
	rateLimited: { repeat: 'paced', code: 'rateLimited', retry: true },
	// 408, 5xx, no response in time, a connection that closed, a 2xx that cannot be read.
	lost: { repeat: 'ifHarmless', mayBeDone: true, code: 'unavailable', retry: true },
	// A 2xx that speaks against success, or does not confirm an item; a redirect to another page.
	unconfirmed: { repeat: 'never', mayBeDone: true, code: 'notConfirmed' },
	// More than 32 MB. A page of a list is asked for smaller.
	tooLarge: { repeat: 'never', mayBeDone: true, code: 'notConfirmed' },
	// 400, 413, 422, 404 or 410 (`notFound`), 403 or 409 with a message, an item named as failed: nothing was done. A batch is divided until only the bad items fail.
	refused: { repeat: 'never', code: 'refused' },
	// A message about the campaign, such as "is not active": nothing was done. Its other items fail at once.
	group: { repeat: 'never', code: 'unusableCampaign' },
	// 401, 407, and a 403 about the account: nothing was done. The run ends.
	run: { repeat: 'never', code: 'account', retry: true },
	// Any other 4xx, a redirect to another Base URL, a request that cannot be sent: nothing was done.
	failed: { repeat: 'never', code: 'failed' },
};

export const CHECK_URL = 'Check the Base URL of the credential';

const LATER = 'Try again later';
const CORRECT_VALUE = 'Correct the value that the message names';

/**
 * How an attempt ended, and what to do about it. `withReason` is a refusal if the service gives a reason: without one, the
 * URL may be wrong. `ofAccount` ends the run, unless the service's reason is about something else.
 */
type Meaning = [end: AttemptEnd | 'withReason' | 'ofAccount', hint: string];

const STATUSES: Record<number, Meaning> = {
	400: ['refused', CORRECT_VALUE],
	401: ['run', 'Check the API key of the credential'],
	403: ['ofAccount', 'Check what the owner of the API key may do in the service'],
	404: ['withReason', 'Check the ID, and the Base URL of the credential'],
	405: ['failed', 'The account or its API version may not support this operation'],
	406: ['failed', CHECK_URL],
	407: ['run', 'Check the proxy that n8n is set to use (HTTP_PROXY, HTTPS_PROXY)'],
	408: ['lost', LATER],
	409: ['withReason', 'Get the record to see its current state, and correct the row'],
	410: ['withReason', 'Remove the row. The resource may be gone for good'],
	413: ['refused', 'Shorten the longest values of this row'],
	422: ['refused', CORRECT_VALUE],
	429: ['rateLimited', "Set 'Requests per Minute' in the credential"],
};

function meaningOf(status: number): Meaning {
	const other: Meaning = [
		'failed',
		`Ask the support of the service what HTTP ${status} means here`,
	];
	return STATUSES[status] ?? (status >= 500 ? ['lost', LATER] : other);
}

/** @param own the service's message */
export function endOf({ accountMessage }: Service, status: number, own?: string): AttemptEnd {
	const [end] = meaningOf(status);
	if (end === 'ofAccount') {
		const isOfAccount = own === undefined || (accountMessage?.test(own) ?? true);
		return isOfAccount ? 'run' : 'refused';
	}
	if (end !== 'withReason') return end;
	return own === undefined ? 'failed' : 'refused';
}

/** By the service's known messages, else by the HTTP status. */
export function hintFor(
	service: Service,
	message: string | undefined,
	status: number,
): string | undefined {
	if (message === undefined && [400, 422].includes(status)) return 'Check the values of this row';
	const own = message === undefined ? undefined : knownFor(service, message).hint;
	return own ?? (status < 400 ? undefined : meaningOf(status)[1]);
}

export function isPassing(kind: FailureKind): boolean {
	return outcomeOf(kind).repeat !== 'never';
}

export function mayRepeat({ kind }: Failure, { effect }: ApiRequest): boolean {
	const { repeat } = outcomeOf(kind);
	// promise: no-resend
	return repeat === 'ifHarmless' ? effect === 'idempotent' : repeat !== 'never';
}

export function mayBeDone({ kind }: Failure): boolean {
	return outcomeOf(kind).mayBeDone === true;
}

/** Other kinds are never retried and had no effect. */
function outcomeOf(kind: FailureKind): Outcome {
	const outcomes: Partial<Record<FailureKind, Outcome>> = OUTCOMES;
	return outcomes[kind] ?? OUTCOMES.failed;
}

export function codeOf({ kind, code, status, isUncertain }: Failure): Code {
	if (isUncertain) return 'maybeSent';
	if (code !== undefined) return code;
	if (kind === 'value') return 'invalidValue';
	if (kind === 'refused' && isGone(status)) return 'notFound';
	return kind === 'unsent' ? 'cancelled' : OUTCOMES[kind].code;
}

export function isUnconfirmed({ kind }: Failure): boolean {
	return outcomeOf(kind).code === 'notConfirmed';
}

/** Sending again does not help a failure with a reason of its own. */
export function canRetry(failure: Failure): boolean {
	const { code, retry = false } = outcomeOf(failure.kind);
	return retry && codeOf(failure) === code;
}

/**
 * For an error in the body of a 2xx, or one that names only a part of the items. It is believed where a repetition does no
 * harm, since the service may have done what it says that it refuses.
 */
export function doubtfulEnd(stated: AttemptEnd, { effect }: ApiRequest): AttemptEnd {
	return effect === 'idempotent' ? stated : 'unconfirmed';
}

/**
 * Returns a failure with what may have been done: a request has the worst of its attempts, an item the worst of its requests.
 *
 * @param last the failure of the last attempt. The table lets no attempt follow one that may have done harm
 * @param isLost true if an earlier attempt, or an earlier request of the item, may have been processed
 */
export function withDoubt(last: Failure, request: ApiRequest, isLost = false): Failure {
	if (request.method === 'GET') return last;
	if (!mayBeDone(last)) return isLost ? last.with({ doubt: 'earlier' }) : last;
	if (request.effect === 'idempotent') return last.with({ doubt: 'last' });
	const { lookAt = 'in the service' } = request;
	return last.with({ doubt: 'harmful', hint: `Check ${lookAt} before you send it again` });
}

/** An attempt whose response was lost may have removed the record. */
export function wasRemoved({ status, doubt }: Failure): boolean {
	return doubt === 'earlier' && isGone(status);
}

function isGone(status?: number): boolean {
	return status === 404 || status === 410;
}
