import { deepCopy } from 'n8n-workflow';
import type {
	IDataObject,
	IExecuteFunctions,
	INodeExecutionData,
	INodeProperties,
} from 'n8n-workflow';

import { Failure } from '../base/failure';
import type { FallbackMessage } from '../base/failure';
import { jsonValue } from '../base/json';
import { truncate } from '../base/text';
import { contextIn, Parameters, readEntries } from '../fields/field';
import { itemOptions, runOptions } from '../fields/sharedFields';
import { ApiClient } from '../http/client';
import type { ApiRequest } from '../http/request';
import type { Service } from '../http/service';
import { isAgentTool, returnsErrorsToAgent } from '../n8nInternals';
import { toNodeError, errorItem, headlineOf } from '../nodeError';
import { startTry } from './tries';
import type { ItemResult } from './tries';

/** The message when n8n cannot evaluate an expression. */
export const UNREADABLE_ITEM: FallbackMessage = {
	message: 'The values of this row could not be read',
	hint: 'Check the expressions in this node. n8n gives this reason',
};

const CONTINUE_HINT =
	"To go on with the other rows, set On Error in the node's Settings to Continue (using error output)";

/** The options of a run that the user did not set. */
const DEFAULT_RUN_OPTIONS = { sendAtMost: Infinity };

/** The options that count for the whole run, as the user set them. */
type RunOptions = typeof DEFAULT_RUN_OPTIONS;

/**
 * Reads the options of a whole run.
 *
 * @param fields the operation's fields: options that it does not offer are not read
 * @throws Failure for a value that cannot be used, and for one that differs between the items
 * @internal
 */
export function readRunOptions(parameters: Parameters, fields: INodeProperties[]): RunOptions {
	const offered = fields.find(({ name }) => name === 'options')?.options ?? [];
	const added = Object.entries(runOptions).filter(([name]) => {
		const isOffered = offered.some((option) => option.name === name);
		return isOffered && parameters.written(`options.${name}`) !== undefined;
	});
	const entries = added.map(([name, { label }]) => [
		name,
		jsonValue(parameters.ofRun(`options.${name}`, label)),
	]);
	const context = contextIn();
	const read = readEntries('Options', runOptions, Object.fromEntries(entries), context);
	if (context.failures.length > 0) throw Failure.all(context.failures);
	const set = Object.entries(read).filter(([, value]) => value !== undefined);
	return Object.assign({ ...DEFAULT_RUN_OPTIONS }, Object.fromEntries(set));
}

/** An item, and what names it in messages. */
interface LabeledItem {
	itemIndex: number;
	label: string;
}

/** One execution of one node. */
export class Run {
	readonly count: number;
	/** True with On Error = continue, and in an agent's hands: a bad item fails alone, and the others go on. */
	readonly continues: boolean;
	/** What this try and earlier ones did. */
	private readonly tries: ReturnType<typeof startTry>;
	/** True for a tool of an AI agent. */
	readonly isTool: boolean;
	/** Aborts at the failure that stops the run. */
	private readonly stop = new AbortController();
	/** The failure that ended the run for all its items. */
	private ended?: Failure;

	readonly options: RunOptions;
	readonly client: ApiClient;
	readonly parameters: Parameters;

	/** @param operation the operation and its fields */
	constructor(
		readonly context: IExecuteFunctions,
		service: Service,
		private readonly operation: { fields: INodeProperties[]; writes?: boolean },
	) {
		this.count = context.getInputData().length;
		this.isTool = isAgentTool(context);
		this.continues = context.continueOnFail() || returnsErrorsToAgent(context);
		this.tries = startTry(context, this.count);
		if (!this.continues && this.tries.results.some((result) => result?.failure)) this.stop.abort();
		this.parameters = new Parameters(context);
		this.options = this.readOptions(operation.fields);
		this.client = new ApiClient(context, service, undefined, undefined, this.stop.signal);
	}

	/** The items that went out in all tries, or may have. */
	get sent() {
		return this.tries.sent;
	}

	get warnings() {
		return this.tries.warnings;
	}

	get answerColumns() {
		return this.tries.answerColumns;
	}

	/** Returns the result of an item; undefined while there is none. */
	result(itemIndex: number): ItemResult | undefined {
		return this.tries.results[itemIndex];
	}

	succeed({ itemIndex, label }: LabeledItem, output: IDataObject[]): void {
		this.tries.results[itemIndex] = { label, output, state: 'sent' };
	}

	/** Ends an item that is not sent. The hint at the end counts by kind. */
	skip({ itemIndex, label }: LabeledItem, json: IDataObject, kind: string): void {
		const { results, skipped } = this.tries;
		results[itemIndex] = { label, output: [json], state: 'skipped' };
		skipped.set(kind, (skipped.get(kind) ?? 0) + 1);
	}

	/**
	 * Fails an item. A failure of the whole run ends it, and so does the first one with On Error = stop: requests that wait to
	 * go out then stay unsent.
	 */
	fail({ itemIndex, label }: LabeledItem, failure: Failure): void {
		if (failure.kind === 'unsent' && this.stop.signal.aborted) return;
		this.tries.results[itemIndex] = { label, state: 'failed', failure };
		if (failure.kind === 'run') this.end(failure);
		else if (!this.goesOnAfter(itemIndex)) this.stop.abort();
	}

	/** Ends the run: all items that have no result fail alike. */
	end(failure: Failure): void {
		this.ended ??= failure.with({ kind: 'run', doubt: undefined });
		this.stop.abort();
	}

	/** A dry run checks all items, whatever On Error is. */
	private goesOnAfter(itemIndex: number): boolean {
		if (this.continues || !this.operation.writes) return this.continues;
		try {
			return (
				itemOptions.dryRun.read(this.parameters.value('options.dryRun', itemIndex), contextIn()) ===
				true
			);
		} catch {
			return false;
		}
	}

	/** Leaves an item the failure of the try before. */
	keepFailure(itemIndex: number): void {
		this.tries.results[itemIndex] = this.tries.previous[itemIndex];
	}

	/** Gives an item the result of one that did the same. */
	copyResult(itemIndex: number, from: number): void {
		this.tries.results[itemIndex] = this.tries.results[from];
	}

	/** Counts a request of a dry run, and sets the result of each item to its part of the request. */
	plan(items: Array<LabeledItem & { request: ApiRequest }>): void {
		const place = { request: ++this.tries.planned, rowsInRequest: items.length };
		for (const { itemIndex, label, request } of items) {
			const { method, path, query, body } = request;
			const wouldSend = { ...place, ...deepCopy({ method, path, query, body }) };
			const json = { dryRun: true, wouldSend };
			this.tries.results[itemIndex] = { label, output: [json], state: 'planned' };
		}
	}

	/** True if nothing more may start: an item failed with On Error = stop, or the run was cancelled. */
	get isStopped(): boolean {
		return this.stop.signal.aborted || this.client.isCancelled;
	}

	/** Adds a hint that the editor shows after a run that succeeded. */
	addHint(message: string): void {
		this.tries.hints.add(message);
	}

	/**
	 * Returns the node's output: items and error items in input order, each linked to its item.
	 *
	 * @throws NodeApiError or NodeOperationError of the first failed item, with On Error = stop
	 */
	output(): INodeExecutionData[] {
		const { results, hints: own, answerColumns } = this.tries;
		const hints = [...own, ...this.runHints()].map((hint) => ({ message: truncate(hint) }));
		this.context.addExecutionHints(...hints);
		const { ended } = this;
		return results.flatMap((own, itemIndex) => {
			const { label, output: output = [], failure } = own ?? { label: '', failure: ended };
			if (failure) return [this.failed(failure, { itemIndex, label })];
			const pairedItem = { item: itemIndex };
			return answerColumns.complete(output).map((json) => ({ json, pairedItem }));
		});
	}

	/** Reads the options of the run. If they cannot be read, every item fails. */
	private readOptions(fields: INodeProperties[]): RunOptions {
		try {
			return readRunOptions(this.parameters, fields);
		} catch (error) {
			this.end(Failure.from(error, UNREADABLE_ITEM));
			return DEFAULT_RUN_OPTIONS;
		}
	}

	/**
	 * Returns the error item of a failure.
	 *
	 * @throws NodeApiError or NodeOperationError with On Error = stop
	 */
	private failed(failure: Failure, { itemIndex, label }: LabeledItem) {
		const { context, count } = this;
		const item = { context, label, itemIndex };
		// An agent that gets an error would call the tool again.
		const isReturned = this.isTool && failure.isUncertain;
		if (isReturned || this.goesOnAfter(itemIndex)) return errorItem(failure, item);
		const node = context.getNode();
		const isRunWide = failure.kind === 'run';
		const ofItem = isRunWide ? undefined : itemIndex;
		if (this.isTool) {
			const message = failure.messageWithAdvice(headlineOf(failure, item, ''));
			throw toNodeError(node, failure, message, ofItem);
		}
		const others = this.otherItemsSent(itemIndex);
		const message = headlineOf(failure, item, ` [item ${itemIndex}]`) + others;
		const hints = [failure.hint, count > 1 && !isRunWide && CONTINUE_HINT];
		const withHints = failure.with({ hint: hints.filter(Boolean).join('. ') || undefined });
		throw toNodeError(node, withHints, message, ofItem);
	}

	/** Returns which items were sent, or read, although this one failed; in any try of the run. */
	private otherItemsSent(failed: number): string {
		if (this.count === 1) return '';
		const done = this.operation.writes ? 'sent' : 'read';
		const sent = this.itemsWhere((result) => result?.state === 'sent');
		const maybe = this.itemsWhere((result, itemIndex) => {
			const isLost = this.sent.lostRequest(String(itemIndex)) !== undefined;
			return itemIndex !== failed && isLost && !result?.output;
		});
		if (sent.length + maybe.length === 0) return `. Nothing was ${done} before it`;
		const before = sent.filter((itemIndex) => itemIndex < failed);
		const after = sent.filter((itemIndex) => itemIndex > failed);
		return [
			`. ${before.length} of ${this.count} rows were ${done} before it${this.namesOf(before)}`,
			after.length > 0 ? `, ${after.length} after it${this.namesOf(after)}` : '',
			maybe.length > 0 ? `, and ${maybe.length} more may have been${this.namesOf(maybe)}` : '',
		].join('');
	}

	/** Returns the names of the first and the last item. */
	private namesOf(items: number[]): string {
		const ends = [...new Set([items[0], items.at(-1)])].filter(
			(itemIndex) => itemIndex !== undefined,
		);
		const names = ends.map((itemIndex) => this.result(itemIndex)?.label || `item ${itemIndex}`);
		return names.length === 0 ? '' : ` (${names.join(items.length > 2 ? ' to ' : ', ')})`;
	}

	private itemsWhere(
		test: (result: ItemResult | undefined, itemIndex: number) => boolean,
	): number[] {
		return this.tries.results.flatMap((result, itemIndex) =>
			test(result, itemIndex) ? [itemIndex] : [],
		);
	}

	/** Returns the hints that count what this run did. */
	private runHints(): string[] {
		const { hasRedacted, service, stats } = this.client;
		const { planned, warnings } = this.tries;
		const { name } = service;
		const waited = Math.round(stats.waited / 1000);
		const skipped = [...this.tries.skipped].map(([kind, count]) => `${count} (${kind})`).join(', ');
		const dryRun = `Rows of the dry run were not written to ${name}. Requests that would go out`;
		const isToCount = (itemIndex: number) => {
			const { state = 'failed' } = this.result(itemIndex) ?? {};
			return state === 'sent' || state === 'planned';
		};
		const hints = [
			stats.waited >= 1000 && `${name} is rate limiting: this run waited ${waited} s`,
			planned > 0 && `${dryRun}: ${planned}`,
			skipped !== '' && `Rows that were skipped: ${skipped}`,
			hasRedacted && `${name} returned the API key. It was replaced by ***`,
			stats.retries > 0 && `Requests to ${name} that were retried: ${stats.retries}`,
			...warnings.hints(isToCount),
		];
		return hints.filter((hint) => typeof hint === 'string');
	}
}

/** Returns a function that reads once per run what many of its items need. */
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
