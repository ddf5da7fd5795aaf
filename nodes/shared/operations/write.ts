import type { IDataObject } from 'n8n-workflow';

import type { SkipReason } from '../base/codes';
import { Failure } from '../base/failure';
import type { FailureKind } from '../base/failure';
import type { BodyReader } from '../base/json';
import type { Field } from '../fields/field';
import { runOptions } from '../fields/common';
import { normalizeEmail } from '../fields/values';
import { isPassing, wasRemoved } from '../http/outcome';
import type { ApiRequest } from '../http/request';
import { knownFor } from '../http/service';
import { forEachConcurrent } from '../parallel';
import { operationOf } from './operation';
import type { Input, Operation, OperationSpec, ReadItem } from './operation';
import { requestKey } from './progress';
import type { Run } from './run';
import { inBatches, Waves } from './waves';
import type { Batch, ReadyItem, ReadyItems } from './waves';

interface WriteSpec<Input, Response> {
	/** The most items in one request; 1 by default. */
	size?: number;
	/** Items of one request have the same group. */
	group?(input: Input): string | undefined;
	/** @param first one of the items, which have one group */
	request(first: Input, items: Input[]): ApiRequest;
	/** Reads a response that has a sign of success, as the contract shows it; no other one. */
	readBody: BodyReader<Response>;
	/** The output of one item, or the failure that the response reports for it. `requested`: the number of items in the request. */
	output(
		response: Response,
		input: Input,
		requested: number,
	): IDataObject | IDataObject[] | Failure;
	/** Set where one execution sends only one of the items with the same group and label; the word for the label in reasons. */
	once?: string;
	runOptions?: Record<string, Field<unknown>>;
	/** The most items that a run may send, and why it skips the others. */
	limit?(run: Run): { most: number; skip: SkipReason } | undefined;
	/** Why an item says of itself that it must not be sent. */
	objection?(input: Input): SkipReason | undefined;
	guard?(run: Run): Guard<Input>;
	skippedItem?(input: Input): IDataObject;
	/** The output of an item whose record an earlier attempt removed. */
	removed?(input: Input): IDataObject;
	/** Reads the record of an item once if its failure leaves open whether the item is done. */
	lookUp?: {
		isFor(failure: Failure): boolean;
		request(input: Input): ApiRequest;
		readBody: BodyReader<IDataObject[]>;
		/** Undefined for an item that is not done. @throws a failure that says more, for example that the person is unknown */
		output(records: IDataObject[], input: Input): IDataObject | undefined;
	};
	/** Returns why a refused item counts as skipped, or a failure that says more; undefined if it fails as it did. */
	readRefusal?(refusal: Failure, run: Run): Failure | SkipReason | undefined;
}

/** Keeps a run from sending to people who got something a short time ago. */
export interface Guard<Input> {
	/** Why an item is not sent, by what the service knows. */
	check(input: Input): Promise<SkipReason | undefined>;
	/** Why an item is not sent, by what this process has sent or is sending. Without a reason, the process is sending it. */
	claim(input: Input): Promise<SkipReason | undefined>;
	/** Takes a claim back: the item was certainly not sent. */
	release(input: Input): void;
}

/** Requests in flight: of one item each, and batches. It bounds what the service has to write at a time. @internal */
export const IN_FLIGHT = { items: 64, batches: 4 };

/** Kinds that may concern one item alone if nothing was done: not the service, the account, or the campaign. */
const ABOUT_ITEM = new Set<FailureKind>(['refused', 'failed', 'unconfirmed', 'tooLarge']);

type FailedItem<Input> = [item: ReadyItem<Input>, failure: Failure];

/**
 * One run of an operation: items → fields → skip → group and size → client → output → form → items. `prepare` gets each item as
 * soon as it is read, and `sendAll` sends those that are ready.
 */
class Pipeline<Input extends object, Response> {
	/** The refusals of groups, such as an inactive campaign, whose further items fail without a request. */
	private readonly refusedGroups = new Map<string, Failure>();
	private readonly guard?: Guard<Input>;

	constructor(
		private readonly run: Run,
		private readonly spec: WriteSpec<Input, Response>,
		private readonly writes: boolean,
	) {
		this.guard = spec.guard?.(run);
	}

	/** Makes an item ready to be sent; returns undefined if it has its result then. */
	async prepare(item: ReadItem<Input>): Promise<ReadyItem<Input> | undefined> {
		const { run, spec } = this;
		const { itemIndex, label, input } = item;
		const group = spec.group?.(input) ?? '';
		// promise: in-order
		const lane = this.writes && label !== '' ? normalizeEmail(label) : `#${itemIndex}`;
		const key = spec.once === undefined ? undefined : `${group} ${lane}`;
		const request = spec.request(input, [input]);
		const identity = run.isTool ? (key ?? requestKey(request)) : String(itemIndex);
		const ready = { ...item, group, lane, key, request, identity };
		if (run.progress.restoreIfOvertaken(ready)) return undefined;
		const skip = spec.objection?.(input) ?? (await this.reasonByGuard(ready, 'check'));
		return this.skipIf(ready, skip) ? undefined : ready;
	}

	/** Sends as many items at a time as the limit leaves: a later one takes the place of one that certainly did not go out. */
	async sendAll(items: ReadyItems<Input>): Promise<void> {
		const { progress } = this.run;
		const limit = this.spec.limit?.(this.run);
		if (!limit) return await this.sendWaves(items);
		const { most, skip } = limit;
		let round: Batch<Input> = [];
		let taken = 0;
		for await (const item of items) {
			const places = most - progress.countSent();
			if (this.run.isStopped) return;
			// An earlier try of the item may have gone out, and has its place.
			const hasPlace = progress.maybeWentOut(item);
			if (places > 0 && !hasPlace) taken++;
			if (places > 0 || hasPlace) round.push(item);
			else if (!this.skipIf(item, this.reasonByOthers(item)) && !progress.restore(item))
				this.skipIf(item, skip);
			if (taken < places) continue;
			await this.sendWaves(round);
			round = [];
			taken = 0;
		}
		await this.sendWaves(round);
	}

	/** Sends the items in waves: after a wave, all items in it have their results. */
	private async sendWaves(items: ReadyItems<Input>): Promise<void> {
		const waves = new Waves<Input>();
		await this.sendWave(waves.first(items));
		for (const wave of waves.later) await this.sendWave(wave);
	}

	private async sendWave(wave: ReadyItems<Input>): Promise<void> {
		const { run, spec } = this;
		if (run.isStopped) return;
		// The items before one in its lane have their results now.
		const isToSend = (item: ReadyItem<Input>) => !this.skipIf(item, this.reasonByOthers(item));
		const batches = inBatches(wave, spec.size ?? 1, isToSend);
		const sendBatch = async (batch: Batch<Input>) => {
			await this.send(await this.claimed(batch));
			return !run.isStopped;
		};
		if (this.writes && !run.continues && spec.size === undefined) {
			// Items that would all fail alike, such as those of a wrong campaign, cost one request.
			const { value, done } = await batches.next();
			if (done === true || !(await sendBatch(value))) return;
		}
		await forEachConcurrent(batches, this.inFlight, sendBatch);
	}

	/** With On Error = stop, batches that go out once do so one after the other: those beside a failure cannot be taken back. */
	private get inFlight(): number {
		if (this.spec.size === undefined) return IN_FLIGHT.items;
		// promise: stop
		return this.spec.once !== undefined && !this.run.continues ? 1 : IN_FLIGHT.batches;
	}

	/** Why an item is not sent: another item of its person says no, or one before it was sent in this execution. */
	private reasonByOthers(item: ReadyItem<Input>): SkipReason | undefined {
		if (this.mayBeSent(item)) return undefined;
		const { progress } = this.run;
		const objection = progress.objections.get(item.lane);
		if (objection) return objection;
		const duplicate = progress.duplicateOf(item);
		// promise: once-per-campaign
		if (duplicate === undefined) return undefined;
		const isEarlierRun = duplicate === 'earlierRun';
		const where = isEarlierRun ? 'in an earlier run of this node' : `item ${duplicate}`;
		const mark = isEarlierRun ? undefined : { duplicateOfItem: duplicate };
		return { reason: `Same ${this.spec.once} as ${where}`, code: 'duplicate', mark };
	}

	/** Why the guard keeps an item back. Of an item that may have been sent, it could find that item's own survey. */
	private reasonByGuard(item: ReadyItem<Input>, by: 'check' | 'claim') {
		return this.mayBeSent(item) ? undefined : this.guard?.[by](item.input);
	}

	/** True if an earlier request of the item may have been processed. `request` throws the failure of that one. */
	private mayBeSent({ identity }: ReadyItem<Input>): boolean {
		return this.run.progress.lostRequest(identity)?.isUncertain === true;
	}

	/** Skips the items that the guard claims for others, and returns those that it claims for this run. */
	private async claimed(batch: Batch<Input>): Promise<Batch<Input>> {
		if (!this.guard) return batch;
		const claimed: Batch<Input> = [];
		for (const item of batch) {
			if (!this.skipIf(item, await this.reasonByGuard(item, 'claim'))) claimed.push(item);
		}
		return claimed;
	}

	/** Sends a batch in one request. If it is refused, sends parts of it until only bad items have failed. */
	private async send(items: Batch<Input>): Promise<void> {
		const [first] = items;
		if (first === undefined) return;
		if (this.run.isStopped) return items.forEach(({ input }) => this.guard?.release(input));
		const refusal = this.refusedGroups.get(first.group);
		if (refusal) return await this.finishFailed(items.map((item) => [item, refusal]));
		// promise: dry-run
		if (this.run.options.dryRun) {
			this.run.plan(items);
			return items.forEach((item) => this.run.progress.recordSent(item));
		}
		try {
			const response = await this.request(first, items);
			await this.finish(items, response);
		} catch (error) {
			await this.divide(items, Failure.from(error));
		}
	}

	private async request(first: ReadyItem<Input>, items: Batch<Input>): Promise<Response> {
		const { run, spec } = this;
		const inputs = items.map(({ input }) => input);
		const request = items.length === 1 ? first.request : spec.request(first.input, inputs);
		// An equal item, or an agent that calls its tool again, gets the failure of the first one.
		const earlier =
			run.progress.lostRequest(first.identity) ?? run.progress.lostRequest(requestKey(request));
		if (earlier?.isUncertain) throw earlier;
		return await run.client.send(request, spec.readBody);
	}

	private async finish(items: Batch<Input>, response: Response): Promise<void> {
		const failed: Array<FailedItem<Input>> = [];
		for (const item of items) {
			const output = this.outputOf(item, response, items.length);
			if (output instanceof Failure) failed.push([item, output]);
			else this.succeed(item, output);
		}
		await this.finishFailed(failed);
	}

	/** An error in reading the output fails this item alone. */
	private outputOf(
		{ input, format }: ReadyItem<Input>,
		response: Response,
		requested: number,
	): IDataObject[] | Failure {
		try {
			const output = this.spec.output(response, input, requested);
			return output instanceof Failure ? output : [output].flat().map(format);
		} catch (error) {
			if (error instanceof Failure) return error;
			const { name } = this.run.client.service;
			return new Failure('unconfirmed', `${name} returned an unexpected response`);
		}
	}

	/** Fails the items that a failure is about, and sends the others again if the request had no effect. */
	private async divide(items: Batch<Input>, failure: Failure): Promise<void> {
		const { group } = this.spec;
		const isRefusal = failure.kind === 'refused';
		// An earlier attempt of this request may have been processed for any of its items.
		if (isRefusal) items.forEach((item) => this.run.progress.recordFailure(item, failure));
		const others = await this.failNamed(items, failure);
		if (others.length < items.length && isRefusal) return await this.send(others);
		if (failure.kind === 'group' && group) {
			this.refusedGroups.set(items[0]?.group ?? '', failure.with({ doubt: undefined }));
		}
		// A smaller batch has a smaller response.
		const isTooMany = failure.kind === 'tooLarge' && !failure.isUncertain;
		// promise: divided
		if (others.length === 1 || !(isRefusal || isTooMany)) {
			return await this.finishFailed(others.map((item) => [item, failure]));
		}
		const middle = Math.ceil(others.length / 2);
		await this.send(others.slice(0, middle));
		await this.send(others.slice(middle));
	}

	/** Ends the items that a failure names, and returns the others. */
	private async failNamed(items: Batch<Input>, failure: Failure): Promise<Batch<Input>> {
		const reasons = new Map(
			failure.refusedItems?.map(({ key, reason }) => [
				normalizeEmail(typeof key === 'number' ? (items[key]?.label ?? '') : key),
				reason,
			]),
		);
		// The service names these items as failed, whatever it did with the others.
		const isAlone = failure.isUncertain || failure.kind === 'run';
		const hint = 'Correct the row, or remove it';
		const refusal = isAlone ? failure.with({ kind: 'refused', doubt: undefined, hint }) : failure;
		const failed: Array<FailedItem<Input>> = [];
		const others = items.filter((item) => {
			const reason = reasons.get(item.lane);
			if (reason === undefined) return true;
			const message = `${item.label}: ${reason || failure.message}`;
			const { hint = refusal.hint } = knownFor(this.run.client.service, reason);
			failed.push([item, refusal.with({ message, reason: reason || failure.reason, hint })]);
			return false;
		});
		await this.finishFailed(failed);
		return others;
	}

	private async finishFailed(failed: Array<FailedItem<Input>>): Promise<void> {
		await forEachConcurrent(failed, IN_FLIGHT.items, async ([item, failure]) => {
			await this.finishFailedItem(item, failure);
			return true;
		});
	}

	/** Ends an item whose request failed: it fails, or is done already, or is skipped. */
	private async finishFailedItem(item: ReadyItem<Input>, requestFailure: Failure): Promise<void> {
		const failure = this.recordFailure(item, requestFailure);
		const done = await this.outputIfDone(item.input, failure);
		if (done instanceof Failure) return this.run.fail(item, done);
		if (done) return this.succeed(item, [done]);
		const isAboutItem = ABOUT_ITEM.has(failure.kind) && !failure.isUncertain;
		const own = isAboutItem ? this.spec.readRefusal?.(failure, this.run) : undefined;
		if (own && !(own instanceof Failure)) return void this.skipIf(item, own);
		if (failure.isUncertain) this.run.progress.recordSent(item);
		this.run.fail(item, own ?? failure);
	}

	/** Returns the failure with what earlier requests may have done, and with its code. Releases an item that was not sent. */
	private recordFailure(item: ReadyItem<Input>, requestFailure: Failure): Failure {
		const { progress, client } = this.run;
		const failure = progress.recordFailure(item, requestFailure);
		if (failure.doubt === undefined) this.guard?.release(item.input);
		// A service that is down refuses nothing: its text is no reason.
		const { reason = '' } = isPassing(failure.kind) ? {} : failure;
		const { code = knownFor(client.service, reason).code } = failure;
		return failure.with({ code });
	}

	/** An item whose request failed may be done all the same. If its record cannot be read, the failure stands. */
	private async outputIfDone(
		input: Input,
		failure: Failure,
	): Promise<IDataObject | Failure | undefined> {
		const { removed, lookUp } = this.spec;
		if (removed && wasRemoved(failure)) return removed(input);
		if (lookUp?.isFor(failure) !== true) return undefined;
		const records = await this.run.client
			.send(lookUp.request(input), lookUp.readBody)
			.catch(() => undefined);
		try {
			return records && lookUp.output(records, input);
		} catch (error) {
			return Failure.from(error);
		}
	}

	private succeed(item: ReadyItem<Input>, output: IDataObject[]): void {
		this.run.succeed(item, output);
		this.run.progress.recordSent(item);
	}

	/** Skips an item if there is a reason. Returns whether there is one. */
	private skipIf(item: ReadyItem<Input>, skip: SkipReason | undefined): boolean {
		if (!skip) return false;
		const { reason, code, mark, countedAs, hint } = skip;
		const named = this.spec.skippedItem?.(item.input);
		const status = code === 'maybeSent' ? code : 'skipped';
		const json = { ...named, status, reason, ...mark, details: { code } };
		this.run.skip(item, json, countedAs ?? code);
		if (hint) this.run.progress.hints.add(hint);
		return true;
	}
}

const itemOperation =
	(writes: boolean) =>
	<Values extends object, Options extends object, Response>(
		spec: OperationSpec<Values, Options> & WriteSpec<NoInfer<Input<Values, Options>>, Response>,
	): Operation => {
		const options = {
			...spec.runOptions,
			...(writes ? { dryRun: runOptions.dryRun } : {}),
		};
		const operation = operationOf(spec, { options }, async (run, reader) => {
			const pipeline = new Pipeline(run, spec, writes);
			// Reads all items first: a later one may say that the person opted out.
			const readsFirst = spec.objection !== undefined;
			const items = await reader.items(async (item) => await pipeline.prepare(item), readsFirst);
			await pipeline.sendAll(items);
		});
		return { ...operation, writes };
	};

/** Makes an operation that changes something at the service. */
export const write = itemOperation(true);

/** Makes an operation that reads a record for each item. */
export const single = itemOperation(false);
