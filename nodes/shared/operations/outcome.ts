import type { IDataObject } from 'n8n-workflow';

import type { Failure } from '../http/failure';

/** The result of one input item: its output rows, or why it failed. */
export type Outcome = { rows: IDataObject[] } | { failure: Failure };

/** Returns whether the service may have processed the item although it failed. */
export function isUncertain(outcome: Outcome | undefined): boolean {
	return (
		outcome !== undefined && 'failure' in outcome && outcome.failure.details.uncertain === true
	);
}

/** Returns whether the item failed; false while it has no result. */
export function hasFailed(outcome: Outcome | undefined): boolean {
	return outcome !== undefined && 'failure' in outcome;
}
