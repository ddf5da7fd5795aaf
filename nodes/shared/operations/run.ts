import type {
	IDataObject,
	IExecuteFunctions,
	INodeExecutionData,
	INodeProperties,
} from 'n8n-workflow';

import { answersAgent, isToolOfAgent } from './agentTool';
import { outcomesToFill } from './earlierTries';
import { errorItem, headlineOf, nameOf } from './errorItem';
import type { RowNames, RowPlace } from './errorItem';
import { AnswerColumns } from '../recordForms';
import { hasFailed, isUncertain } from './outcome';
import type { Outcome } from './outcome';
import { ApiClient } from '../http/client';
import { Failure, toNodeError } from '../http/failure';
import type { Unexpected } from '../http/failure';
import { brief } from '../http/brief';
import { redactKey, redactText } from '../http/redactKey';
import { Parameters, Warnings } from '../parameters/context';
import { DEFAULT_RUN_OPTIONS, readRunOptions } from './runOptions';
import type { RunOptions } from './runOptions';
import type { Service } from '../http/service';

/** What is said where n8n cannot evaluate an expression. */
const UNREADABLE: Unexpected = {
	words: 'The values of this row could not be read',
	todo: 'Check the expressions in this node. n8n gives this reason',
};

const GO_ON =
	"To go on with the other rows, set On Error in the node's Settings to Continue (using error output)";

/** One execution of one node: what operations need of it. */
export class Run {
	readonly count: number;
	/** True with On Error = continue, and in an agent's hands: a bad row fails alone, and the others go on. */
	readonly continues: boolean;
	private readonly outcomes: Array<Outcome | undefined>;
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
	/** What the user should know about values that were sent. */
	readonly warnings = new Warnings();
	/** The columns of the answers that rows returned. */
	readonly answerColumns = new AnswerColumns();
	/** Names rows in messages; set when the operation starts to read them. */
	names?: RowNames;

	constructor(
		readonly context: IExecuteFunctions,
		service: Service,
		private readonly operation: { fields: INodeProperties[]; writes?: boolean },
	) {
		this.count = context.getInputData().length;
		this.continues = context.continueOnFail() || answersAgent(context);
		this.outcomes = outcomesToFill(context, this.count);
		if (!this.continues && this.outcomes.some(hasFailed)) this.stop.abort();
		this.parameters = new Parameters(context);
		this.options = this.readOptions(operation.fields);
		this.client = new ApiClient(context, service, this.options, undefined, this.stop.signal);
	}

	/**
	 * Notes the result of an item. The first failure stops a run with On Error = stop; requests that wait to go out then
	 * stay unsent, and have no result.
	 *
	 * @returns false if nothing more is to be started
	 */
	note(item: number, outcome: Outcome): boolean {
		const isFailure = 'failure' in outcome;
		if (isFailure && this.stop.signal.aborted && outcome.failure.details.isUnsent) return false;
		this.outcomes[item] = outcome;
		if (isFailure && !this.continues) this.stop.abort();
		return !this.stop.signal.aborted;
	}

	/** Does a check that needs no network. Gives undefined where it fails, and notes why. */
	check<Value>(item: number, work: () => Value): Value | undefined {
		try {
			return work();
		} catch (error) {
			this.note(item, { failure: Failure.from(error, UNREADABLE) });
			return undefined;
		}
	}

	/**
	 * Does an item's work and notes its rows or its failure.
	 *
	 * @param fail notes a failure, if that means something else for the row
	 */
	async settle(
		item: number,
		work: () => Promise<IDataObject[]>,
		fail: (failure: Failure) => boolean = (failure) => this.note(item, { failure }),
	): Promise<boolean> {
		try {
			return this.note(item, { rows: await work() });
		} catch (error) {
			return fail(Failure.from(error));
		}
	}

	/** Counts an item that is not sent, for the hint at the end. */
	countSkipped(item: number, kind: string): void {
		this.unsent.add(item);
		this.skipped.set(kind, (this.skipped.get(kind) ?? 0) + 1);
	}

	/** Counts a request of a dry run and its items, and returns its number from 1. */
	plan(items: number[]): number {
		items.forEach((item) => this.unsent.add(item));
		return ++this.planned;
	}

	/** The outcome of an item; undefined while there is none. */
	outcome(item: number): Outcome | undefined {
		return this.outcomes[item];
	}

	/** Whether nothing more is to be begun: a row failed with On Error = stop, or the run was cancelled. */
	get isStopped(): boolean {
		return this.stop.signal.aborted || this.client.isCancelled;
	}

	/** Reads the run's own options. Where an expression among them fails, every item fails by it. */
	private readOptions(fields: INodeProperties[]): RunOptions {
		try {
			return readRunOptions(this.parameters, fields, this.count);
		} catch (error) {
			const failure = Failure.from(error, UNREADABLE).with({ isOfRun: true });
			for (let item = 0; item < this.count; item++) this.note(item, { failure });
			return DEFAULT_RUN_OPTIONS;
		}
	}

	/** Something that the user should know of a run that succeeded. */
	hint(message: string): void {
		this.hints.push(message);
	}

	/**
	 * Gives the node's output: rows and error items in input order, each linked to its item.
	 *
	 * @throws NodeApiError or NodeOperationError of the first failed item, with On Error = stop
	 */
	async output(): Promise<INodeExecutionData[]> {
		this.noteHints();
		const isTold = this.outcomes.some(hasFailed) || this.hints.length > 0;
		const apiKey = isTold ? await this.client.apiKey() : '';
		this.tellHints(apiKey);
		const items: INodeExecutionData[] = [];
		this.outcomes.forEach((outcome, item) => {
			if (outcome === undefined) return;
			if ('failure' in outcome) items.push(this.failed(outcome.failure, item, apiKey));
			else {
				for (const json of this.answerColumns.complete(outcome.rows)) {
					items.push({ json, pairedItem: { item } });
				}
			}
		});
		return items;
	}

	/**
	 * Returns the error item of a failed row, without the API key.
	 *
	 * @throws NodeApiError or NodeOperationError with On Error = stop
	 */
	private failed(noted: Failure, item: number, apiKey: string): INodeExecutionData {
		const { context, names } = this;
		const failure = redactKey(noted, apiKey);
		const place = { context, service: this.client.service, names, item, apiKey };
		if (this.continues) return errorItem(failure, place);
		const node = context.getNode();
		const { isOfRun } = failure.details;
		const at = isOfRun ? undefined : item;
		if (isToolOfAgent(context)) {
			throw toNodeError(node, failure, failure.wholeMessage(headlineOf(failure, place, '')), at);
		}
		const message = headlineOf(failure, place, ` [item ${item}]`) + this.sentBeside(place);
		const advice = [failure.details.advice, this.count > 1 && !isOfRun && GO_ON];
		throw toNodeError(
			node,
			failure.with({ advice: advice.filter(Boolean).join('. ') || undefined }),
			message,
			at,
		);
	}

	/** Returns which rows were sent, or read, although the row at `place` failed. */
	private sentBeside(place: RowPlace): string {
		if (this.count === 1) return '';
		const { writes } = this.client.stats;
		const done = this.operation.writes ? 'sent' : 'read';
		const sent = this.itemsWhere((outcome, item) => 'rows' in outcome && !this.unsent.has(item));
		if (sent.length + writes === 0) return `. Nothing was ${done} before it`;
		const before = sent.filter((item) => item < place.item);
		const after = sent.filter((item) => item > place.item);
		const uncertain = this.itemsWhere(isUncertain).filter((item) => item !== place.item);
		const these = (items: number[]) => {
			const ends = [...new Set([items[0], items.at(-1)])].filter((item) => item !== undefined);
			const rows = ends.map((item) => nameOf({ ...place, item }) || `item ${item}`);
			return rows.length === 0 ? '' : ` (${rows.join(items.length > 2 ? ' to ' : ', ')})`;
		};
		return [
			`. ${before.length} of ${this.count} rows were ${done} before it${these(before)}`,
			after.length > 0 ? `, ${after.length} after it${these(after)}` : '',
			uncertain.length > 0 ? `, and ${uncertain.length} more may have been${these(uncertain)}` : '',
		].join('');
	}

	private itemsWhere(test: (outcome: Outcome, item: number) => boolean): number[] {
		return this.outcomes.flatMap((outcome, item) => (outcome && test(outcome, item) ? [item] : []));
	}

	private noteHints(): void {
		const { waited, retries } = this.client.stats;
		const { name } = this.client.service;
		if (waited >= 1000) {
			this.hint(`${name} is rate limiting: this run waited ${Math.round(waited / 1000)} s`);
		}
		if (this.planned > 0) {
			this.hint(
				`Dry run: nothing was written to ${name}. Requests that would go out: ${this.planned}`,
			);
		}
		const skipped = [...this.skipped].map(([kind, count]) => `${count} (${kind})`);
		if (skipped.length > 0) this.hint(`Rows that were skipped: ${skipped.join(', ')}`);
		if (this.client.hasRedacted) this.hint(`${name} returned the API key. It was replaced by ***`);
		if (retries > 0) this.hint(`Requests to ${name} that were retried: ${retries}`);
		this.warnings.hints().forEach((hint) => this.hint(hint));
	}

	private tellHints(apiKey: string): void {
		if (this.hints.length === 0) return;
		const hints = this.hints.map((message) => ({
			message: brief(redactText(message, apiKey)),
		}));
		this.context.addExecutionHints(...hints);
	}
}
