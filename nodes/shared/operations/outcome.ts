import type { IDataObject } from 'n8n-workflow';

import { Failure } from '../http/failure';

/** What came of one input item: the rows that it gives, or why it failed. */
export type Outcome = { rows: IDataObject[] } | { failure: Failure };

/** Whether the service may have carried the item out although it failed. */
export function isUncertain(outcome: Outcome | undefined): boolean {
	return (
		outcome !== undefined && 'failure' in outcome && outcome.failure.details.uncertain === true
	);
}

/** Whether the item failed; false while nothing came of it. */
export function hasFailed(outcome: Outcome | undefined): boolean {
	return outcome !== undefined && 'failure' in outcome;
}

/** An outcome with a mark on its rows, or on what its failure says. */
export function marked(outcome: Outcome, mark: IDataObject, words: string): Outcome {
	if ('rows' in outcome) return { rows: outcome.rows.map((row) => ({ ...row, ...mark })) };
	const { details } = outcome.failure;
	return { failure: new Failure({ ...details, words: `${details.words} [${words}]` }) };
}
