import type { IDataObject, IExecuteData, IExecuteFunctions } from 'n8n-workflow';

import type { Failure } from '../base/failure';
import { executionOfTries } from '../n8nInternals';

/** The result of an item that failed. */
export interface Failed {
	/** Names the item in messages; empty when nothing does. */
	label: string;
	failure: Failure;
}

/** The result of one input item: its output rows, or why it failed. A dry run only plans. */
export type ItemResult =
	| Failed
	| { label: string; rows: IDataObject[]; state: 'sent' | 'planned' | 'skipped' };

/** Returns whether the item failed; false while it has no result. */
export function hasFailed(result: ItemResult | undefined): result is Failed {
	return result !== undefined && 'failure' in result;
}

/** Returns whether the service may have processed the item although it failed. */
export function isUncertain(result: ItemResult | undefined): boolean {
	return hasFailed(result) && result.failure.kind === 'uncertain';
}

/**
 * The results of a node's items. With Retry On Fail, n8n runs the whole node again when one item failed: all tries are
 * one run, so they share what was sent.
 */
export class Tries {
	results: Array<ItemResult | undefined> = [];
	/** The results of the try before, also of items that this try repeats. */
	previous: Array<ItemResult | undefined> = [];
	/** The items that went out, or may have, by the key of their duplicates. */
	readonly sent = new Map<string, number>();
	/** The last item of each label that went out, or may have. */
	readonly lastSent = new Map<string, number>();
	/** The rows, by the key of their duplicates, that Send at Most lets through. */
	readonly admitted = new Map<boolean, Set<string>>();

	/** Starts a try. The results of items that succeeded, or that the service may have processed, stay. */
	start(count: number): void {
		this.previous = this.results;
		this.results = Array.from({ length: count }, (_, item) => {
			const result = this.previous[item];
			return hasFailed(result) && !isUncertain(result) ? undefined : result;
		});
	}
}

const triesOfExecutions = new WeakMap<IExecuteData, Tries>();

/** Starts a try of a node, and returns what its earlier tries did. */
export function startTry(context: IExecuteFunctions, count: number): Tries {
	const execution = executionOfTries(context);
	const tries = (execution && triesOfExecutions.get(execution)) ?? new Tries();
	if (execution) triesOfExecutions.set(execution, tries);
	tries.start(count);
	return tries;
}
