import type { IPollFunctions } from 'n8n-workflow';

import { DEFAULT_PATIENCE } from '../../shared/door';
import type { Patience } from '../../shared/door';
import { Failure } from '../../shared/failure';
import { budgetOf, isScheduled, nodeOf } from './poller';

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
 * n8n polls once while it activates a workflow. It (2.41) ends an activation after two minutes and
 * then leaves the trigger dead until somebody publishes again.
 */
const ACTIVATION_BUDGET = 30_000;

const ACTIVATION_PATIENCE: Patience = { maxWait: 20, timeout: 12 };

/** Activations that nobody watches: n8n starts, or another of its processes takes over. */
const UNWATCHED: string[] = ['init', 'leadershipChange'];

/** The nodes of this process that poll right now. */
const polling = new Set<string>();

/** Activations whose poll is done: the polls by the clock that follow come with the same context. */
const activated = new WeakSet<IPollFunctions>();

/**
 * Polls unless the poll before still does: n8n starts one by the clock, whether the service makes the
 * one before wait or not. Undefined where there is nothing to tell.
 */
export async function takeTurn<Result>(
	context: IPollFunctions,
	work: (turn: Turn) => Promise<Result>,
): Promise<Result | undefined> {
	const node = nodeOf(context);
	if (polling.has(node)) return undefined;
	polling.add(node);
	const isActivation = !isScheduled(context) && !activated.has(context);
	try {
		const working = work(isActivation ? activationTurn(context) : clockTurn(context));
		const isWatched = !isActivation || !UNWATCHED.includes(context.getActivationMode());
		const result = await (isWatched ? working : forgiving(context, working));
		activated.add(context);
		return result;
	} finally {
		polling.delete(node);
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

function activationTurn(context: IPollFunctions): Turn {
	const end = Date.now() + ACTIVATION_BUDGET;
	return { context, patience: ACTIVATION_PATIENCE, budget: ACTIVATION_BUDGET, end };
}

function clockTurn(context: IPollFunctions): Turn {
	const budget = budgetOf(context);
	const maxWait = Math.min(DEFAULT_PATIENCE.maxWait, budget / 1000);
	return { context, patience: { ...DEFAULT_PATIENCE, maxWait }, budget, end: Infinity };
}
