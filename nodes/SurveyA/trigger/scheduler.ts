import type { IPollFunctions } from 'n8n-workflow';

import { DEFAULT_TIME_LIMITS } from '../../shared/http/client';
import type { TimeLimits } from '../../shared/http/client';
import { SurveyError } from '../../shared/http/surveyError';
import { sleepWithAbort } from '../../shared/http/sleep';

/** One live poll: what it may take. */
export interface ScheduledPoll {
	context: IPollFunctions;
	timeLimits: TimeLimits;
	/** How long the poll should read, in ms. */
	budget: number;
	/** Ends the poll: nobody waits for it any more, and what it learns is not to be remembered. */
	signal: AbortSignal;
}

/** How long n8n lets a poll take where it does not bound it, in ms. */
const UNBOUNDED = 300_000;

/**
 * n8n polls once while it activates a workflow. It (2.41) ends an activation after two minutes and
 * then leaves the trigger dead until somebody publishes again.
 */
const ACTIVATION_BUDGET = 30_000;

const ACTIVATION_TIME_LIMITS: TimeLimits = { maxWait: 20, timeout: 12 };

/** Activations that nobody watches: n8n starts, or another of its processes takes over. */
const UNWATCHED: string[] = ['init', 'leadershipChange'];

/** Contexts that have polled. All polls since an activation come with the same one. */
const known = new WeakSet<IPollFunctions>();

/** The polls of this process that are at work, by node. */
const atWork = new Map<string, { workflow?: string; end: Promise<unknown> }>();

/**
 * Polls unless the poll before still does: n8n starts one by the clock, whether the service makes the
 * one before wait or not. Undefined where there is nothing to tell.
 */
export async function schedulePoll<Result>(
	context: IPollFunctions,
	work: Work<Result>,
): Promise<Result | undefined> {
	const isActivation = !isScheduled(context) && !known.has(context);
	known.add(context);
	if (isActivation) {
		const isWatched = !UNWATCHED.includes(context.getActivationMode());
		const poll = async () => await inActivation(context, work);
		return await unlessAtWork(context, isWatched ? poll : forgiving(context, poll));
	}
	try {
		return await unlessAtWork(context, async () => await byClock(context, work));
	} finally {
		if (!isScheduled(context)) await neighbours(context);
	}
}

async function unlessAtWork<Result>(
	context: IPollFunctions,
	work: () => Promise<Result>,
): Promise<Result | undefined> {
	const node = nodeKey(context);
	if (atWork.has(node)) return undefined;
	const end = work();
	atWork.set(node, { workflow: context.getWorkflow().id, end });
	try {
		return await end;
	} finally {
		atWork.delete(node);
	}
}

/**
 * Waits for the other polls of the workflow. As soon as one by the clock returns, n8n (2.41) evaluates
 * no more expressions for the others, those of the credential included: so they return together.
 */
async function neighbours(context: IPollFunctions): Promise<void> {
	const { id } = context.getWorkflow();
	const others = [...atWork.values()].filter(({ workflow }) => workflow === id);
	await Promise.allSettled(others.map(({ end }) => end));
}

/** Goes on after a failure that would leave the trigger dead. If it lasts, the next poll reports it. */
function forgiving<Result>(
	context: IPollFunctions,
	work: () => Promise<Result>,
): () => Promise<Result | undefined> {
	return async () => {
		try {
			return await work();
		} catch (error) {
			const { headline } = SurveyError.from(error);
			context.logger.warn(`${context.getNode().name}: ${headline}. The next poll tries again`);
			return undefined;
		}
	};
}

type Work<Result> = (poll: ScheduledPoll) => Promise<Result>;

async function inActivation<Result>(context: IPollFunctions, work: Work<Result>): Promise<Result> {
	const budget = ACTIVATION_BUDGET;
	const poll = { context, timeLimits: ACTIVATION_TIME_LIMITS, budget };
	return await withinBound(poll, 2 * budget, work);
}

async function byClock<Result>(context: IPollFunctions, work: Work<Result>): Promise<Result> {
	const budget = budgetOf(context);
	const maxWait = Math.min(DEFAULT_TIME_LIMITS.maxWait, budget / 1000);
	const poll = { context, timeLimits: { ...DEFAULT_TIME_LIMITS, maxWait }, budget };
	// n8n's durable scheduler abandons a poll a quarter after its budget, and waits longer for the next.
	return await withinBound(poll, (isScheduled(context) ? 1.1 : 2) * budget, work);
}

/**
 * Gives a poll up that does not come back: else one answer without an end would silence the trigger
 * until n8n starts again.
 *
 * @param bound how long it may take in all, in ms
 * @throws SurveyError after that time
 */
async function withinBound<Result>(
	poll: Omit<ScheduledPoll, 'signal'>,
	bound: number,
	work: Work<Result>,
): Promise<Result> {
	const timeIsUp = new AbortController();
	const isBack = new AbortController();
	const giveUp = async (): Promise<never> => {
		await sleepWithAbort(bound, isBack.signal);
		timeIsUp.abort();
		const failure = tooSlow(bound);
		const { name } = poll.context.getNode();
		poll.context.logger.warn(`${name}: ${failure.headline}. This poll was given up`);
		throw failure;
	};
	try {
		return await Promise.race([work({ ...poll, signal: timeIsUp.signal }), giveUp()]);
	} finally {
		isBack.abort();
	}
}

function tooSlow(bound: number): SurveyError {
	const seconds = Math.round(bound / 1000);
	return new SurveyError({
		message: `Survey A did not finish answering within ${seconds} s`,
		hint: 'The next poll tries again. If it is the same then, check whether Survey A is up',
	});
}

/** The node that polls, whatever it is called meanwhile. */
export function nodeKey(context: IPollFunctions): string {
	return `${context.getWorkflow().id} ${context.getNode().id}`;
}

/** How long the poll may take, in ms. Older versions of n8n do not tell. */
function budgetOf(context: IPollFunctions): number {
	return 'getPollBudgetMs' in context ? context.getPollBudgetMs() : UNBOUNDED;
}

/**
 * Whether n8n's durable scheduler started the poll. It alone bounds polls. Each comes with a context of
 * its own, where otherwise all polls since an activation share one.
 */
export function isScheduled(context: IPollFunctions): boolean {
	return budgetOf(context) < UNBOUNDED;
}
