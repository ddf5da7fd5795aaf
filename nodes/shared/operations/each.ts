import type { IDataObject } from 'n8n-workflow';
import type { z } from 'zod/v4';

import {
	concurrencyField,
	ineligibleField,
	maxWaitField,
	skipDuplicatesField,
	timeoutField,
} from '../parameters/fields';
import { dryRunField, plannedItem } from './dryRun';
import { noteRefused, RowFilter } from './skips';
import type { SkipRules } from './skips';
import { prepare, simplifierOf } from './operation';
import type { Operation, OperationSpec } from './operation';
import type { Input } from '../parameters/reader';
import { AdaptiveWidth, inParallel } from '../parallel';
import { answerAs } from '../http/answer';
import type { ApiRequest } from '../http/request';
import { groupBy, readAllRows, resolveRows } from './rows';
import type { Row } from './rows';
import type { Run } from './run';

interface Each<Shape extends z.ZodRawShape, Answer>
	extends OperationSpec<Shape>,
		SkipRules<Input<Shape>> {
	/** Puts what the service knows in place of what the user wrote, before rows are compared or sent. */
	resolve?(input: Input<Shape>, run: Run): Promise<Input<Shape>>;
	/** Adds what is kept at the service and has to be read before the request. */
	complete?(input: Input<Shape>, run: Run): Promise<Input<Shape>>;
	request(input: Input<Shape>, run: Run): ApiRequest;
	/** The shape of the answer; by input where one record can be asked for in several ways. */
	responseSchema: z.ZodType<Answer> | ((input: Input<Shape>) => z.ZodType<Answer>);
	/** The output of one row. */
	output(answer: Answer, input: Input<Shape>): IDataObject | IDataObject[];
	/** True for an operation that changes something at the service; offers Dry Run. */
	writes?: boolean;
	/** Rows with the same key go one after the other, in order: two updates of one contact. */
	serializeBy?(input: Input<Shape>): string;
}

/** Rows that are under way at a time where the user sets no number: to begin with, and at most. */
const ROWS_AT_ONCE = 8;
const MOST_ROWS_AT_ONCE = 32;

/** An operation that sends one request for each row, several rows at a time. */
export function each<Shape extends z.ZodRawShape, Answer>(spec: Each<Shape, Answer>): Operation {
	const shared = [
		maxWaitField,
		timeoutField,
		concurrencyField,
		...(spec.dedupeBy ? [skipDuplicatesField] : []),
		...(spec.ineligible ? [ineligibleField] : []),
		...(spec.writes ? [dryRunField] : []),
	];
	const { fields, rowNames, read: readInput } = prepare(spec, shared);

	async function send(run: Run, row: Row<Input<Shape>>): Promise<boolean> {
		const { item, input: asked } = row;
		const work = async () => {
			const input = (await spec.complete?.(asked, run)) ?? asked;
			const request = spec.request(input, run);
			if (row.options.dryRun) return [plannedItem(request, run.plan(), 1)];
			const { responseSchema } = spec;
			const schema = typeof responseSchema === 'function' ? responseSchema(input) : responseSchema;
			const simple = simplifierOf(run, item, spec.simplify);
			const outputs = answerAs(schema, (answer) => [spec.output(answer, input)].flat().map(simple));
			return await run.client.send(request, outputs);
		};
		return await run.settle(item, work, (failure) => noteRefused(run, row, spec, failure));
	}

	return {
		...spec,
		fields,
		rowNames,
		async run(run) {
			const { resolve } = spec;
			const read = await readAllRows(run, readInput);
			const resolved = resolve
				? await resolveRows(run, read, async (input) => await resolve(input, run))
				: read;
			const rows: Array<Row<Input<Shape>>> = [];
			for await (const row of new RowFilter(run, spec).sendable(resolved)) rows.push(row);
			const lanes = spec.serializeBy ? groupBy(rows, spec.serializeBy) : rows.map((row) => [row]);
			await inParallel(lanes, widthOf(run), async (lane) => {
				for (const row of lane) {
					if (run.isStopped || !(await send(run, row))) return false;
				}
				return true;
			});
		},
	};
}

function widthOf({ options: { concurrency }, client: { stats } }: Run): number | AdaptiveWidth {
	if (concurrency > 0) return concurrency;
	return new AdaptiveWidth(ROWS_AT_ONCE, MOST_ROWS_AT_ONCE, () => stats.rateLimited);
}
