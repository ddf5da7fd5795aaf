import type { IDataObject, IExecuteData, IExecuteFunctions } from 'n8n-workflow';

import type { Failure } from '../base/failure';
import { Warnings } from '../fields/field';
import { withDoubt } from '../http/outcome';
import type { ApiRequest } from '../http/request';
import { executionData, executionOfTries, isAgentTool } from '../n8nInternals';
import { AnswerColumns } from '../records';

/** The result of one input item: its output, or why it failed. A dry run only plans. @internal */
export interface ItemResult {
	/** Names the item in messages; empty when nothing does. */
	label: string;
	state: 'sent' | 'planned' | 'skipped' | 'failed';
	output?: IDataObject[];
	failure?: Failure;
}

/** An item to send, by what it has in common with others. */
export interface ItemToSend {
	itemIndex: number;
	/** Items of one lane go out one after the other, in input order: those of one person or record. */
	lane: string;
	/** The same for items of which a run sends only one. */
	key?: string;
	/** Identifies the item in all tries: by its index, or by what an agent asks of a tool. */
	identity: string;
	/** The request for this item alone. */
	request: ApiRequest;
	options: { dryRun?: boolean };
}

/** The items that went out in all tries of a run, or may have. */
class SentItems {
	/** The items by the key of their duplicates. */
	private readonly items = new Map<string, number>();
	private readonly lastOfLane = new Map<string, number>();
	/** The items that Send at Most lets through, in a dry run and otherwise. */
	private readonly admitted = { dry: new Set<string>(), real: new Set<string>() };

	/** @param lost the failures of requests that may have been processed, by what identifies the item */
	constructor(private readonly lost = new Map<string, Failure>()) {}

	/** Must be called for each item that went out, or may have. */
	add({ itemIndex, key, lane, options }: ItemToSend): void {
		if (key !== undefined) this.items.set(key, itemIndex);
		if (options.dryRun !== true) this.lastOfLane.set(lane, itemIndex);
	}

	/** Returns the item that an item repeats. */
	duplicateOf({ key = '' }: ItemToSend): number | undefined {
		return this.items.get(key);
	}

	/** Returns whether a later item of the same lane went out. */
	isOvertaken({ itemIndex, lane }: ItemToSend): boolean {
		return (this.lastOfLane.get(lane) ?? -1) > itemIndex;
	}

	/** Lets an item through if fewer than `most` others were, without their duplicates. */
	admit({ itemIndex, key = String(itemIndex), options }: ItemToSend, most: number): boolean {
		const admitted = options.dryRun === true ? this.admitted.dry : this.admitted.real;
		if (!admitted.has(key) && admitted.size >= most) return false;
		admitted.add(key);
		return true;
	}

	/** Adds to an item's failure what its earlier requests may have done, and remembers what this one may have. */
	settle({ identity, request }: ItemToSend, failure: Failure): Failure {
		const settled = withDoubt(failure, request, this.lost.has(identity));
		if (settled.doubt !== undefined) this.lost.set(identity, settled);
		return settled;
	}

	/** Returns the failure of an earlier request that may have been processed. */
	lostRequest(identity: string): Failure | undefined {
		return this.lost.get(identity);
	}
}

/**
 * The results of a node's items. With Retry On Fail, n8n runs the whole node again when one item failed: all tries are one
 * run.
 */
class Tries {
	results: Array<ItemResult | undefined> = [];
	/** The results of the try before, also of items that this try repeats. */
	previous: Array<ItemResult | undefined> = [];
	/** The number of skipped items by the kind of reason. */
	readonly skipped = new Map<string, number>();
	readonly hints = new Set<string>();
	/** Warnings about values that were sent. */
	readonly warnings = new Warnings();
	readonly answerColumns = new AnswerColumns();
	/** The number of requests that dry runs would send. */
	planned = 0;

	constructor(readonly sent: SentItems) {}

	/** Starts a try. The results of items that succeeded, or that the service may have processed, stay. */
	start(count: number): void {
		this.previous = this.results;
		this.results = Array.from({ length: count }, (_, itemIndex) => {
			const result = this.previous[itemIndex];
			return result?.failure && !result.failure.isUncertain ? undefined : result;
		});
		this.warnings.forget((itemIndex) => this.results[itemIndex] === undefined);
	}
}

const triesOfExecutions = new WeakMap<IExecuteData, Tries>();

/** By execution, then by node: the calls of an agent's tool that may have been processed. */
const lostToolCalls = new WeakMap<object, Map<string, Map<string, Failure>>>();

/** Starts a try of a node, and returns what its earlier tries did. @internal */
export function startTry(context: IExecuteFunctions, count: number): Tries {
	const execution = executionOfTries(context);
	// promise: one-run
	const known = execution && triesOfExecutions.get(execution);
	const tries = known ?? new Tries(new SentItems(lostCallsOf(context)));
	if (execution) triesOfExecutions.set(execution, tries);
	tries.start(count);
	return tries;
}

/** Returns what earlier calls of a tool in this execution left in doubt. */
function lostCallsOf(context: IExecuteFunctions): Map<string, Failure> | undefined {
	const execution = isAgentTool(context) ? executionData(context) : undefined;
	if (execution === undefined) return undefined;
	const ofNodes = lostToolCalls.get(execution) ?? new Map<string, Map<string, Failure>>();
	lostToolCalls.set(execution, ofNodes);
	const { name } = context.getNode();
	const lost = ofNodes.get(name) ?? new Map<string, Failure>();
	ofNodes.set(name, lost);
	return lost;
}
