import type { IDataObject, IExecuteData, IExecuteFunctions } from 'n8n-workflow';

import type { SkipReason } from '../base/codes';
import type { Failure } from '../base/failure';
import { Warnings } from '../fields/field';
import { withDoubt } from '../http/outcome';
import type { ApiRequest } from '../http/request';
import { executionData, executionOfTries, isAgentTool } from '../n8nInternals';

/**
 * The life of one input row. It has no result while it is read, is ready, or waits for others of its lane; then one of these. A
 * failure whose `doubt` is set may have been processed. With Retry On Fail, rows that failed and were not processed begin again.
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
export type RowResult = { label: string } & (
	| { state: 'sent' | 'planned'; output: IDataObject[] }
	| { state: 'skipped'; output: IDataObject[]; countedAs: string }
	| { state: 'failed'; failure: Failure }
);

/** A row that is ready to be sent, by what it has in common with others. */
export interface RowToSend {
	itemIndex: number;
	/** Rows of one lane go out one after the other, in input order: those of one person or record. */
	lane: string;
	/** Rows of one request have the same group. */
	group: string;
	/** The same for rows of which one execution sends only one. */
	key?: string;
	/** Identifies the row in all tries: by its index, or by what an agent asks of a tool. */
	identity: string;
	request: ApiRequest;
}

/** Returns what identifies a request among those of a node. */
export const textOf = (request: ApiRequest): string => JSON.stringify(request);

/** The state that all runs of a node share in one execution: a loop, two branches, or an agent's calls run it several times. */
interface SharedState {
	/** The rows that went out, or may have, by their key. */
	readonly sent: Map<string, { rows: Rows; itemIndex: number }>;
	/** The calls of an agent's tool that may have been processed. */
	readonly lost: Map<string, Failure>;
	/** Why people are not surveyed, by address, as one of their rows says. */
	readonly objections: Map<string, SkipReason>;
}

const sharedStates = new WeakMap<object, Map<string, SharedState>>();

const newState = (): SharedState => ({ sent: new Map(), lost: new Map(), objections: new Map() });

/**
 * The rows of one run, over all its tries with Retry On Fail: the only place that knows what was sent. A row ends by a method of
 * `Run`, such as `skip`.
 */
export class Rows {
	/** The editor shows them after a run that succeeded. */
	readonly hints = new Set<string>();
	readonly warnings = new Warnings();
	readonly objections: SharedState['objections'];
	/** The number of requests that a dry run would send. */
	planned = 0;
	private results: Array<RowResult | undefined> = [];
	/** The results of the try before, also of rows that this try repeats. */
	private previous: Array<RowResult | undefined> = [];
	private readonly lastOfLane = new Map<string, number>();
	private readonly sent = new Set<number>();
	/** The failures of requests that may have been processed, by what identifies the row. */
	private readonly lost: Map<string, Failure>;

	constructor(
		private readonly shared: SharedState,
		isTool: boolean,
	) {
		this.objections = shared.objections;
		this.lost = isTool ? shared.lost : new Map<string, Failure>();
	}

	/** Starts a try. The results of rows that succeeded, or that the service may have processed, stay. */
	start(count: number): void {
		this.previous = this.results;
		this.results = Array.from({ length: count }, (_, itemIndex) => {
			const result = this.previous[itemIndex];
			const isAgain = result?.state === 'failed' && !result.failure.isUncertain;
			return isAgain ? undefined : result;
		});
	}

	result(itemIndex: number): RowResult | undefined {
		return this.results[itemIndex];
	}

	ofState(state: RowResult['state']): number[] {
		return this.indexes((itemIndex) => this.result(itemIndex)?.state === state);
	}

	/** Rows that may have been processed although they have no output. */
	maybeSent(): number[] {
		return this.indexes((itemIndex) => {
			const result = this.result(itemIndex);
			if (result === undefined) return this.lost.has(String(itemIndex));
			return result.state === 'failed' && result.failure.doubt !== undefined;
		});
	}

	setResult(itemIndex: number, result: RowResult): void {
		this.results[itemIndex] = result;
	}

	recordSent({ itemIndex, key, lane }: RowToSend): void {
		if (key !== undefined) this.shared.sent.set(key, { rows: this, itemIndex });
		this.sent.add(itemIndex);
		this.lastOfLane.set(lane, itemIndex);
	}

	/** Adds to a row's failure what its earlier requests may have done, and remembers what this one may have. */
	recordFailure({ identity, itemIndex, request }: RowToSend, failure: Failure): Failure {
		const recorded = withDoubt(failure, request, this.lost.has(identity));
		if (recorded.doubt === undefined) return recorded;
		this.lost.set(identity, recorded).set(textOf(request), recorded);
		this.sent.add(itemIndex);
		return recorded;
	}

	lostRequest(identity: string): Failure | undefined {
		return this.lost.get(identity);
	}

	/** The index of the earlier row, or `earlierRun` for a row of another run of the node in this execution. */
	duplicateOf({ key = '' }: RowToSend): number | 'earlierRun' | undefined {
		const sent = this.shared.sent.get(key);
		if (sent === undefined) return undefined;
		return sent.rows === this ? sent.itemIndex : 'earlierRun';
	}

	/** Returns whether a later row of its lane went out, whose values must stay. Then, the row gets its failure of the try before. */
	restoreIfOvertaken(row: RowToSend): boolean {
		return (this.lastOfLane.get(row.lane) ?? -1) > row.itemIndex && this.restore(row);
	}

	/** Gives a row its failure of the try before. Returns whether it had one. */
	restore({ itemIndex }: RowToSend): boolean {
		this.results[itemIndex] = this.previous[itemIndex];
		return this.results[itemIndex] !== undefined;
	}

	countSent(): number {
		return this.sent.size;
	}

	maybeWentOut({ itemIndex }: RowToSend): boolean {
		return this.sent.has(itemIndex);
	}

	private indexes(test: (itemIndex: number) => boolean): number[] {
		return Array.from(this.results.keys()).filter(test);
	}
}

const rowsOfTries = new WeakMap<IExecuteData, Rows>();

/** Starts a try of a node's run, and returns the rows of all its tries. A dry run shares nothing. @internal */
export function startRows(context: IExecuteFunctions, isDry: boolean): Rows {
	const count = context.getInputData().length;
	const execution = executionOfTries(context);
	// promise: one-run
	const earlier = execution && rowsOfTries.get(execution);
	const rows = earlier ?? new Rows(isDry ? newState() : stateOf(context), isAgentTool(context));
	if (execution) rowsOfTries.set(execution, rows);
	rows.start(count);
	return rows;
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
