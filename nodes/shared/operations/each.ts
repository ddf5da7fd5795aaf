import type { IDataObject } from 'n8n-workflow';
import type { z } from 'zod/v4';

import { mapResponse } from '../http/json';
import type { ApiRequest } from '../http/request';
import { forEachConcurrent } from '../parallel';
import { rowOptions, runOptions } from '../fields/sharedFields';
import { formatterFor, prepare } from './operation';
import type { Input, Operation, OperationSpec } from './operationSpec';
import type { RowReader } from './rowReader';
import { groupBy, readAllRows, resolveRows } from './rows';
import type { Row } from './rows';
import type { Run } from './run';
import { RowFilter, setRefused, skipOptions } from './skips';
import type { SkipRules } from './skips';

interface Each<Values extends object, Options extends object, Response>
	extends OperationSpec<Values, Options>,
		SkipRules<Input<Values, Options>> {
	/** Replaces what the user wrote by what the service knows, before rows are compared or sent. */
	resolve?(input: Input<Values, Options>, run: Run): Promise<Input<Values, Options>>;
	/** Adds values that have to be read from the service before the request. */
	complete?(input: Input<Values, Options>, run: Run): Promise<Input<Values, Options>>;
	request(input: Input<Values, Options>, run: Run): ApiRequest;
	/** The shape of the response; by input if one record can be requested in several ways. */
	responseSchema: z.ZodType<Response> | ((input: Input<Values, Options>) => z.ZodType<Response>);
	/** The output of one row. */
	output(response: Response, input: Input<Values, Options>): IDataObject | IDataObject[];
	/** True for an operation that changes something at the service; offers Dry Run. */
	writes?: boolean;
	/** Rows with the same key go one after the other, in order: two updates of one contact. */
	serializeBy?(input: Input<Values, Options>): string;
}

/**
 * Rows in flight when the user sets no number. n8n sends about a thousand requests per second, so more than `max` would
 * only help a service that takes longer than 128 ms. It also bounds n8n's open connections, and the rows that still
 * arrive after a failure.
 */
const ROWS_IN_FLIGHT = { first: 8, max: 128 };

/** Makes an operation that sends one request for each row, several rows at a time. */
export function each<Values extends object, Options extends object, Response>(
	spec: Each<Values, Options, Response>,
): Operation {
	const { concurrency, maxWait, timeout } = runOptions;
	const { operation, reader } = prepare(spec, {
		options: {
			...{ concurrency, maxWait, timeout },
			...skipOptions(spec),
			...(spec.writes ? { dryRun: rowOptions.dryRun } : {}),
		},
	});

	async function send(
		run: Run,
		rows: RowReader<Values, Options>,
		row: Row<Input<Values, Options>>,
	): Promise<boolean> {
		const { item, options } = row;
		const work = async () => {
			const input = (await spec.complete?.(row.input, run)) ?? row.input;
			const request = spec.request(input, run);
			if (spec.writes && options.dryRun) return [run.plan([item])(request)];
			const { responseSchema } = spec;
			const schema = typeof responseSchema === 'function' ? responseSchema(input) : responseSchema;
			const format = formatterFor(run, rows, item, spec.record);
			const outputs = mapResponse(schema, (body) => [spec.output(body, input)].flat().map(format));
			return await run.client.send(request, outputs);
		};
		return await run.settle(item, work, (failure) => setRefused(run, row, spec, failure));
	}

	return {
		...operation,
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
			const limit = run.options.concurrency || (await run.concurrency(spec.action, ROWS_IN_FLIGHT));
			await forEachConcurrent(lanes, limit, async (lane) => {
				for (const row of lane) {
					if (run.isStopped || !(await send(run, rowReader, row))) return false;
				}
				return true;
			});
		},
	};
}
