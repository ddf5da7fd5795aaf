import type { IPollFunctions } from 'n8n-workflow';

import { Failure } from '../../shared/base/failure';
import { DEFAULT_TIME_LIMITS } from '../../shared/http/client';
import type { TimeLimits } from '../../shared/http/client';
import { isDurable, isUnattended, pollBudget } from '../../shared/n8nInternals';
import { nodeKey } from './memory';

export interface ScheduledPoll {
	timeLimits: TimeLimits;
	/** Aborts when the poll is abandoned: its requests fail, so it remembers nothing. */
	signal: AbortSignal;
}

/**
 * n8n polls once while it activates a workflow. n8n 2.41 cancels an activation after 84 seconds, and the
 * trigger is then inactive until the workflow is published again.
 */
const ACTIVATION = { timeLimits: { maxWait: 20, timeout: 12 }, deadline: 60_000 };

/** Contexts that have polled. All polls since an activation share one. */
const activated = new WeakSet<IPollFunctions>();

/** The running polls of this process, by node. */
const running = new Map<string, Promise<unknown>>();

/** Polls, unless the previous poll of the node is still running. Returns undefined in that case. */
export async function schedulePoll<Result>(
	context: IPollFunctions,
	work: (poll: ScheduledPoll) => Promise<Result>,
): Promise<Result | undefined> {
	const isActivation = !isDurable(context) && !activated.has(context);
	activated.add(context);
	const node = nodeKey(context);
	const poll = running.has(node) ? undefined : untilDeadline(context, isActivation, work);
	const end = poll?.finally(() => running.delete(node));
	if (end) running.set(node, end);
	if (isActivation && isUnattended(context)) {
		return await end?.catch((error: unknown) => leaveToNextPoll(context, Failure.from(error)));
	}
	try {
		return await end;
	} finally {
		if (!isDurable(context)) await otherPolls(context);
	}
}

/** Logs a failure that would leave the trigger inactive. If it persists, the next poll reports it. */
function leaveToNextPoll(context: IPollFunctions, { headline }: Failure): undefined {
	context.logger.warn(`${context.getNode().name}: ${headline}. The next poll tries again`);
}

/**
 * Waits for the polls of the workflow. As soon as one poll returns, n8n 2.41 evaluates no more expressions for
 * the others, including those of the credential. So they return together.
 */
async function otherPolls(context: IPollFunctions): Promise<void> {
	const workflow = `${context.getWorkflow().id} `;
	const polls = [...running].filter(([node]) => node.startsWith(workflow));
	await Promise.allSettled(polls.map(([, end]) => end));
}

/**
 * Abandons the poll at its deadline: a response that never ends would otherwise stop the trigger until n8n restarts.
 * n8n's durable scheduler abandons a poll at 1.25 times its budget, and then waits longer for the next one. One that is
 * abandoned during activation is no failure, since the next poll has more time.
 */
async function untilDeadline<Result>(
	context: IPollFunctions,
	isActivation: boolean,
	work: (poll: ScheduledPoll) => Promise<Result>,
): Promise<Result | undefined> {
	const budget = pollBudget(context);
	const timeLimits = { ...DEFAULT_TIME_LIMITS, maxWait: budget / 1000 };
	const limits = isActivation ? ACTIVATION : { timeLimits, deadline: 1.1 * budget };
	const signal = AbortSignal.timeout(Math.round(limits.deadline));
	const seconds = Math.round(limits.deadline / 1000);
	const late = new Promise<Failure>((resolve) => {
		const failure = new Failure('failed', `Survey A did not finish answering within ${seconds} s`, {
			hint: 'The next poll tries again. If it is the same then, check whether Survey A is up',
		});
		signal.addEventListener('abort', () => resolve(failure));
	});
	const result = await Promise.race([work({ ...limits, signal }), late]);
	if (!(result instanceof Failure)) return result;
	if (!isActivation) throw result;
	return leaveToNextPoll(context, result);
}
