import type { IDataObject } from 'n8n-workflow';

import { Failure } from '../base/failure';
import { reading } from '../base/json';
import type { ResponseSchema } from '../base/json';
import { rowOptions, runOptions } from '../fields/sharedFields';
import { normalizeEmail } from '../fields/values';
import type { ApiRequest } from '../http/request';
import { confirm } from '../http/response';
import { forEachConcurrent } from '../parallel';
import { operationOf } from './operation';
import type { Input, Operation, OperationSpec, Row } from './operation';
import type { Run } from './run';
import { inBatches, inTurns } from './turns';
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
	/** People whom the service does not survey now; offers Contacts That Cannot Be Surveyed. */
	ineligible?: {
		/** The service's messages about them. */
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
		const { run, spec } = this;
		for await (const turn of inTurns(rows)) {
			const batches = inBatches(turn, spec.size ?? 1, (row) => this.isToSend(row));
			await forEachConcurrent(batches, this.inFlight, async (batch) => {
				await this.send(batch);
				return !run.isStopped;
			});
			if (run.isStopped) return;
		}
	}

	/** With On Error = stop, batches of surveys go one after the other: those beside a failure cannot be taken back. */
	private get inFlight(): number {
		if (this.spec.size === undefined) return IN_FLIGHT.rows;
		return this.spec.dedupeBy !== undefined && !this.run.continues ? 1 : IN_FLIGHT.batches;
	}

	/** Makes a row ready to be sent; returns undefined if it has its result then. */
	async ready(row: Row<Input>): Promise<ReadyRow<Input> | undefined> {
		const { run, spec } = this;
		const { item, label, input, options, format } = row;
		const group = JSON.stringify([options.dryRun === true, spec.group?.(input)]);
		const lane = this.writes && label !== '' ? normalizeEmail(label) : `#${item}`;
		const ready = { item, label, input, options, format, group, lane };
		// The values of a later row that went out in an earlier try must stay.
		if ((run.tries.lastSent.get(lane) ?? -1) > item) {
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
		const { tries, options } = this.run;
		if (this.spec.dedupeBy === undefined) return undefined;
		const isDry = row.options.dryRun === true;
		const admitted = tries.admitted.get(isDry) ?? new Set();
		tries.admitted.set(isDry, admitted);
		const key = this.keyOf(row) ?? String(row.item);
		if (!admitted.has(key) && admitted.size >= options.sendAtMost) {
			const reason = `'Send at Most' is ${options.sendAtMost}`;
			return { reason, kind: "over 'Send at Most'" };
		}
		admitted.add(key);
		return undefined;
	}

	/** Returns why a row is not sent if one before it was, in this try or an earlier one. */
	private duplicate(row: ReadyRow<Input>): SkipReason | undefined {
		const key = this.keyOf(row);
		const first = key === undefined ? undefined : this.run.tries.sent.get(key);
		if (first === undefined) return undefined;
		const { dedupeBy } = this.spec;
		const kind = `same ${dedupeBy} as an earlier row`;
		const mark = { duplicateOfItem: first };
		return { reason: `Same ${dedupeBy} as item ${first}`, kind, mark };
	}

	/** Returns the key that a row has in common with its duplicates. */
	private keyOf({ group, lane }: ReadyRow<Input>): string | undefined {
		return this.spec.dedupeBy === undefined ? undefined : `${group} ${lane}`;
	}

	/** Must be called for each row that went out, or may have. */
	private markSent(row: ReadyRow<Input>): void {
		const { tries } = this.run;
		const key = this.keyOf(row);
		if (key !== undefined) tries.sent.set(key, row.item);
		if (row.options.dryRun !== true) tries.lastSent.set(row.lane, row.item);
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
		const request = this.spec.request(row.input, [row.input]);
		if (request.effect !== 'idempotent') return false;
		return (
			JSON.stringify(request) === JSON.stringify(this.spec.request(before.input, [before.input]))
		);
	}

	/** Sends a batch in one request. If it is refused, sends parts of it until only bad rows have failed. */
	private async send(rows: Array<ReadyRow<Input>>): Promise<void> {
		const [first] = rows;
		if (first === undefined || this.run.isStopped) return;
		try {
			if (first.options.dryRun) this.plan(rows);
			else await this.request(first, rows);
		} catch (error) {
			const failure = Failure.from(error);
			const others = this.refuseNamed(rows, failure);
			if (others.length < rows.length) return await this.send(others);
			const mayBeOne = failure.kind === 'refused' || this.isAboutPerson(failure);
			if (rows.length === 1 || !mayBeOne) return rows.forEach((row) => this.refuse(row, failure));
			const middle = Math.ceil(rows.length / 2);
			await this.send(rows.slice(0, middle));
			await this.send(rows.slice(middle));
		}
	}

	private async request(first: Row<Input>, rows: Array<ReadyRow<Input>>): Promise<void> {
		const { run, spec, writes } = this;
		const inputs = rows.map(({ input }) => input);
		const request = spec.request(first.input, inputs);
		const schema = reading((body) => {
			if (writes) confirm(run.client.service, request, body);
			const { data, success } = spec.responseSchema.safeParse(body);
			return success ? rows.map((row) => ({ row, output: this.outputOf(row, data) })) : undefined;
		});
		const isRepeated = rows.some(({ item }) => run.tries.lost.has(item));
		for (const { row, output } of await run.client.send(request, schema, isRepeated)) {
			if (output instanceof Failure) {
				// Doubt about a row matters only where repeating the request would do harm.
				const isDoubtHarmless = request.effect !== 'notIdempotent';
				this.refuse(row, isDoubtHarmless ? output.with({ kind: 'failed' }) : output);
			} else {
				run.succeed(row, output);
				this.markSent(row);
			}
		}
	}

	private outputOf({ input, format }: Row<Input>, response: Response): IDataObject[] | Failure {
		const output = this.spec.output(response, input);
		return output instanceof Failure ? output : [output].flat().map(format);
	}

	private plan(rows: Array<ReadyRow<Input>>): void {
		const plan = this.run.plan(rows.length);
		for (const row of rows) {
			plan(row, this.spec.request(row.input, [row.input]));
			this.markSent(row);
		}
	}

	/** Refuses the rows that a refusal names, and returns the others. */
	private refuseNamed(rows: Array<ReadyRow<Input>>, failure: Failure): Array<ReadyRow<Input>> {
		const reasons = new Map(
			failure.refusedRows?.map(({ key, reason }) => [
				normalizeEmail(typeof key === 'number' ? (rows[key]?.label ?? '') : key),
				reason,
			]),
		);
		return rows.filter((row) => {
			const reason = reasons.get(row.lane);
			if (reason === undefined) return true;
			const message = `${row.label}: ${reason || failure.message}`;
			this.refuse(row, failure.with({ message }));
			return false;
		});
	}

	private refuse(row: ReadyRow<Input>, refusal: Failure): void {
		const { ineligible } = this.spec;
		// An address such as `unsubscribed@example.com` is no reason.
		const reason = refusal.message.replaceAll(row.label, '');
		const isPerson = this.isAboutPerson(refusal.with({ message: reason }));
		const after =
			isPerson && refusal.followsLostResponse ? ineligible?.afterLostResponse : undefined;
		const maybeSent = after?.message.test(refusal.message) === true;
		const message = maybeSent ? `${refusal.message} ${after.reason}` : refusal.message;
		if (isPerson && row.options.ineligible === 'skip') {
			const mark = maybeSent ? { maybeSent } : undefined;
			return this.skip(row, { reason: message, kind: 'not eligible', mark });
		}
		if (refusal.kind === 'uncertain') this.markSent(row);
		this.run.fail(row, refusal.with({ message, hint: maybeSent ? undefined : refusal.hint }));
	}

	/** Returns whether a refusal is about the person in one row. Rate-limit messages look alike but are not. */
	private isAboutPerson({ kind, message, status = 0 }: Failure): boolean {
		const isAboutRow = status !== 429 && status < 500 && kind !== 'uncertain';
		return isAboutRow && this.spec.ineligible?.message.test(message) === true;
	}

	private skip(row: ReadyRow<Input>, { reason, kind, mark }: SkipReason): void {
		const json = { ...this.spec.ineligible?.row(row.input), status: 'skipped', reason, ...mark };
		this.run.skip(row, json, kind);
	}
}

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
