import type { Failure, FailureKind } from '../base/failure';
import type { ApiRequest } from './request';

// The one place that knows whether a request is sent again, and whether it may have been processed. docs/errors.md prints it.

interface Outcome {
	/**
	 * When the request is sent again. `paced`: after the pause that the service asks for, for up to an hour in a run. The others:
	 * four attempts at most.
	 */
	again: 'never' | 'always' | 'paced' | 'ifHarmless';
	/** True if the service may have processed the request. If a repetition does harm, its items say so. */
	mayBeDone?: boolean;
}

/** The consequences of each end of an attempt to send a request. @internal */
export const OUTCOMES: Record<FailureKind, Outcome> = {
	// Nothing reached the service: no connection, no such host, a TLS certificate that is not trusted.
	neverConnected: { again: 'always' },
	// 429.
	rateLimited: { again: 'paced' },
	// 408, 5xx, no response in time, a connection that closed, a 2xx that cannot be read.
	lost: { again: 'ifHarmless', mayBeDone: true },
	// A response of more than 32 MB.
	tooLarge: { again: 'never', mayBeDone: true },
	// A 2xx that speaks against success, or does not confirm an item; a redirect to another page.
	unconfirmed: { again: 'never', mayBeDone: true },
	// 400, 413, 422, and 404 or 410 with a message: nothing was done. A batch is divided until only the bad items fail.
	refused: { again: 'never' },
	// A message about the campaign, such as "is not active": nothing was done. Its other items fail at once.
	group: { again: 'never' },
	// 401, 407, and a 403 that is not about the campaign: nothing was done. The run ends.
	run: { again: 'never' },
	// Any other 4xx, a redirect to another Base URL, a request that cannot be sent: nothing was done.
	failed: { again: 'never' },
	// No request went out, or none that could do anything.
	value: { again: 'never' },
	unsent: { again: 'never' },
	repeating: { again: 'never' },
};

/** Returns whether a request may be sent again after an attempt. */
export function mayRepeat({ kind }: Failure, { effect }: ApiRequest): boolean {
	const { again } = OUTCOMES[kind];
	// promise: no-resend
	return again === 'ifHarmless' ? effect === 'idempotent' : again !== 'never';
}

/** Returns whether the service may have processed a request although the attempt failed. */
export function mayBeDone({ kind }: Failure): boolean {
	return OUTCOMES[kind].mayBeDone === true;
}

/**
 * Returns how an attempt ended whose error stands in the body of a 2xx, or names only a part of the items. It is believed where
 * a repetition does no harm, since the service may have done what it says that it refuses.
 */
export function doubtfulEnd(stated: FailureKind, { effect }: ApiRequest): FailureKind {
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

/** Returns whether a record is gone because an attempt whose response was lost removed it. */
export function wasRemoved({ status, doubt }: Failure): boolean {
	return doubt === 'earlier' && (status === 404 || status === 410);
}
