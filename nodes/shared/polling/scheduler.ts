import type { IPollFunctions } from 'n8n-workflow';

import { Failure } from '../base/failure';
import { DEFAULT_TIME_LIMITS } from '../http/client';
import type { TimeLimits } from '../http/client';
import { isDurable, isUnattended, pollBudget, PUBLISH_MS, PUBLISH_TRIES } from '../n8nInternals';
import { nodeKey } from './memory';

/** A poll that is under way: its limits, and whether a later one has taken its place. */
export interface ScheduledPoll {
	timeLimits: TimeLimits;
	/** Aborts at the deadline: requests fail then, and what was read until then counts. */
	signal: AbortSignal;
	/** True if a user waits for the activation of the workflow, which a failure ends. */
	isPublishing: boolean;
	/** Returns true once n8n drops the result, since the workflow was published again. */
	isSuperseded(): boolean;
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

interface RunningPoll {
	end: Promise<unknown>;
	isActivation: boolean;
	supersede(): void;
}

/** The running polls of this process, by node. */
const running = new Map<string, RunningPoll>();

/**
 * Polls, unless the previous poll of the node is still running. Returns undefined in that case. An activation ends the
 * earlier polls of its workflow, whose results n8n drops.
 */
export async function schedulePoll<Result>(
	context: IPollFunctions,
	service: string,
	work: (poll: ScheduledPoll) => Promise<Result>,
): Promise<Result | undefined> {
	const isActivation = !isDurable(context) && !activated.has(context);
	activated.add(context);
	if (isActivation) supersede(context);
	const node = nodeKey(context);
	if (running.has(node)) {
		await otherPolls(context);
		return undefined;
	}
	const superseded = new AbortController();
	const end = untilDeadline(context, service, isActivation, superseded.signal, work);
	const poll = { end, isActivation, supersede: () => superseded.abort() };
	running.set(node, poll);
	try {
		return await end;
	} catch (error) {
		if (!isActivation || !isUnattended(context)) throw Failure.from(error);
		return leaveToNextPoll(context, Failure.from(error));
	} finally {
		if (running.get(node) === poll) running.delete(node);
		await otherPolls(context);
	}
}

/** Ends the polls of the workflow that began before it was published again. */
function supersede(context: IPollFunctions): void {
	for (const [node, poll] of pollsOf(context)) {
		if (poll.isActivation && node !== nodeKey(context)) continue;
		poll.supersede();
		running.delete(node);
	}
}

function pollsOf(context: IPollFunctions): Array<[string, RunningPoll]> {
	const workflow = `${context.getWorkflow().id} `;
	return [...running].filter(([node]) => node.startsWith(workflow));
}

/**
 * Waits for the polls of the workflow. As soon as one poll returns, n8n 2.41 evaluates no more expressions for
 * the others, including those of the credential. So they return together.
 */
async function otherPolls(context: IPollFunctions): Promise<void> {
	if (isDurable(context)) return;
	await Promise.allSettled(pollsOf(context).map(([, { end }]) => end));
}

/** Logs a failure that would leave the trigger inactive. If it persists, the next poll reports it. */
export function leaveToNextPoll(context: IPollFunctions, { headline }: Failure): undefined {
	context.logger.warn(`${context.getNode().name}: ${headline}. The next poll tries again`);
}

/** Polls until the deadline, which ends each request. */
async function untilDeadline<Result>(
	context: IPollFunctions,
	service: string,
	isActivation: boolean,
	superseded: AbortSignal,
	work: (poll: ScheduledPoll) => Promise<Result>,
): Promise<Result> {
	const budget = pollBudget(context);
	const timeLimits = { ...DEFAULT_TIME_LIMITS, maxWait: budget };
	// n8n's durable scheduler abandons a poll at 1.25 times its budget, and then waits longer for the next one.
	const limits = isActivation ? PUBLISHING : { timeLimits, deadline: 1.1 * budget };
	const deadline = AbortSignal.timeout(Math.round(limits.deadline));
	const signal = AbortSignal.any([deadline, superseded]);
	const isPublishing = isActivation && !isUnattended(context);
	const isSuperseded = () => superseded.aborted;
	const seconds = Math.round(limits.deadline / 1000);
	const late = new Failure('failed', `${service} did not finish answering within ${seconds} s`, {
		hint: `The next poll tries again. If it is the same then, check whether ${service} is up`,
	});
	try {
		return await work({ timeLimits: limits.timeLimits, signal, isPublishing, isSuperseded });
	} catch (error) {
		throw deadline.aborted ? late : error;
	}
}
