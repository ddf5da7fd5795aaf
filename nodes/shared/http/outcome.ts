import { Failure } from '../base/failure';
import type { FailureKind, Outcome } from '../base/failure';
import type { ApiRequest } from './request';

// The one place that knows whether a request is sent again, and what becomes of its items. docs/errors.md prints the table.

interface Consequence {
	/**
	 * When the request is sent again. `paced`: after the pause that the service asks for, for up to an hour in a run. The others:
	 * four attempts at most.
	 */
	again: 'never' | 'always' | 'paced' | 'ifHarmless';
	/** What the items of the request become if repeating it is harmless, and if it does harm. */
	items: [harmless: FailureKind, harmful: FailureKind];
}

/** What follows from each end of an attempt to send a request. @internal */
export const OUTCOMES: Record<Outcome, Consequence> = {
	// Nothing reached the service: no connection, no such host, a TLS certificate that is not trusted.
	neverConnected: { again: 'always', items: ['failed', 'failed'] },
	// 429.
	rateLimited: { again: 'paced', items: ['failed', 'failed'] },
	// 408, 5xx, no response in time, a connection that closed, a 2xx that cannot be read.
	lost: { again: 'ifHarmless', items: ['failed', 'uncertain'] },
	// A response of more than 32 MB.
	tooLarge: { again: 'never', items: ['tooLarge', 'uncertain'] },
	// A 2xx that speaks against success, or does not confirm an item; a redirect to another page.
	unconfirmed: { again: 'never', items: ['failed', 'uncertain'] },
	// 400, 413, 422, and 404 or 410 with a message: nothing was done. A batch is divided until only the bad items fail.
	refused: { again: 'never', items: ['refused', 'refused'] },
	// A message about the campaign, such as "is not active": nothing was done. Its other items fail at once.
	refusedGroup: { again: 'never', items: ['group', 'group'] },
	// 401, 407, and a 403 that is not about the campaign: nothing was done. The run ends.
	account: { again: 'never', items: ['run', 'run'] },
	// Any other 4xx, a redirect to another Base URL, a request that cannot be sent: nothing was done.
	rejected: { again: 'never', items: ['failed', 'failed'] },
};

/** Returns the failure of an attempt. */
export function attemptFailed(
	outcome: Outcome,
	message: string,
	details: Pick<Failure, 'hint' | 'status' | 'pause' | 'reason' | 'refusedRows'> = {},
): Failure {
	return new Failure('failed', message, { ...details, outcome });
}

/** Returns whether a request may be sent again after an attempt. */
export function mayRepeat({ outcome }: Failure, { effect }: ApiRequest): boolean {
	if (outcome === undefined) return false;
	const { again } = OUTCOMES[outcome];
	// promise: no-resend
	return again === 'ifHarmless' ? effect === 'idempotent' : again !== 'never';
}

/** Returns whether the service may have processed a request although the attempt failed. */
export function mayBeDone({ outcome }: Failure): boolean {
	return outcome !== undefined && OUTCOMES[outcome].items[1] === 'uncertain';
}

/**
 * Returns the outcome of an error that stands in the body of a 2xx, or that names only a part of the items. It is believed where
 * a repetition does no harm, since the service may have done what it says that it refuses.
 */
export function doubtfulOutcome(stated: Outcome, { effect }: ApiRequest): Outcome {
	return effect === 'idempotent' ? stated : 'unconfirmed';
}

/**
 * Returns the failure of a request, or of one of its items, as the table decides.
 *
 * @param last the failure of the last attempt. The table lets no attempt follow one that may have done harm
 * @param isLost true if an earlier attempt may have been processed
 */
export function settled(last: Failure, request: ApiRequest, isLost = false): Failure {
	const { outcome } = last;
	if (outcome === undefined) return last.with({ wasLost: isLost });
	const isHarmful = request.effect === 'notIdempotent';
	const kind = OUTCOMES[outcome].items[isHarmful ? 1 : 0];
	const wasLost = isLost || mayBeDone(last);
	if (kind !== 'uncertain') return last.with({ kind, wasLost });
	const { lookAt = 'in the service' } = request;
	return last.with({ kind, wasLost, hint: `Check ${lookAt} before you send it again` });
}

/** Returns whether a record is gone because an attempt whose response was lost removed it. */
export function wasRemoved({ status, wasLost }: Failure): boolean {
	return wasLost === true && (status === 404 || status === 410);
}
