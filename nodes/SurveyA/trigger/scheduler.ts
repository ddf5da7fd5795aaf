import type { IPollFunctions } from 'n8n-workflow';

import { DEFAULT_TIME_LIMITS } from '../../shared/http/client';
import type { TimeLimits } from '../../shared/http/client';
import { Failure } from '../../shared/base/failure';
import { sleepWithAbort } from '../../shared/http/sleep';
import { isDurable, nodeKey, pollBudget } from './pollContext';

interface PollLimits {
	timeLimits: TimeLimits;
	/** When the poll is abandoned, in ms after its start. */
	deadline: number;
}

export interface ScheduledPoll extends PollLimits {
	context: IPollFunctions;
	/** Aborts at the deadline. After that the poll must not remember anything. */
	signal: AbortSignal;
}

type Work<Result> = (poll: ScheduledPoll) => Promise<Result>;

/**
 * n8n polls once while it activates a workflow. n8n 2.41 cancels an activation after two minutes, and the
 * trigger is then inactive until the workflow is published again.
 */
const ACTIVATION_LIMITS: PollLimits = {
	timeLimits: { maxWait: 20, timeout: 12 },
	deadline: 60_000,
};

/** Activation modes without a user: n8n starts, or another n8n process takes over. */
const UNATTENDED: string[] = ['init', 'leadershipChange'];

/** Contexts that have polled. All polls since an activation share one. */
const activated = new WeakSet<IPollFunctions>();

/** The running polls of this process, by node. */
const running = new Map<string, { workflow?: string; end: Promise<unknown> }>();

/** Polls, unless the previous poll of the node is still running. Returns undefined in that case. */
export async function schedulePoll<Result>(
	context: IPollFunctions,
	work: Work<Result>,
): Promise<Result | undefined> {
	if (isDurable(context)) return await pollOnce(context, timedLimits(context, 1.1), work);
	if (activated.has(context)) {
		const poll = pollOnce(context, timedLimits(context, 2), work);
		return await poll.finally(async () => await otherPolls(context));
	}
	activated.add(context);
	const poll = pollOnce(context, ACTIVATION_LIMITS, work);
	if (!UNATTENDED.includes(context.getActivationMode())) return await poll;
	// A failure here would leave the trigger inactive. If the error persists, the next poll reports it.
	return await poll.catch((error: unknown) => {
		warn(context, `${Failure.from(error).headline}. The next poll tries again`);
		return undefined;
	});
}

/**
 * Returns the limits of a poll after the activation.
 *
 * @param patience the deadline as a multiple of the budget. n8n's durable scheduler abandons a poll at
 * 1.25 times its budget, and then waits longer for the next one.
 */
function timedLimits(context: IPollFunctions, patience: number): PollLimits {
	const budget = pollBudget(context);
	const maxWait = Math.min(DEFAULT_TIME_LIMITS.maxWait, budget / 1000);
	return {
		timeLimits: { ...DEFAULT_TIME_LIMITS, maxWait },
		deadline: patience * budget,
	};
}

async function pollOnce<Result>(
	context: IPollFunctions,
	limits: PollLimits,
	work: Work<Result>,
): Promise<Result | undefined> {
	const node = nodeKey(context);
	if (running.has(node)) return undefined;
	const end = untilDeadline(context, limits, work);
	running.set(node, { workflow: context.getWorkflow().id, end });
	try {
		return await end;
	} finally {
		running.delete(node);
	}
}

/**
 * Waits for the other polls of the workflow. As soon as one poll returns, n8n 2.41 evaluates no more
 * expressions for the others, including those of the credential. So they return together.
 */
async function otherPolls(context: IPollFunctions): Promise<void> {
	const { id } = context.getWorkflow();
	const others = [...running.values()].filter(({ workflow }) => workflow === id);
	await Promise.allSettled(others.map(({ end }) => end));
}

/**
 * Abandons the poll at its deadline: a response that never ends would otherwise stop the trigger until n8n
 * restarts.
 */
async function untilDeadline<Result>(
	context: IPollFunctions,
	limits: PollLimits,
	work: Work<Result>,
): Promise<Result> {
	const expired = new AbortController();
	const finished = new AbortController();
	const expire = async (): Promise<never> => {
		await sleepWithAbort(limits.deadline, finished.signal);
		expired.abort();
		const failure = tooSlow(limits.deadline);
		warn(context, `${failure.headline}. This poll was abandoned`);
		throw failure;
	};
	try {
		return await Promise.race([work({ ...limits, context, signal: expired.signal }), expire()]);
	} finally {
		finished.abort();
	}
}

function tooSlow(deadline: number): Failure {
	return new Failure(
		'failed',
		`Survey A did not finish answering within ${Math.round(deadline / 1000)} s`,
		{ hint: 'The next poll tries again. If it is the same then, check whether Survey A is up' },
	);
}

function warn(context: IPollFunctions, message: string): void {
	context.logger.warn(`${context.getNode().name}: ${message}`);
}
