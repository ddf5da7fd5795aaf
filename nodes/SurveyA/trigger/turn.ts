import type { IPollFunctions } from 'n8n-workflow';

import { DEFAULT_PATIENCE } from '../../shared/door';
import type { Patience } from '../../shared/door';
import { Failure } from '../../shared/failure';

/** One live poll: what it may take. */
export interface Turn {
	context: IPollFunctions;
	patience: Patience;
	/** How long the poll should read, in ms. */
	budget: number;
	/** When the poll must not ask for anything more, in ms since 1970. */
	end: number;
}

/**
 * The first poll of a process runs while n8n activates the workflow. n8n (2.41) ends an activation
 * after two minutes and then leaves the trigger dead until somebody publishes again.
 */
const FIRST_BUDGET = 30_000;

const FIRST_PATIENCE: Patience = { maxWait: 20, timeout: 12 };

/** Activations that nobody watches: n8n starts, or another of its processes takes over. */
const UNWATCHED: string[] = ['init', 'leadershipChange'];

const OTHER_BUDGET = 300_000;

/** Workflows of this process, by the object that their memory lives in. */
const polling = new WeakSet<object>();
const polled = new WeakSet<object>();

/**
 * Polls unless the poll before still does: n8n starts one by the clock, whether the service makes the
 * one before wait or not. Undefined where there is nothing to tell.
 */
export async function takeTurn<Result>(
	context: IPollFunctions,
	work: (turn: Turn) => Promise<Result>,
): Promise<Result | undefined> {
	const workflow = context.getWorkflowStaticData('node');
	if (polling.has(workflow)) return undefined;
	polling.add(workflow);
	const isFirst = !polled.has(workflow);
	try {
		const working = work(turnOf(context, isFirst));
		const isWatched = !isFirst || !UNWATCHED.includes(context.getActivationMode());
		const result = await (isWatched ? working : forgiving(context, working));
		polled.add(workflow);
		return result;
	} finally {
		polling.delete(workflow);
	}
}

/** Goes on after a failure that would leave the trigger dead. If it lasts, the next poll reports it. */
async function forgiving<Result>(
	context: IPollFunctions,
	working: Promise<Result>,
): Promise<Result | undefined> {
	try {
		return await working;
	} catch (error) {
		const { headline } = Failure.from(error);
		context.logger.warn(`${context.getNode().name}: ${headline}. The next poll tries again`);
		return undefined;
	}
}

function turnOf(context: IPollFunctions, isFirst: boolean): Turn {
	// Older versions of n8n have no budget.
	const granted = 'getPollBudgetMs' in context ? context.getPollBudgetMs() : OTHER_BUDGET;
	const now = Date.now();
	if (!isFirst) return { context, patience: DEFAULT_PATIENCE, budget: granted, end: Infinity };
	const budget = Math.min(granted, FIRST_BUDGET);
	return { context, patience: FIRST_PATIENCE, budget, end: now + budget };
}
