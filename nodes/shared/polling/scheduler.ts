import type { IPollFunctions } from 'n8n-workflow';

import { Failure } from '../base/failure';
import { DEFAULT_TIME_LIMITS } from '../http/client';
import type { TimeLimits } from '../http/client';
import { isDurable, isUnattended, pollBudget, PUBLISH_MS, PUBLISH_TRIES } from '../n8nInternals';
import { nodeKey } from './memory';

/** A poll that is under way: its limits, and whether a later one has taken its place. */
export interface ScheduledPoll {
	timeLimits: TimeLimits;
	/** Aborts at the deadline: requests fail with its reason then, and what was read until then counts. */
	signal: AbortSignal;
	/** True if a user waits for the activation of the workflow, which a failure ends. */
	isPublishing: boolean;
	/** Aborts once n8n drops the result, since the workflow was published again. */
	superseded: AbortSignal;
}

/** n8n polls once while it activates a workflow, and again after a failure. A user waits for it. */
const PUBLISH_TRY = PUBLISH_MS.tries / PUBLISH_TRIES;
const ONE_RESPONSE = PUBLISH_TRY - 1000;
const PUBLISHING = {
	timeLimits: { maxWait: ONE_RESPONSE, timeout: ONE_RESPONSE, isInteractive: true, attempts: 1 },
	deadline: PUBLISH_TRY,
};

/** Contexts that have polled. All polls since an activation share one. */
const activated = new WeakSet<IPollFunctions>();

/** The running poll of each node in this process. */
const running = new Map<string, { end: Promise<unknown>; superseded: AbortController }>();

/**
 * Polls until the deadline, which ends each request. Returns undefined if the previous poll of the node is still running. An
 * activation ends the earlier poll of its node, whose results n8n drops.
 */
export async function schedulePoll<Result>(
	context: IPollFunctions,
	service: string,
	work: (poll: ScheduledPoll) => Promise<Result>,
): Promise<Result | undefined> {
	const isActivation = !isDurable(context) && !activated.has(context);
	activated.add(context);
	const node = nodeKey(context);
	const earlier = running.get(node);
	if (isActivation) earlier?.superseded.abort();
	else if (earlier) {
		// As soon as one poll returns, n8n 2.41 evaluates no more expressions for the other, including those of the credential.
		await Promise.allSettled([earlier.end]);
		return undefined;
	}
	const maxWait = pollBudget(context);
	// n8n's durable scheduler abandons a poll at 1.25 times its budget, and then waits longer for the next one.
	const byClock = { timeLimits: { ...DEFAULT_TIME_LIMITS, maxWait }, deadline: 1.1 * maxWait };
	const { timeLimits, deadline } = isActivation ? PUBLISHING : byClock;
	const late = new AbortController();
	const passDeadline = () => late.abort(tooLate(service, deadline));
	AbortSignal.timeout(Math.round(deadline)).addEventListener('abort', passDeadline);
	const superseded = new AbortController();
	const signal = AbortSignal.any([late.signal, superseded.signal]);
	const isPublishing = isActivation && !isUnattended(context);
	const end = work({ timeLimits, signal, isPublishing, superseded: superseded.signal });
	const poll = { end, superseded };
	running.set(node, poll);
	try {
		return await end;
	} catch (error) {
		const failure = Failure.from(error);
		if (!isActivation || isPublishing) throw failure;
		return leaveToNextPoll(context, failure);
	} finally {
		if (running.get(node) === poll) running.delete(node);
	}
}

function tooLate(service: string, deadline: number): Failure {
	const seconds = Math.round(deadline / 1000);
	return new Failure('failed', `${service} did not finish answering within ${seconds} s`, {
		hint: `The next poll tries again. If it is the same then, check whether ${service} is up`,
	});
}

/** Logs a failure that would leave the trigger inactive. If it persists, the next poll reports it. */
export function leaveToNextPoll(context: IPollFunctions, { headline }: Failure): undefined {
	context.logger.warn(`${context.getNode().name}: ${headline}. The next poll tries again`);
}
