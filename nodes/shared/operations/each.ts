import type { IDataObject } from 'n8n-workflow';
import type { z } from 'zod/v4';

import { rowOptions, runOptions } from '../parameters/sharedFields';
import { concurrencyOf } from './concurrency';
import { plannedItem } from './dryRun';
import { noteRefused, RowFilter } from './skips';
import type { SkipRules } from './skips';
import { formatterFor, outputSchemaOf, prepare } from './operation';
import type { Input, Operation, OperationSpec } from './operationSpec';
import type { RowReader } from './rowReader';
import { forEachConcurrent } from '../parallel';
import { answerAs } from '../http/answer';
import type { ApiRequest } from '../http/request';
import { groupBy, readAllRows, resolveRows } from './rows';
import type { Row } from './rows';
import type { Run } from './run';

interface Each<Values extends object, Options extends object, Answer>
	extends OperationSpec<Values, Options>,
		SkipRules<Input<Values, Options>> {
	/** Puts what the service knows in place of what the user wrote, before rows are compared or sent. */
	resolve?(input: Input<Values, Options>, run: Run): Promise<Input<Values, Options>>;
	/** Adds what is kept at the service and has to be read before the request. */
	complete?(input: Input<Values, Options>, run: Run): Promise<Input<Values, Options>>;
	request(input: Input<Values, Options>, run: Run): ApiRequest;
	/** The shape of the answer; by input where one record can be asked for in several ways. */
	responseSchema: z.ZodType<Answer> | ((input: Input<Values, Options>) => z.ZodType<Answer>);
	/** The output of one row. */
	output(answer: Answer, input: Input<Values, Options>): IDataObject | IDataObject[];
	/** True for an operation that changes something at the service; offers Dry Run. */
	writes?: boolean;
	/** Rows with the same key go one after the other, in order: two updates of one contact. */
	serializeBy?(input: Input<Values, Options>): string;
}

/**
 * Rows in flight when the user sets no number. n8n sends about a thousand requests per second, so more than `most` would
 * only help a service that takes longer than 128 ms. It also bounds n8n's open connections, and the rows that still
 * arrive after a failure.
 */
const ROWS_IN_FLIGHT = { first: 8, most: 128 };

/** An operation that sends one request for each row, several rows at a time. */
export function each<Values extends object, Options extends object, Answer>(
	spec: Each<Values, Options, Answer>,
): Operation {
	const { concurrency, maxWait, sendAtMost, skipDuplicates, timeout } = runOptions;
	const { fields, reader } = prepare(spec, {
		options: {
			...{ concurrency, maxWait, timeout },
			...(spec.dedupeBy ? { sendAtMost, skipDuplicates } : {}),
			...(spec.ineligible ? { ineligible: rowOptions.ineligible } : {}),
			...(spec.writes ? { dryRun: rowOptions.dryRun } : {}),
		},
	});

	async function send(
		run: Run,
		rows: RowReader<Values, Options>,
		row: Row<Input<Values, Options>>,
	): Promise<boolean> {
		const { item, input: asked, options } = row;
		const work = async () => {
			const input = (await spec.complete?.(asked, run)) ?? asked;
			const request = spec.request(input, run);
			if (spec.writes && options.dryRun) return [plannedItem(request, run.plan([item]), 1)];
			const { responseSchema } = spec;
			const schema = typeof responseSchema === 'function' ? responseSchema(input) : responseSchema;
			const simple = formatterFor(run, rows, item, spec.record);
			const outputs = answerAs(schema, (answer) => [spec.output(answer, input)].flat().map(simple));
			return await run.client.send(request, outputs);
		};
		return await run.settle(item, work, (failure) => noteRefused(run, row, spec, failure));
	}

	return {
		...spec,
		fields,
		outputSchema: () => outputSchemaOf(spec),
		async run(run) {
			const { resolve } = spec;
			const rowReader = await reader(run);
			const read = await readAllRows(run, rowReader);
			const resolved = resolve
				? await resolveRows(run, read, async (input) => await resolve(input, run))
				: read;
			const rows: Array<Row<Input<Values, Options>>> = [];
			for await (const row of new RowFilter(run, spec).sendable(resolved)) rows.push(row);
			const lanes = spec.serializeBy ? groupBy(rows, spec.serializeBy) : rows.map((row) => [row]);
			const { concurrency } = run.options;
			const limit = concurrency || (await concurrencyOf(run, spec.action, ROWS_IN_FLIGHT));
			await forEachConcurrent(lanes, limit, async (lane) => {
				for (const row of lane) {
					if (run.isStopped || !(await send(run, rowReader, row))) return false;
				}
				return true;
			});
		},
	};
}
