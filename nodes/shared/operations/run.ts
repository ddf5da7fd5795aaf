import { deepCopy } from 'n8n-workflow';
import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { Failure } from '../base/failure';
import type { FallbackMessage } from '../base/failure';
import { jsonValue } from '../base/json';
import { truncate } from '../base/text';
import { contextIn, Parameters, readEntries } from '../fields/field';
import type { Field } from '../fields/field';
import { runOptions } from '../fields/common';
import { ApiClient, DEFAULT_TIME_LIMITS } from '../http/client';
import { codeOf } from '../http/outcome';
import type { ApiRequest } from '../http/request';
import type { Service } from '../http/service';
import { isAgentTool, returnsErrorsToAgent } from '../n8nInternals';
import { errorItem, headlineOf, toNodeError } from '../nodeError';
import { startTry } from './progress';
import type { Progress } from './progress';

export const UNREADABLE_ITEM: FallbackMessage = {
	message: 'The values of this row could not be read',
	hint: 'Check the expressions in this node. n8n gives this reason',
};

const CONTINUE_HINT =
	"To go on with the other rows, set On Error in the node's Settings to Continue (using error output)";

/** The options of a run, and those that its operation adds; undefined unless the user set them. */
interface RunOptions extends Record<string, unknown> {
	answersAsColumns?: boolean;
	dryRun?: boolean;
}

/** The part of an operation that a run needs. */
export interface RunOperation {
	options: Record<string, Field<unknown>>;
	/** Those of its options that only the run reads. */
	runOptions?: Record<string, Field<unknown>>;
	writes?: boolean;
	/** The fields that it returns, without those of a record and those of its Columns. */
	results: string[];
}

interface LabeledItem {
	itemIndex: number;
	label: string;
}

export class Run {
	/** True if a bad item fails alone: with On Error = continue, in an agent's hands, and in a dry run. */
	readonly continues: boolean;
	readonly isTool: boolean;
	readonly options: RunOptions;
	readonly parameters: Parameters;
	readonly client: ApiClient;
	readonly progress: Progress;
	/** Aborts at the failure that stops the run. */
	private readonly stop = new AbortController();
	/** The failure of all items that have no result. */
	private failureOfAll?: Failure;

	constructor(
		readonly context: IExecuteFunctions,
		service: Service,
		private readonly operation: RunOperation,
	) {
		this.isTool = isAgentTool(context);
		this.parameters = new Parameters(context);
		this.options = this.readOptions();
		const { dryRun = false } = this.options;
		this.continues = context.continueOnFail() || returnsErrorsToAgent(context) || dryRun;
		this.progress = startTry(context, dryRun);
		if (!this.continues && this.progress.ofState('failed').length > 0) this.stop.abort();
		this.client = new ApiClient(context, service, DEFAULT_TIME_LIMITS, this.stop.signal);
	}

	succeed({ itemIndex, label }: LabeledItem, output: IDataObject[]): void {
		this.progress.setResult(itemIndex, { state: 'sent', label, output });
	}

	/** Ends an item that is not sent. @param countedAs its code, or a closer one, by which the hint at the end counts */
	skip({ itemIndex, label }: LabeledItem, json: IDataObject, countedAs: string): void {
		this.progress.setResult(itemIndex, { state: 'skipped', label, output: [json], countedAs });
	}

	/**
	 * Fails an item. A failure of the whole run stops it, and so does the first failure with On Error = stop: requests that wait
	 * then stay unsent.
	 */
	fail({ itemIndex, label }: LabeledItem, failure: Failure): void {
		if (failure.kind === 'unsent' && this.stop.signal.aborted) return;
		this.progress.setResult(itemIndex, { state: 'failed', label, failure });
		if (failure.kind === 'run') this.failAll(failure);
		else if (!this.continues) this.stop.abort();
	}

	failAll(failure: Failure): void {
		this.failureOfAll ??= failure.with({ kind: 'run', code: codeOf(failure), doubt: undefined });
		this.stop.abort();
	}

	/** Counts a request of a dry run, and sets the result of each item to its input and its part of the request. */
	plan(items: Array<LabeledItem & { request: ApiRequest }>): void {
		const place = { number: ++this.progress.planned, rows: items.length };
		for (const { itemIndex, label, request } of items) {
			const { method, path, query, body } = request;
			const planned = { ...place, ...deepCopy({ method, path, query, body }) };
			const json = { ...this.parameters.item(itemIndex), dryRun: true, request: planned };
			this.progress.setResult(itemIndex, { state: 'planned', label, output: [json] });
		}
	}

	/** True if nothing more may start: an item failed with On Error = stop, or the run was cancelled. */
	get isStopped(): boolean {
		return this.stop.signal.aborted || this.client.isCancelled;
	}

	/**
	 * Items and error items in input order, each linked to its item. @throws NodeApiError or NodeOperationError of the first
	 * failed item, with On Error = stop
	 */
	output(): INodeExecutionData[] {
		const { progress, context, parameters, failureOfAll } = this;
		const hints = this.hints().map((hint) => ({ message: truncate(hint) }));
		context.addExecutionHints(...hints);
		return Array.from({ length: parameters.count }).flatMap((_, itemIndex) => {
			const result = progress.result(itemIndex);
			const failure =
				result === undefined ? failureOfAll : result.state === 'failed' && result.failure;
			if (failure) return [this.errorItemOf(failure, { itemIndex, label: result?.label ?? '' })];
			const output = result && result.state !== 'failed' ? result.output : [];
			const pairedItem = { item: itemIndex };
			return output.map((json) => ({ json, pairedItem }));
		});
	}

	/** Reads the options of the run, and checks that no other one differs between the items. If that fails, every item does. */
	private readOptions(): RunOptions {
		const { parameters, operation } = this;
		const ofRun = { ...operation.runOptions, ...runOptions };
		try {
			const given: IDataObject = {};
			for (const [name, { label, isPerItem }] of Object.entries(operation.options)) {
				const path = `options.${name}`;
				const value = isPerItem ? undefined : parameters.ofRun(path, label);
				const isAdded = name in ofRun && parameters.written(path) !== undefined;
				if (isAdded) given[name] = jsonValue(value);
			}
			const context = { ...contextIn(), isTool: this.isTool };
			const read = readEntries<RunOptions>('Options', ofRun, given, context);
			if (context.failures.length > 0) throw Failure.all(context.failures);
			return read;
		} catch (error) {
			this.failAll(Failure.from(error, UNREADABLE_ITEM));
			return {};
		}
	}

	/** @throws NodeApiError or NodeOperationError with On Error = stop */
	private errorItemOf(failure: Failure, { itemIndex, label }: LabeledItem) {
		const { context, parameters } = this;
		const item = { context, label, itemIndex };
		// An agent that gets an error would call the tool again.
		const isReturned = this.isTool && failure.isUncertain;
		if (isReturned || this.continues) return errorItem(failure, item, this.operation.results);
		const node = context.getNode();
		const isRunWide = failure.kind === 'run';
		const ofItem = isRunWide ? undefined : itemIndex;
		if (this.isTool) {
			const message = failure.messageWithAdvice(headlineOf(failure, item, ''));
			throw toNodeError(node, failure, message, ofItem);
		}
		const message = headlineOf(failure, item) + this.otherItems(ofItem);
		const hints = [failure.hint, parameters.count > 1 && !isRunWide && CONTINUE_HINT];
		const withHints = failure.with({ hint: hints.filter(Boolean).join('. ') || undefined });
		throw toNodeError(node, withHints, message, ofItem);
	}

	/** The other items of all tries, although one failed. @param itemIndex that item, if it is one */
	private otherItems(itemIndex?: number): string {
		const { progress, operation } = this;
		const { count } = this.parameters;
		if (count === 1) return '';
		const done = operation.writes ? 'sent' : 'read';
		const failed = progress.ofState('failed').length - 1;
		const others = failed > 0 ? ` and ${failed} more ${failed === 1 ? 'row' : 'rows'}` : '';
		const sent = progress.ofState('sent').length;
		const lost = progress.maybeSent();
		const maybe = lost.filter((index) => index !== itemIndex).length;
		if (sent + maybe === 0) {
			return `${others}. ${lost.length > 0 ? 'No other row' : 'Nothing'} was ${done}`;
		}
		const unknown = maybe > 0 ? `, and ${maybe} more may have been` : '';
		return `${others}. ${sent} of ${count} rows were ${done}${unknown}`;
	}

	private hints(): string[] {
		const { progress } = this;
		const { service, waited } = this.client;
		const { name } = service;
		const { maybeSent = 0, ...codes } = this.skippedByCode();
		const skipped = Object.entries(codes)
			.map(([code, count]) => `${count} (${code})`)
			.join(', ');
		const dryRun = `Rows of the dry run were not written to ${name}. Requests that would go out`;
		const isToCount = (itemIndex: number) => {
			const { state } = progress.result(itemIndex) ?? {};
			return state === 'sent' || state === 'planned';
		};
		const hints = [
			...progress.hints,
			waited >= 1000 && `${name} asked this run to wait: ${Math.round(waited / 1000)} s in all`,
			progress.planned > 0 && `${dryRun}: ${progress.planned}`,
			skipped !== '' && `Rows that were skipped: ${skipped}`,
			maybeSent > 0 &&
				`Rows that may have been sent by a request whose response was lost: ${maybeSent}`,
			...progress.warnings.hints(isToCount),
		];
		return hints.filter((hint) => typeof hint === 'string');
	}

	private skippedByCode(): Partial<Record<string, number>> {
		const counts: Partial<Record<string, number>> = {};
		for (const itemIndex of this.progress.ofState('skipped')) {
			const result = this.progress.result(itemIndex);
			if (result?.state !== 'skipped') continue;
			counts[result.countedAs] = (counts[result.countedAs] ?? 0) + 1;
		}
		return counts;
	}
}
