import type { IDataObject, IExecuteData, IExecuteFunctions } from 'n8n-workflow';

import type { SkipReason } from '../base/codes';
import type { Failure } from '../base/failure';
import { Warnings } from '../fields/field';
import { withDoubt } from '../http/outcome';
import type { ApiRequest } from '../http/request';
import { executionData, executionOfTries, isAgentTool } from '../n8nInternals';

/**
 * The life of one item. It has no result while it is read, is ready, or waits for others of its lane; then one of these. A
 * failure whose `doubt` is set may have been processed. With Retry On Fail, items that failed and were not processed begin again.
 *
 * ```
 * read ─┬─ ready ─┬─ sent
 *       │         ├─ planned (dry run)
 *       │         └─ failed (maybe processed, or not)
 *       ├─ skipped
 *       └─ failed
 * ```
 *
 * @internal
 */
export type RunItemResult = { label: string } & (
	| { state: 'sent' | 'planned'; output: IDataObject[] }
	| { state: 'skipped'; output: IDataObject[]; countedAs: string }
	| { state: 'failed'; failure: Failure }
);

/** An item that is ready to be sent, by what it has in common with others. */
export interface ItemToSend {
	itemIndex: number;
	/** Items of one lane go out one after the other, in input order: those of one person or record. */
	lane: string;
	/** Items of one request have the same group. */
	group: string;
	/** The same for items of which one execution sends only one. */
	key?: string;
	/** Identifies the item in all tries: by its index, or by what an agent asks of a tool. */
	identity: string;
	request: ApiRequest;
}

/** Returns what identifies a request among those of a node. */
export const requestKey = (request: ApiRequest): string => JSON.stringify(request);

/** The state that all runs of a node share in one execution: a loop, two branches, or an agent's calls run it several times. */
interface SharedState {
	/** The items that went out, or may have, by their key. */
	readonly sent: Map<string, { progress: Progress; itemIndex: number }>;
	/** The calls of an agent's tool that may have been processed. */
	readonly lost: Map<string, Failure>;
	/** Why people are not surveyed, by address, as one of their items says. */
	readonly objections: Map<string, SkipReason>;
}

const sharedStates = new WeakMap<object, Map<string, SharedState>>();

const newState = (): SharedState => ({ sent: new Map(), lost: new Map(), objections: new Map() });

/**
 * The progress of one run, over all its tries with Retry On Fail: the only place that knows what was sent. An item ends by a
 * method of `Run`, such as `skip`.
 */
export class Progress {
	/** The editor shows them after a run that succeeded. */
	readonly hints = new Set<string>();
	readonly warnings = new Warnings();
	readonly objections: SharedState['objections'];
	/** The number of requests that a dry run would send. */
	planned = 0;
	private results: Array<RunItemResult | undefined> = [];
	/** The results of the try before, also of items that this try repeats. */
	private previous: Array<RunItemResult | undefined> = [];
	private readonly lastOfLane = new Map<string, number>();
	private readonly sent = new Set<number>();
	/** The failures of requests that may have been processed, by what identifies the item. */
	private readonly lost: Map<string, Failure>;

	constructor(
		private readonly shared: SharedState,
		isTool: boolean,
	) {
		this.objections = shared.objections;
		this.lost = isTool ? shared.lost : new Map<string, Failure>();
	}

	/** Starts a try. The results of items that succeeded, or that the service may have processed, stay. */
	start(count: number): void {
		this.previous = this.results;
		this.results = Array.from({ length: count }, (_, itemIndex) => {
			const result = this.previous[itemIndex];
			const isAgain = result?.state === 'failed' && !result.failure.isUncertain;
			return isAgain ? undefined : result;
		});
	}

	result(itemIndex: number): RunItemResult | undefined {
		return this.results[itemIndex];
	}

	ofState(state: RunItemResult['state']): number[] {
		return this.indexes((itemIndex) => this.result(itemIndex)?.state === state);
	}

	/** Items that may have been processed although they have no output. */
	maybeSent(): number[] {
		return this.indexes((itemIndex) => {
			const result = this.result(itemIndex);
			if (result === undefined) return this.lost.has(String(itemIndex));
			return result.state === 'failed' && result.failure.doubt !== undefined;
		});
	}

	setResult(itemIndex: number, result: RunItemResult): void {
		this.results[itemIndex] = result;
	}

	recordSent({ itemIndex, key, lane }: ItemToSend): void {
		if (key !== undefined) this.shared.sent.set(key, { progress: this, itemIndex });
		this.sent.add(itemIndex);
		this.lastOfLane.set(lane, itemIndex);
	}

	/** Adds to an item's failure what its earlier requests may have done, and remembers what this one may have. */
	recordFailure({ identity, itemIndex, request }: ItemToSend, failure: Failure): Failure {
		const recorded = withDoubt(failure, request, this.lost.has(identity));
		if (recorded.doubt === undefined) return recorded;
		this.lost.set(identity, recorded).set(requestKey(request), recorded);
		this.sent.add(itemIndex);
		return recorded;
	}

	lostRequest(identity: string): Failure | undefined {
		return this.lost.get(identity);
	}

	/** The index of the earlier item, or `earlierRun` for an item of another run of the node in this execution. */
	duplicateOf({ key = '' }: ItemToSend): number | 'earlierRun' | undefined {
		const sent = this.shared.sent.get(key);
		if (sent === undefined) return undefined;
		return sent.progress === this ? sent.itemIndex : 'earlierRun';
	}

	/** Returns whether a later item of its lane went out, whose values must stay. Then, the item gets its failure of the try before. */
	restoreIfOvertaken(item: ItemToSend): boolean {
		return (this.lastOfLane.get(item.lane) ?? -1) > item.itemIndex && this.restore(item);
	}

	/** Gives an item its failure of the try before. Returns whether it had one. */
	restore({ itemIndex }: ItemToSend): boolean {
		this.results[itemIndex] = this.previous[itemIndex];
		return this.results[itemIndex] !== undefined;
	}

	countSent(): number {
		return this.sent.size;
	}

	maybeWentOut({ itemIndex }: ItemToSend): boolean {
		return this.sent.has(itemIndex);
	}

	private indexes(test: (itemIndex: number) => boolean): number[] {
		return Array.from(this.results.keys()).filter(test);
	}
}

const progressOfTries = new WeakMap<IExecuteData, Progress>();

/** Starts a try of a node's run, and returns the progress of all of them. A dry run shares nothing. @internal */
export function startTry(context: IExecuteFunctions, isDry: boolean): Progress {
	const execution = executionOfTries(context);
	// promise: one-run
	const earlier = execution && progressOfTries.get(execution);
	const progress =
		earlier ?? new Progress(isDry ? newState() : stateOf(context), isAgentTool(context));
	if (execution) progressOfTries.set(execution, progress);
	progress.start(context.getInputData().length);
	return progress;
}

function stateOf(context: IExecuteFunctions): SharedState {
	const execution = executionData(context);
	if (execution === undefined) return newState();
	const ofNodes = sharedStates.get(execution) ?? new Map<string, SharedState>();
	sharedStates.set(execution, ofNodes);
	const { name } = context.getNode();
	const state = ofNodes.get(name) ?? newState();
	ofNodes.set(name, state);
	return state;
}
