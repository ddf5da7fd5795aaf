import type { IDataObject } from 'n8n-workflow';
import type { z } from 'zod/v4';

import { answerAs } from '../http/answer';
import { Failure } from '../http/failure';
import { rowOptions, runOptions } from '../parameters/sharedFields';
import { plannedItem } from './dryRun';
import { BadRowSearch } from './badRowSearch';
import { outputSchemaOf, prepare } from './operation';
import { outcomeOfFailure, skippedOutcome } from './skipped';
import type { Ineligible } from './skipped';
import type { Input, Operation, OperationSpec } from './operationSpec';
import type { RowReader } from './rowReader';
import { normalizeEmail } from '../parameters/emails';
import type { ApiRequest } from '../http/request';
import { AdaptiveWidth, inParallel, Turns } from '../parallel';
import { oncePerRun } from './oncePerRun';
import { DuplicateRows, readRows } from './rows';
import type { Row } from './rows';
import type { Outcome } from './outcome';
import type { Run } from './run';

interface Batched<Values extends object, Options extends object, Answer>
	extends OperationSpec<Values, Options> {
	/** The most rows that one request takes. */
	size: number;
	/** The row's key: the e-mail address by which the service names it. */
	key(input: Input<Values, Options>): string;
	/** What rows of one request must have in common. */
	group?(input: Input<Values, Options>): string | undefined;
	/** The key of a row that is to go out once a run; offers Skip Duplicates. */
	dedupeBy?(input: NoInfer<Input<Values, Options>>): string;
	/** The request for some rows of one group; the first stands for what they have in common. */
	request(rows: Array<Input<Values, Options>>, first: Input<Values, Options>): ApiRequest;
	/** People whom the service will not survey now; offers Ineligible. */
	ineligible?: Ineligible<NoInfer<Input<Values, Options>>>;
	/** Gives what tells why a row is not to be sent, read from the service once a run. */
	skips?(
		run: Run,
	): Promise<(input: NoInfer<Input<Values, Options>>) => Promise<string | undefined>>;
	/** The shape of the answer. */
	responseSchema: z.ZodType<Answer>;
	/** The output of one row, or the failure that the answer tells of it. */
	output(answer: Answer, input: Input<Values, Options>): IDataObject | Failure;
}

/** Requests that are under way at a time with On Error = continue: to begin with, and at most. */
const BATCHES_AT_ONCE = 4;
const MOST_BATCHES_AT_ONCE = 8;

/**
 * An operation that sends many rows in one request. With On Error = stop requests go one after the
 * other, so that nothing more goes out after a failure; with continue several are under way, while
 * later rows are still read. Two rows of one customer arrive in order, one after the other, in any case.
 */
export function batched<Values extends object, Options extends object, Answer>(
	spec: Batched<Values, Options, Answer>,
): Operation {
	const { maxWait, skipDuplicates, timeout } = runOptions;
	const { fields, reader } = prepare(spec, {
		options: {
			...{ dryRun: rowOptions.dryRun, maxWait, timeout },
			...(spec.dedupeBy ? { skipDuplicates } : {}),
			...(spec.ineligible ? { ineligible: rowOptions.ineligible } : {}),
		},
	});

	/**
	 * Sends one batch. Rows that the service names in a refusal fail, and the rest is sent. Where it
	 * names none, the bad rows are looked for by halves.
	 */
	async function send(
		run: Run,
		batch: Array<Row<Input<Values, Options>>>,
		search = new BadRowSearch(batch.length),
	): Promise<void> {
		const [first] = batch;
		if (first === undefined || run.isStopped) return;
		if (first.options.dryRun) return plan(run, batch);
		const inputs = batch.map((row) => row.input);
		const request = spec.request(inputs, first.input);
		try {
			const outputs = answerAs(spec.responseSchema, (answer) =>
				batch.map((row) => ({ row, output: spec.output(answer, row.input) })),
			);
			for (const { row, output } of await run.client.send(request, outputs)) {
				run.note(row.item, outcomeOf(output, row));
			}
			search.succeeded();
		} catch (error) {
			const failure = Failure.from(error);
			const rest = noteNamed(run, batch, failure);
			if (rest.length < batch.length) return await send(run, rest);
			if (!search.goesOn(batch.length, failure)) {
				batch.forEach(({ item }) => run.note(item, { failure }));
				return;
			}
			const middle = Math.ceil(batch.length / 2);
			await send(run, batch.slice(0, middle), search);
			await send(run, batch.slice(middle), search);
		}
	}

	/** Notes what each row of a batch would send. */
	function plan(run: Run, batch: Array<Row<Input<Values, Options>>>): void {
		const number = run.plan();
		for (const { item, input } of batch) {
			const planned = plannedItem(spec.request([input], input), number, batch.length);
			run.note(item, { rows: [planned] });
		}
	}

	function outcomeOf(output: IDataObject | Failure, row: Row<Input<Values, Options>>): Outcome {
		if (!(output instanceof Failure)) return { rows: [output] };
		return outcomeOfFailure(row, output, spec.ineligible);
	}

	const reasonsOf = spec.skips && oncePerRun(spec.skips);

	/** Notes a row that is not to be sent. */
	async function isSkipped(
		run: Run,
		{ item, input }: Row<Input<Values, Options>>,
	): Promise<boolean> {
		try {
			const reasonFor = await reasonsOf?.(run);
			const reason = await reasonFor?.(input);
			if (reason === undefined) return false;
			run.note(item, skippedOutcome(spec.ineligible?.row(input) ?? {}, reason));
		} catch (error) {
			run.note(item, { failure: Failure.from(error) });
		}
		return true;
	}

	/** Gives each batch of rows of one group when it is full, and at the end those that are not. */
	async function* batchesOf(
		run: Run,
		rows: RowReader<Values, Options>,
		duplicates: DuplicateRows<Input<Values, Options>>,
	): AsyncGenerator<Array<Row<Input<Values, Options>>>> {
		const filling = new Map<string, Array<Row<Input<Values, Options>>>>();
		for await (const row of readRows(run, rows)) {
			if (!duplicates.isFirst(row) || (await isSkipped(run, row))) continue;
			// Rows that only show what they would send go in batches of their own.
			const group = `${row.options.dryRun === true} ${spec.group?.(row.input)}`;
			const batch = filling.get(group) ?? [];
			batch.push(row);
			if (batch.length < spec.size) {
				filling.set(group, batch);
			} else {
				filling.delete(group);
				yield batch;
			}
		}
		yield* filling.values();
	}

	/** Notes the rows that a refusal names; gives the others. */
	function noteNamed(run: Run, batch: Array<Row<Input<Values, Options>>>, failure: Failure) {
		const refused = failure.details.refused ?? [];
		const keys = batch.map(({ input }) => spec.key(input));
		const textOf = (key: string | number) => (typeof key === 'number' ? (keys[key] ?? '') : key);
		const reasons = new Map(
			refused.map(({ key, reason }) => [normalizeEmail(textOf(key)), reason]),
		);
		const isNamed = (row: Row<Input<Values, Options>>) =>
			reasons.has(normalizeEmail(spec.key(row.input)));
		for (const row of batch.filter(isNamed)) {
			const key = spec.key(row.input);
			const words = `${key}: ${reasons.get(normalizeEmail(key)) || failure.details.words}`;
			const named = new Failure({ ...failure.details, words });
			run.note(row.item, outcomeOfFailure(row, named, spec.ineligible));
		}
		return batch.filter((row) => !isNamed(row));
	}

	return {
		...spec,
		fields,
		outputSchema: () => outputSchemaOf(spec),
		async run(run) {
			const duplicates = new DuplicateRows(run, spec.dedupeBy);
			const turns = new Turns();
			const rows = await reader(run);
			await inParallel(batchesOf(run, rows, duplicates), widthOf(run), async (batch) => {
				const keys = batch.map(({ input }) => normalizeEmail(spec.key(input)));
				await turns.take(keys, async () => await send(run, batch));
				return !run.isStopped;
			});
			duplicates.share();
		},
	};
}

function widthOf({ continues, client: { stats } }: Run): number | AdaptiveWidth {
	if (!continues) return 1;
	return new AdaptiveWidth(BATCHES_AT_ONCE, MOST_BATCHES_AT_ONCE, () => stats.rateLimited);
}
