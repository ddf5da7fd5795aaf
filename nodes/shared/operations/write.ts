import type { IDataObject } from 'n8n-workflow';

import { Failure } from '../base/failure';
import { reading } from '../base/json';
import type { ResponseSchema } from '../base/json';
import { rowOptions, runOptions } from '../fields/sharedFields';
import { normalizeEmail } from '../fields/values';
import type { ApiRequest } from '../http/request';
import { forEachConcurrent } from '../parallel';
import { confirm } from './confirm';
import { operationOf } from './operation';
import type { Input, Operation, OperationSpec, Row } from './operation';
import type { Run } from './run';
import { isAboutPerson, skipOptions, Skips } from './skips';
import type { SkipReason, SkipRules } from './skips';
import { inBatches, inTurns } from './turns';
import type { Batch, ReadyRow, Rows } from './turns';

/** How an operation sends its rows, and what comes back. */
interface Requests<Input, Response> extends SkipRules<NoInfer<Input>> {
	/** The most rows in one request; 1 by default. */
	size?: number;
	/** Rows of one request have the same group. */
	group?(input: Input): string | undefined;
	/** Adds what has to be read from the service, before rows are compared or sent. */
	prepare?(input: Input, run: Run): Promise<Input>;
	/** Returns the request for some rows of one group; `first` is one of them. */
	request(first: Input, rows: Input[]): ApiRequest;
	/** Reads a response that has a sign of success, as the contract shows it; no other one. */
	responseSchema: ResponseSchema<Response>;
	/** The output of one row, or the failure that the response reports for it. */
	output(response: Response, input: Input): IDataObject | IDataObject[] | Failure;
}

/** Batches in flight. A batch has up to 1,000 rows, so this bounds what the service has to write at a time. */
const BATCHES_IN_FLIGHT = 4;

/** One run of an operation: items → fields → prepare → skip → group and size → client → output → form → items. */
class Pipeline<Input, Response> {
	private readonly skips: Skips<Input>;

	constructor(
		private readonly run: Run,
		private readonly spec: Requests<Input, Response>,
		private readonly formatter: (item: number) => (record: IDataObject) => IDataObject,
		private readonly writes: boolean,
	) {
		this.skips = new Skips(run, spec);
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
		const { continues, options } = this.run;
		if (this.spec.size === undefined) return options.concurrency;
		return this.spec.dedupeBy !== undefined && !continues ? 1 : BATCHES_IN_FLIGHT;
	}

	/** Prepares a row; returns undefined if it has its result then. */
	async ready(row: Row<Input>): Promise<ReadyRow<Input> | undefined> {
		const { run, spec } = this;
		const { item, label, options } = row;
		const input = (await spec.prepare?.(row.input, run)) ?? row.input;
		const group = `${options.dryRun === true} ${spec.group?.(input)}`;
		const lane = this.writes && label !== '' ? normalizeEmail(label) : `#${item}`;
		const ready = { item, label, input, options, group, lane };
		if (this.wasOvertaken(ready) && run.keepFailure(item)) return undefined;
		const skip = await this.skips.whenRead(ready);
		if (skip === undefined) return ready;
		this.skip(ready, skip);
		return undefined;
	}

	/** Returns whether a later row of the lane went out in an earlier try: its values must stay. */
	private wasOvertaken({ lane, item }: ReadyRow<Input>): boolean {
		return (this.run.tries.lastSent.get(lane) ?? -1) > item;
	}

	/** Decides about a row when its turn has come. One that is not sent gets its result. */
	private isToSend(row: ReadyRow<Input>): boolean {
		if (this.run.isStopped) return false;
		const { item, before } = row;
		const skip = this.skips.atTurn(row);
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
	private async send(rows: Batch<Input>): Promise<void> {
		if (this.run.isStopped) return;
		try {
			if (rows[0].options.dryRun) this.plan(rows);
			else await this.request(rows);
		} catch (error) {
			const failure = Failure.from(error);
			const others = this.refuseNamed(rows, failure);
			if (others.length < rows.length) return await this.sendPart(others);
			const mayBeOne = failure.kind === 'refused' || isAboutPerson(this.spec, failure);
			if (rows.length === 1 || !mayBeOne) return rows.forEach((row) => this.refuse(row, failure));
			const middle = Math.ceil(rows.length / 2);
			await this.sendPart(rows.slice(0, middle));
			await this.sendPart(rows.slice(middle));
		}
	}

	private async sendPart([first, ...others]: Array<ReadyRow<Input>>): Promise<void> {
		if (first !== undefined) await this.send([first, ...others]);
	}

	private async request(rows: Batch<Input>): Promise<void> {
		const { run, spec, writes } = this;
		const request = spec.request(
			rows[0].input,
			rows.map(({ input }) => input),
		);
		const schema = reading((body) => {
			if (writes) confirm(run.client.service, request, body);
			const { data, success } = spec.responseSchema.safeParse(body);
			return success ? rows.map((row) => ({ row, output: this.outputOf(row, data) })) : undefined;
		});
		for (const { row, output } of await run.client.send(request, schema)) {
			if (output instanceof Failure) {
				// Doubt about a row matters only where repeating the request would do harm.
				const isDoubtHarmless = output.kind === 'uncertain' && request.effect !== 'notIdempotent';
				this.refuse(row, isDoubtHarmless ? output.with({ kind: 'failed' }) : output);
			} else {
				run.succeed(row, output);
				this.skips.sent(row);
			}
		}
	}

	private outputOf({ item, input }: Row<Input>, response: Response): IDataObject[] | Failure {
		const output = this.spec.output(response, input);
		return output instanceof Failure ? output : [output].flat().map(this.formatter(item));
	}

	private plan(rows: Batch<Input>): void {
		const plan = this.run.plan(rows.length);
		for (const row of rows) {
			plan(row, this.spec.request(row.input, [row.input]));
			this.skips.sent(row);
		}
	}

	/** Refuses the rows that a refusal names, and returns the others. */
	private refuseNamed(rows: Batch<Input>, failure: Failure): Array<ReadyRow<Input>> {
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
		const isPerson = isAboutPerson(this.spec, refusal);
		const after =
			isPerson && refusal.followsLostResponse ? ineligible?.afterLostResponse : undefined;
		const maybeSent = after?.message.test(refusal.message) === true;
		const message = maybeSent ? `${refusal.message} ${after.reason}` : refusal.message;
		if (isPerson && row.options.ineligible === 'skip') {
			const mark = maybeSent ? { maybeSent } : undefined;
			return this.skip(row, { reason: message, kind: 'not eligible', mark });
		}
		if (refusal.kind === 'uncertain') this.skips.sent(row);
		this.run.fail(row, refusal.with({ message, hint: maybeSent ? undefined : refusal.hint }));
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
): Operation {
	return sending(spec, true);
}

/** Makes an operation that reads a record for each item. */
export function single<Values extends object, Options extends object, Response>(
	spec: Spec<Values, Options, Response>,
): Operation {
	return sending(spec, false);
}

function sending<Values extends object, Options extends object, Response>(
	spec: Spec<Values, Options, Response>,
	writes: boolean,
): Operation {
	const { concurrency, maxWait, timeout } = runOptions;
	const options = {
		...(spec.size === undefined ? { concurrency } : {}),
		...{ maxWait, timeout },
		...skipOptions(spec),
		...(writes ? { dryRun: rowOptions.dryRun } : {}),
	};
	const operation = operationOf(spec, { options }, async (run, reader) => {
		const pipeline = new Pipeline(run, spec, (item) => reader.formatter(item), writes);
		await pipeline.execute(await reader.rows(async (row) => await pipeline.ready(row)));
	});
	return { ...operation, writes };
}
