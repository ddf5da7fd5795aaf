import type { z } from 'zod/v4';

import {
	ineligibleField,
	maxWaitField,
	skipDuplicatesField,
	timeoutField,
} from '../parameters/fields';
import { dryRunField } from './dryRun';
import { batchesOf } from './batches';
import { BatchSender } from './batchSender';
import type { BatchSpec } from './batchSender';
import { prepare } from './operation';
import { RowFilter } from './skips';
import type { Operation, OperationSpec } from './operation';
import { normalizeEmail } from '../parameters/emails';
import type { Input } from '../parameters/reader';
import { AdaptiveWidth, inParallel, Turns } from '../parallel';
import { readRows } from './rows';
import type { Run } from './run';

interface Batched<Shape extends z.ZodRawShape, Answer>
	extends OperationSpec<Shape>,
		BatchSpec<Input<Shape>, Answer> {}

/** Requests in flight with On Error = continue: at the start, and at most. */
const BATCHES_AT_ONCE = 4;
const MOST_BATCHES_AT_ONCE = 8;

/**
 * Makes an operation that sends many rows in one request. With On Error = stop requests go one after the other, so that
 * nothing goes out after a failure. With continue several are in flight while later rows are still read. Two rows of one
 * customer arrive in order, one after the other, in any case.
 */
export function batched<Shape extends z.ZodRawShape, Answer>(
	spec: Batched<Shape, Answer>,
): Operation {
	const shared = [
		dryRunField,
		maxWaitField,
		timeoutField,
		...(spec.dedupeBy ? [skipDuplicatesField] : []),
		...(spec.ineligible ? [ineligibleField] : []),
	];
	const { fields, rowNames, read } = prepare(spec, shared);

	return {
		...spec,
		fields,
		rowNames,
		async run(run) {
			const sender = new BatchSender(run, spec);
			const rows = new RowFilter(run, spec).sendable(readRows(run, read));
			const turns = new Turns();
			await inParallel(batchesOf(rows, spec), widthOf(run), async (batch) => {
				const keys = batch.map(({ input }) => normalizeEmail(spec.key(input)));
				await turns.take(keys, async () => await sender.send(batch));
				return !run.isStopped;
			});
		},
	};
}

function widthOf({ continues, client: { stats } }: Run): number | AdaptiveWidth {
	if (!continues) return 1;
	return new AdaptiveWidth(BATCHES_AT_ONCE, MOST_BATCHES_AT_ONCE, () => stats.rateLimited);
}
