import { sleep } from 'n8n-workflow';
import type { IPollFunctions } from 'n8n-workflow';

import { Cache } from '../base/cache';
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

/** n8n polls once while it activates a workflow. A user waits for it, and a failure leaves the trigger inactive. */
const FIRST_TRY = PUBLISH_MS.tries / 2;
const ACTIVATION = {
	timeLimits: { maxWait: FIRST_TRY - 1000, timeout: 8000, isInteractive: true, attempts: 2 },
	deadline: FIRST_TRY,
};

/** After a try that took long, the next tries are short. */
const NEXT_TRY = FIRST_TRY / (PUBLISH_TRIES - 1);
const NEXT_ACTIVATION = {
	timeLimits: {
		maxWait: NEXT_TRY - 1000,
		timeout: NEXT_TRY - 1000,
		isInteractive: true,
		attempts: 1,
	},
	deadline: NEXT_TRY,
};
const LONG = FIRST_TRY / 2;
const LONGEST_PAUSE = PUBLISH_MS.longestPause + NEXT_TRY;

/** When an activation failed that took long, or a next try of it, by node. In ms, as `performance.now` counts. */
const failedActivations = new Cache<number>(1000);

/** How long a poll may take to end after its deadline, in ms. */
const GRACE = 5000;

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
	const startedAt = performance.now();
	const isNextTry =
		isActivation && startedAt - (failedActivations.get(node) ?? -Infinity) < LONGEST_PAUSE;
	const superseded = new AbortController();
	const end = untilDeadline(
		context,
		service,
		{ isActivation, isNextTry, superseded: superseded.signal },
		work,
	);
	const poll = { end, isActivation, supersede: () => superseded.abort() };
	running.set(node, poll);
	try {
		return await end;
	} catch (error) {
		const failedAt = performance.now();
		if (isActivation && (isNextTry || failedAt - startedAt > LONG))
			failedActivations.set(node, failedAt);
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

interface Activation {
	isActivation: boolean;
	/** True if an activation that took long failed a moment ago. */
	isNextTry: boolean;
	/** Aborts when the workflow is published again. */
	superseded: AbortSignal;
}

/**
 * Abandons the poll soon after its deadline: a response that never ends would otherwise stop the trigger until n8n
 * restarts. n8n's durable scheduler abandons a poll at 1.25 times its budget, and then waits longer for the next one.
 */
async function untilDeadline<Result>(
	context: IPollFunctions,
	service: string,
	{ isActivation, isNextTry, superseded }: Activation,
	work: (poll: ScheduledPoll) => Promise<Result>,
): Promise<Result | undefined> {
	const budget = pollBudget(context);
	const timeLimits = { ...DEFAULT_TIME_LIMITS, maxWait: budget };
	const ofActivation = isNextTry ? NEXT_ACTIVATION : ACTIVATION;
	const limits = isActivation ? ofActivation : { timeLimits, deadline: 1.1 * budget };
	const deadline = AbortSignal.timeout(Math.round(limits.deadline));
	const signal = AbortSignal.any([deadline, superseded]);
	const late = new Failure(
		'failed',
		`${service} did not finish answering within ${Math.round(limits.deadline / 1000)} s`,
		{ hint: `The next poll tries again. If it is the same then, check whether ${service} is up` },
	);
	const over = new AbortController();
	const abandoned = new Promise<undefined>((resolve, reject) => {
		const giveUp = () => void sleep(GRACE).then(() => reject(late));
		deadline.addEventListener('abort', giveUp, { signal: over.signal });
		superseded.addEventListener('abort', () => resolve(undefined));
	});
	const isPublishing = isActivation && !isUnattended(context);
	const poll = { ...limits, signal, isPublishing, isSuperseded: () => superseded.aborted };
	try {
		return await Promise.race([work(poll), abandoned]);
	} catch (error) {
		throw deadline.aborted ? late : error;
	} finally {
		over.abort();
	}
}
