import type { IDataObject, IExecuteData, IExecuteFunctions } from 'n8n-workflow';

import type { Failure } from '../base/failure';
import { executionOfTries } from '../n8nInternals';

/** The result of one input item: its output rows, or why it failed. */
export type RowResult = { rows: IDataObject[] } | { failure: Failure };

/** Returns whether the service may have processed the item although it failed. */
export function isUncertain(result: RowResult | undefined): boolean {
	return hasFailed(result) && result.failure.kind === 'uncertain';
}

/** Returns whether the item failed; false while it has no result. */
export function hasFailed(result: RowResult | undefined): result is { failure: Failure } {
	return result !== undefined && 'failure' in result;
}

/**
 * The results of a node's items in previous tries. With Retry On Fail, n8n runs the whole node again when one item
 * failed, which would send every survey again.
 */
const previousTries = new WeakMap<IExecuteData, Array<RowResult | undefined>>();

/**
 * Returns the results of a node's items, which the run fills in. On a retry, it has the results that must stay: items
 * that succeeded, and items that the service may have processed.
 */
export function resultsFromPreviousTry(
	context: IExecuteFunctions,
	count: number,
): Array<RowResult | undefined> {
	const execution = executionOfTries(context);
	const previous = (execution && previousTries.get(execution)) ?? [];
	const results = Array.from({ length: count }, (_, item) => {
		const result = previous[item];
		return hasFailed(result) && !isUncertain(result) ? undefined : result;
	});
	if (execution) previousTries.set(execution, results);
	return results;
}
