import type {
	IDataObject,
	IExecuteFunctions,
	INodeExecutionData,
	INodeProperties,
} from 'n8n-workflow';
import { deepCopy } from 'n8n-workflow';

import { ApiClient } from '../http/client';
import { redactKey, redactText } from '../http/redactKey';
import type { ApiRequest } from '../http/request';
import type { Service } from '../http/service';
import { Failure } from '../base/failure';
import { toNodeError } from '../nodeError';
import type { FallbackMessage } from '../base/failure';
import { truncate } from '../base/text';
import { isAgentTool, returnsErrorsToAgent } from '../n8nInternals';
import { AdaptiveConcurrency } from '../parallel';
import { Parameters, Warnings } from '../fields/context';
import { AnswerColumns } from '../recordForms';
import { errorItem, headlineOf, nameOf } from './errorItem';
import type { RowContext, RowNames } from './errorItem';
import { hasFailed, isUncertain, resultsFromPreviousTry } from './rowResult';
import type { RowResult } from './rowResult';
import { DEFAULT_RUN_OPTIONS, readRunOptions } from './runOptions';
import type { RunOptions } from './runOptions';

/** The message when n8n cannot evaluate an expression. */
const UNREADABLE_ROW: FallbackMessage = {
	message: 'The values of this row could not be read',
	hint: 'Check the expressions in this node. n8n gives this reason',
};

const CONTINUE_HINT =
	"To go on with the other rows, set On Error in the node's Settings to Continue (using error output)";

/** One execution of one node. */
export class Run {
	readonly count: number;
	/** True with On Error = continue, and in an agent's hands: a bad row fails alone, and the others go on. */
	readonly continues: boolean;
	private readonly results: Array<RowResult | undefined>;
	/** Aborts at the failure that stops the run. */
	private readonly stop = new AbortController();
	private readonly skipped = new Map<string, number>();
	/** Items that were skipped, or that a dry run only shows. */
	private readonly unsent = new Set<number>();
	private readonly hints: string[] = [];
	private planned = 0;

	readonly options: RunOptions;
	readonly client: ApiClient;
	readonly parameters: Parameters;
	/** Warnings about values that were sent. */
	readonly warnings = new Warnings();
	readonly answerColumns = new AnswerColumns();
	/** Names rows in messages; set when the operation starts to read them. */
	names?: RowNames;

	/** @param fields the operation's fields */
	constructor(
		readonly context: IExecuteFunctions,
		service: Service,
		private readonly operation: { fields: INodeProperties[]; writes?: boolean },
	) {
		this.count = context.getInputData().length;
		this.continues = context.continueOnFail() || returnsErrorsToAgent(context);
		this.results = resultsFromPreviousTry(context, this.count);
		if (!this.continues && this.results.some(hasFailed)) this.stop.abort();
		this.parameters = new Parameters(context);
		this.options = this.readOptions(operation.fields);
		this.client = new ApiClient(context, service, this.options, undefined, this.stop.signal);
	}

	/**
	 * Sets the result of an item. The first failure stops a run with On Error = stop; requests that wait to go out then
	 * stay unsent, and have no result.
	 *
	 * @returns false if nothing more may start
	 */
	setResult(item: number, result: RowResult): boolean {
		const isUnsent = hasFailed(result) && result.failure.kind === 'unsent';
		if (isUnsent && this.stop.signal.aborted) return false;
		this.results[item] = result;
		if (hasFailed(result) && !this.continues) this.stop.abort();
		return !this.stop.signal.aborted;
	}

	/** Reads a row. Returns undefined if that fails, which is the item's result then. */
	read<Row>(item: number, read: () => Row): Row | undefined {
		try {
			return read();
		} catch (error) {
			this.setResult(item, { failure: Failure.from(error, UNREADABLE_ROW) });
			return undefined;
		}
	}

	/**
	 * Does an item's work and sets its result.
	 *
	 * @param fail handles a failure that means something else for the row
	 */
	async settle(
		item: number,
		work: () => Promise<IDataObject[]>,
		fail: (failure: Failure) => boolean = (failure) => this.setResult(item, { failure }),
	): Promise<boolean> {
		try {
			return this.setResult(item, { rows: await work() });
		} catch (error) {
			return fail(Failure.from(error));
		}
	}

	/** Counts an item that is not sent, for the hint at the end. */
	countSkipped(item: number, kind: string): void {
		this.unsent.add(item);
		this.skipped.set(kind, (this.skipped.get(kind) ?? 0) + 1);
	}

	/** Counts a request of a dry run. Returns a function that makes a row's output from its part of the request. */
	plan(items: number[]): (request: ApiRequest) => IDataObject {
		items.forEach((item) => this.unsent.add(item));
		const place = { request: ++this.planned, rowsInRequest: items.length };
		return ({ method, path, query, body }) => {
			const request = deepCopy({ method, path, query, body });
			return { dryRun: true, wouldSend: { ...place, ...request } };
		};
	}

	/** Returns the result of an item; undefined while there is none. */
	result(item: number): RowResult | undefined {
		return this.results[item];
	}

	/** True if nothing more may start: a row failed with On Error = stop, or the run was cancelled. */
	get isStopped(): boolean {
		return this.stop.signal.aborted || this.client.isCancelled;
	}

	/**
	 * Returns how many requests of an operation may be in flight. Starts from what the account took in the last run.
	 *
	 * @param operation a name that is unique within the service
	 */
	async concurrency(operation: string, limits: { first: number; max: number }) {
		const known = (await this.client.credential())?.rateLimiter.concurrency;
		return new AdaptiveConcurrency({
			...limits,
			known: known?.get(operation),
			refusals: () => this.client.stats.rateLimited,
			learned: (concurrency) => known?.set(operation, concurrency),
		});
	}

	/** Adds a hint that the editor shows after a run that succeeded. */
	addHint(message: string): void {
		this.hints.push(message);
	}

	/**
	 * Returns the node's output: rows and error items in input order, each linked to its item.
	 *
	 * @throws NodeApiError or NodeOperationError of the first failed item, with On Error = stop
	 */
	async output(): Promise<INodeExecutionData[]> {
		this.addRunHints();
		const needsKey = this.results.some(hasFailed) || this.hints.length > 0;
		const apiKey = (needsKey && (await this.client.credential())?.apiKey) || '';
		const hints = this.hints.map((hint) => ({ message: truncate(redactText(hint, apiKey)) }));
		if (hints.length > 0) this.context.addExecutionHints(...hints);
		return this.results.flatMap((result, item) => {
			if (result === undefined) return [];
			if (hasFailed(result)) return [this.failed(result.failure, item, apiKey)];
			const pairedItem = { item };
			return this.answerColumns.complete(result.rows).map((json) => ({ json, pairedItem }));
		});
	}

	/** Reads the options of the run. If an expression among them fails, every item fails. */
	private readOptions(fields: INodeProperties[]): RunOptions {
		try {
			return readRunOptions(this.parameters, fields);
		} catch (error) {
			const failure = Failure.from(error, UNREADABLE_ROW).with({ kind: 'run' });
			for (let item = 0; item < this.count; item++) this.setResult(item, { failure });
			return DEFAULT_RUN_OPTIONS;
		}
	}

	/**
	 * Returns the error item of a failed row, without the API key.
	 *
	 * @throws NodeApiError or NodeOperationError with On Error = stop
	 */
	private failed(withKey: Failure, item: number, apiKey: string): INodeExecutionData {
		const { context, names } = this;
		const failure = redactKey(withKey, apiKey);
		const row = { context, service: this.client.service, names, item, apiKey };
		if (this.continues) return errorItem(failure, row);
		const node = context.getNode();
		const isRunWide = failure.kind === 'run';
		const itemIndex = isRunWide ? undefined : item;
		if (isAgentTool(context)) {
			const message = failure.messageWithAdvice(headlineOf(failure, row, ''));
			throw toNodeError(node, failure, message, itemIndex);
		}
		const message = headlineOf(failure, row, ` [item ${item}]`) + this.otherRowsSent(row);
		const hints = [failure.hint, this.count > 1 && !isRunWide && CONTINUE_HINT];
		const withHints = failure.with({ hint: hints.filter(Boolean).join('. ') || undefined });
		throw toNodeError(node, withHints, message, itemIndex);
	}

	/** Returns which rows were sent, or read, although this row failed. */
	private otherRowsSent(row: RowContext): string {
		if (this.count === 1) return '';
		const { writes } = this.client.stats;
		const done = this.operation.writes ? 'sent' : 'read';
		const sent = this.itemsWhere((result, item) => 'rows' in result && !this.unsent.has(item));
		if (sent.length + writes === 0) return `. Nothing was ${done} before it`;
		const before = sent.filter((item) => item < row.item);
		const after = sent.filter((item) => item > row.item);
		const uncertain = this.itemsWhere(isUncertain).filter((item) => item !== row.item);
		const namesOf = (items: number[]) => {
			const ends = [...new Set([items[0], items.at(-1)])].filter((item) => item !== undefined);
			const names = ends.map((item) => nameOf({ ...row, item }) || `item ${item}`);
			return names.length === 0 ? '' : ` (${names.join(items.length > 2 ? ' to ' : ', ')})`;
		};
		return [
			`. ${before.length} of ${this.count} rows were ${done} before it${namesOf(before)}`,
			after.length > 0 ? `, ${after.length} after it${namesOf(after)}` : '',
			uncertain.length > 0
				? `, and ${uncertain.length} more may have been${namesOf(uncertain)}`
				: '',
		].join('');
	}

	private itemsWhere(test: (result: RowResult, item: number) => boolean): number[] {
		return this.results.flatMap((result, item) => (result && test(result, item) ? [item] : []));
	}

	private addRunHints(): void {
		const { hasRedacted, service, stats } = this.client;
		const { name } = service;
		const waited = Math.round(stats.waited / 1000);
		const skipped = [...this.skipped].map(([kind, count]) => `${count} (${kind})`).join(', ');
		const dryRun = `Dry run: nothing was written to ${name}. Requests that would go out`;
		if (stats.waited >= 1000) this.addHint(`${name} is rate limiting: this run waited ${waited} s`);
		if (this.planned > 0) this.addHint(`${dryRun}: ${this.planned}`);
		if (skipped) this.addHint(`Rows that were skipped: ${skipped}`);
		if (hasRedacted) this.addHint(`${name} returned the API key. It was replaced by ***`);
		if (stats.retries > 0) {
			this.addHint(`Requests to ${name} that were retried: ${stats.retries}`);
		}
		this.hints.push(...this.warnings.hints());
	}
}

/** Returns a function that reads once per run what many of its rows need. */
export function oncePerRun<Value>(
	read: (run: Run) => Promise<Value>,
): (run: Run) => Promise<Value> {
	const pending = new WeakMap<Run, Promise<Value>>();
	return async (run) => {
		const reading = pending.get(run) ?? read(run);
		pending.set(run, reading);
		return await reading;
	};
}
