import type { IDataObject } from 'n8n-workflow';

import type { Failure } from '../http/failure';
import type { Outcome } from './outcome';
import type { Row } from './rows';

/** People whom the service will not survey now, and how their rows come out where that is no error. */
export interface Ineligible<Input> {
	/** The service's words for them. */
	words: RegExp;
	/** What names the row. */
	row(input: Input): IDataObject;
}

/** Gives the outcome of a row that is not sent. */
export function skippedOutcome(row: IDataObject, reason: string): Outcome {
	return { rows: [{ ...row, status: 'skipped', reason }] };
}

/** Gives what a failure comes to: a skipped row where the user wants no error of people who are not eligible. */
export function outcomeOfFailure<Input>(
	{ input, options }: Row<Input>,
	failure: Failure,
	ineligible?: Ineligible<Input>,
): Outcome {
	const { words, status, uncertain } = failure.details;
	// Too many requests are told in like words, and are no matter of the person.
	const isIneligible = status !== 429 && uncertain !== true && ineligible?.words.test(words);
	if (!ineligible || !isIneligible || options.ineligible !== 'skip') return { failure };
	return skippedOutcome(ineligible.row(input), words);
}
