import type { IExecuteData, IExecuteFunctions } from 'n8n-workflow';

import { runsAsTool } from './agentTool';
import type { Outcome } from './outcome';

/**
 * What came of a node's items in earlier tries. With «Retry On Fail», n8n runs the whole node again
 * when one of its items failed, and so would send every survey again that had gone out already.
 */
const earlierTries = new WeakMap<IExecuteData, Array<Outcome | undefined>>();

/**
 * Gives the outcomes of a node's items, to be filled. In a later try it holds those that stay: what is
 * done, and what may have been carried out. Only what surely was not is tried again.
 */
export function outcomesToFill(
	context: IExecuteFunctions,
	count: number,
): Array<Outcome | undefined> {
	// An agent's calls of a tool share their execution data, and are no tries of one thing.
	if (runsAsTool(context)) return new Array<Outcome | undefined>(count);
	const execution = context.getExecuteData();
	const earlier = earlierTries.get(execution) ?? [];
	const outcomes = Array.from({ length: count }, (_, item) => staying(earlier[item]));
	earlierTries.set(execution, outcomes);
	return outcomes;
}

function staying(outcome: Outcome | undefined): Outcome | undefined {
	if (outcome === undefined || 'rows' in outcome) return outcome;
	return outcome.failure.details.uncertain ? outcome : undefined;
}
