import type { IDataObject } from 'n8n-workflow';

import { Failure } from '../base/failure';
import type { FailureKind } from '../base/failure';
import type { ResponseSchema } from '../base/json';
import { sentences } from '../base/text';
import { rowOptions, runOptions } from '../fields/sharedFields';
import { normalizeEmail } from '../fields/values';
import type { ApiRequest } from '../http/request';
import { forEachConcurrent } from '../parallel';
import { operationOf } from './operation';
import type { Input, Operation, OperationSpec, Row } from './operation';
import type { Run } from './run';
import { inBatches, Turns } from './turns';
import type { ReadyRow, Rows } from './turns';

/** How an operation sends its rows, and what comes back. */
interface Requests<Input, Response> {
	/** The most rows in one request; 1 by default. */
	size?: number;
	/** Rows of one request have the same group. */
	group?(input: Input): string | undefined;
	/** Returns the request for some rows of one group; `first` is one of them. */
	request(first: Input, rows: Input[]): ApiRequest;
	/** Reads a response that has a sign of success, as the contract shows it; no other one. */
	responseSchema: ResponseSchema<Response>;
	/** The output of one row, or the failure that the response reports for it. */
	output(response: Response, input: Input): IDataObject | IDataObject[] | Failure;
	/** Returns the output for a refusal that says that the record is already as the row wants it; undefined for another one. */
	alreadyDone?(refusal: Failure, input: Input): IDataObject | undefined;
	/** People whom the service does not survey now; offers Contacts That Cannot Be Surveyed. */
	ineligible?: {
		/** The service's own messages about them, from their first to their last letter. */
		message: RegExp;
		/** Returns whether the row itself says that the person unsubscribed: it is skipped then. */
		isOptedOut?(input: Input): boolean;
		/** The message that an earlier attempt, whose response was lost, may have caused, and what to say then. */
		afterLostResponse?: { message: RegExp; reason: string };
		/** The output fields that name a skipped row. */
		row(input: Input): IDataObject;
	};
	/** Set where a run sends only one of the rows with the same group and label; the word for the label in reasons. */
	dedupeBy?: string;
	/** Starts a run, and returns a check for each of its rows, for example against what was sent before. */
	skips?(run: Run): (input: Input) => Promise<SkipReason | undefined>;
}

/** Why a row is not sent. It comes out with the status `skipped` and the reason. */
interface SkipReason {
	reason: string;
	/** The reason without anything special to the row, by which the hint at the end counts. */
	kind: string;
	/** Further output fields. */
	mark?: IDataObject;
}

const CORRECT_ROW = 'Correct the row, or remove it';

/**
 * Requests in flight: of one row each, and batches. A batch has up to 1,000 rows, so this bounds what the service has to
 * write at a time. @internal
 */
export const IN_FLIGHT = { rows: 64, batches: 4 };

const OPTED_OUT: SkipReason = {
	reason: 'The row itself says that the person unsubscribed',
	kind: 'unsubscribed in the row',
};

/** One run of an operation: items → fields → prepare → skip → group and size → client → output → form → items. */
class Pipeline<Input, Response> {
	/** The refusals of groups, such as an inactive campaign, whose further rows fail without a request. */
	private readonly refusedGroups = new Map<string, Failure>();
	private readonly reasonToSkip?: (input: Input) => Promise<SkipReason | undefined>;

	constructor(
		private readonly run: Run,
		private readonly spec: Requests<Input, Response>,
		private readonly writes: boolean,
	) {
		this.reasonToSkip = spec.skips?.(run);
	}

	/** Sends rows that are ready. */
	async execute(rows: Rows<Input>): Promise<void> {
		const turns = new Turns<Input>();
		await this.sendTurn(turns.first(rows));
		for (const turn of turns.later) await this.sendTurn(turn);
	}

	private async sendTurn(turn: Rows<Input>): Promise<void> {
		const { run, spec } = this;
		if (run.isStopped) return;
		const batches = inBatches(turn, spec.size ?? 1, (row) => this.isToSend(row));
		await forEachConcurrent(batches, this.inFlight, async (batch) => {
			await this.send(batch);
			return !run.isStopped;
		});
	}

	/** With On Error = stop, batches of surveys go one after the other: those beside a failure cannot be taken back. */
	private get inFlight(): number {
		if (this.spec.size === undefined) return IN_FLIGHT.rows;
		// promise: stop
		return this.spec.dedupeBy !== undefined && !this.run.continues ? 1 : IN_FLIGHT.batches;
	}

	/** Makes a row ready to be sent; returns undefined if it has its result then. */
	async ready(row: Row<Input>): Promise<ReadyRow<Input> | undefined> {
		const { run, spec } = this;
		const { item, label, input, options } = row;
		const group = JSON.stringify([options.dryRun === true, spec.group?.(input)]);
		// promise: in-order
		const lane = this.writes && label !== '' ? normalizeEmail(label) : `#${item}`;
		const key = spec.dedupeBy === undefined ? undefined : `${group} ${lane}`;
		const request = spec.request(input, [input]);
		const identity = run.isTool ? (key ?? JSON.stringify(request)) : String(item);
		const ready = { ...row, group, lane, key, request, identity };
		// The values of a later row that went out in an earlier try must stay.
		if (run.sent.isOvertaken(ready)) {
			run.keepFailure(item);
			return undefined;
		}
		const skip = spec.ineligible?.isOptedOut?.(input)
			? OPTED_OUT
			: ((await this.reasonToSkip?.(input)) ?? this.overLimit(ready));
		if (skip === undefined) return ready;
		this.skip(ready, skip);
		return undefined;
	}

	/** Send at Most counts rows that are no duplicates: a duplicate goes out only in place of the row that it repeats. */
	private overLimit(row: ReadyRow<Input>): SkipReason | undefined {
		const { sendAtMost } = this.run.options;
		if (this.spec.dedupeBy === undefined || this.run.sent.admit(row, sendAtMost)) return undefined;
		return { reason: `'Send at Most' is ${sendAtMost}`, kind: "over 'Send at Most'" };
	}

	/** Returns why a row is not sent if one before it was, in this try or an earlier one. */
	private duplicate(row: ReadyRow<Input>): SkipReason | undefined {
		const duplicateOfItem = this.run.sent.duplicateOf(row);
		// promise: once-per-campaign
		if (duplicateOfItem === undefined) return undefined;
		const { dedupeBy } = this.spec;
		const kind = `same ${dedupeBy} as an earlier row`;
		return {
			reason: `Same ${dedupeBy} as item ${duplicateOfItem}`,
			kind,
			mark: { duplicateOfItem },
		};
	}

	/** Decides about a row when its turn has come, and the rows before it in its lane have their results. */
	private isToSend(row: ReadyRow<Input>): boolean {
		const { item, before } = row;
		const skip = this.duplicate(row);
		if (skip) this.skip(row, skip);
		else if (before && this.isRepetition(row, before)) this.run.copyResult(item, before.item);
		else return true;
		return false;
	}

	/** Returns whether a row would do again what the row before it did, with no further effect. */
	private isRepetition(row: ReadyRow<Input>, before: ReadyRow<Input>): boolean {
		if (this.spec.dedupeBy !== undefined || row.group !== before.group) return false;
		if (row.request.effect !== 'idempotent') return false;
		return JSON.stringify(row.request) === JSON.stringify(before.request);
	}

	/** Sends a batch in one request. If it is refused, sends parts of it until only bad rows have failed. */
	private async send(rows: Array<ReadyRow<Input>>): Promise<void> {
		const [first] = rows;
		if (first === undefined || this.run.isStopped) return;
		const refusal = this.refusedGroups.get(first.group);
		if (refusal) return rows.forEach((row) => this.refuse(row, refusal));
		// promise: dry-run
		if (first.options.dryRun) {
			this.run.plan(rows);
			return rows.forEach((row) => this.run.sent.add(row));
		}
		try {
			const response = await this.request(first, rows);
			rows.forEach((row) => this.finish(row, response));
		} catch (error) {
			await this.divide(rows, Failure.from(error));
		}
	}

	private async request(first: ReadyRow<Input>, rows: Array<ReadyRow<Input>>): Promise<Response> {
		const { run, spec } = this;
		const inputs = rows.map(({ input }) => input);
		const request = rows.length === 1 ? first.request : spec.request(first.input, inputs);
		const earlier = run.sent.lostRequest(first.identity);
		// An agent calls its tool again.
		if (earlier?.isUncertain) throw earlier;
		return await run.client.send(request, spec.responseSchema);
	}

	/** Gives a row the result that a response has for it. */
	private finish(row: ReadyRow<Input>, response: Response): void {
		const output = this.outputOf(row, response);
		if (output instanceof Failure) this.refuse(row, output);
		else this.succeed(row, output);
	}

	/** Whatever is thrown while one row is worked on belongs to that row. */
	private outputOf(
		{ input, format }: ReadyRow<Input>,
		response: Response,
	): IDataObject[] | Failure {
		try {
			const output = this.spec.output(response, input);
			return output instanceof Failure ? output : [output].flat().map(format);
		} catch (error) {
			if (error instanceof Failure) return error;
			const { name } = this.run.client.service;
			return new Failure('unconfirmed', `${name} returned an unexpected response`);
		}
	}

	/** Fails the rows that a failure is about, and sends the others again if the request had no effect. */
	private async divide(rows: Array<ReadyRow<Input>>, failure: Failure): Promise<void> {
		const { group } = this.spec;
		const isRefusal = failure.kind === 'refused';
		// An earlier attempt may have been processed for any of them.
		if (isRefusal) rows.forEach((row) => this.run.sent.settle(row, failure));
		const others = this.refuseNamed(rows, failure);
		if (others.length < rows.length && isRefusal) return await this.send(others);
		if (failure.kind === 'group' && group) {
			this.refusedGroups.set(rows[0]?.group ?? '', failure.with({ doubt: undefined }));
		}
		// promise: divided
		if (others.length === 1 || !isRefusal) {
			return others.forEach((row) => this.refuse(row, failure));
		}
		const middle = Math.ceil(rows.length / 2);
		await this.send(rows.slice(0, middle));
		await this.send(rows.slice(middle));
	}

	/** Refuses the rows that a refusal names, and returns the others. */
	private refuseNamed(rows: Array<ReadyRow<Input>>, failure: Failure): Array<ReadyRow<Input>> {
		const reasons = new Map(
			failure.refusedRows?.map(({ key, reason }) => [
				normalizeEmail(typeof key === 'number' ? (rows[key]?.label ?? '') : key),
				reason,
			]),
		);
		// The service names these rows as failed, whatever it did with the others.
		const named = { kind: 'failed', doubt: undefined, hint: CORRECT_ROW } as const;
		const isAlone = failure.isUncertain || failure.kind === 'run';
		const refusal = isAlone ? failure.with(named) : failure;
		return rows.filter((row) => {
			const reason = reasons.get(row.lane);
			if (reason === undefined) return true;
			const message = `${row.label}: ${reason || failure.message}`;
			this.refuse(row, refusal.with({ message, reason }));
			return false;
		});
	}

	private refuse(row: ReadyRow<Input>, refusal: Failure): void {
		const { alreadyDone, ineligible } = this.spec;
		const failure = this.run.sent.settle(row, refusal);
		const isAboutRow = ABOUT_ROW.has(failure.kind) && !failure.isUncertain;
		const done = isAboutRow ? alreadyDone?.(failure, row.input) : undefined;
		if (done) return this.succeed(row, [done]);
		const isPerson = isAboutRow && ineligible?.message.test(failure.reason?.trim() ?? '');
		if (isPerson) return this.refusePerson(row, failure);
		if (failure.isUncertain) this.run.sent.add(row);
		this.run.fail(row, failure);
	}

	private succeed(row: ReadyRow<Input>, output: IDataObject[]): void {
		this.run.succeed(row, output);
		this.run.sent.add(row);
	}

	/** Skips or fails a row whose person the service does not survey now. */
	private refusePerson(row: ReadyRow<Input>, failure: Failure): void {
		const after = failure.doubt === 'earlier' ? this.spec.ineligible?.afterLostResponse : undefined;
		const maybeSent = after?.message.test(failure.message) === true;
		const message = maybeSent ? sentences([failure.message, after.reason]) : failure.message;
		if (row.options.ineligible === 'skip') {
			const mark = maybeSent ? { maybeSent } : undefined;
			return this.skip(row, { reason: message, kind: 'not eligible', mark });
		}
		const changes = maybeSent ? { message, hint: undefined, doubt: undefined } : {};
		this.run.fail(row, failure.with(changes));
	}

	private skip(row: ReadyRow<Input>, { reason, kind, mark }: SkipReason): void {
		const json = { ...this.spec.ineligible?.row(row.input), status: 'skipped', reason, ...mark };
		this.run.skip(row, json, kind);
	}
}

/** What may be about one row, if nothing was done: not the service, the account, or the campaign. */
const ABOUT_ROW = new Set<FailureKind>(['refused', 'failed', 'unconfirmed']);

type Spec<Values extends object, Options extends object, Response> = OperationSpec<
	Values,
	Options
> &
	Requests<NoInfer<Input<Values, Options>>, Response>;

/** Makes an operation that changes something at the service. */
export function write<Values extends object, Options extends object, Response>(
	spec: Spec<Values, Options, Response>,
	writes = true,
): Operation {
	const { dedupeBy, ineligible } = spec;
	const options = {
		...(dedupeBy ? runOptions : {}),
		...(ineligible ? { ineligible: rowOptions.ineligible } : {}),
		...(writes ? { dryRun: rowOptions.dryRun } : {}),
	};
	const operation = operationOf(spec, { options }, async (run, reader) => {
		const pipeline = new Pipeline(run, spec, writes);
		await pipeline.execute(await reader.rows(async (row) => await pipeline.ready(row)));
	});
	return { ...operation, writes };
}

/** Makes an operation that reads a record for each item. */
export function single<Values extends object, Options extends object, Response>(
	spec: Spec<Values, Options, Response>,
): Operation {
	return write(spec, false);
}
