import { rowOptions, runOptions } from '../parameters/sharedFields';
import { normalizeEmail } from '../parameters/emails';
import { AdaptiveWidth, inParallel, Turns } from '../parallel';
import { batchesOf } from './batches';
import { BatchSender } from './batchSender';
import type { BatchSpec } from './batchSender';
import { outputSchemaOf, prepare } from './operation';
import type { Input, Operation, OperationSpec } from './operationSpec';
import { readRows } from './rows';
import type { Run } from './run';
import { RowFilter } from './skips';

interface Batched<Values extends object, Options extends object, Answer>
	extends OperationSpec<Values, Options>,
		BatchSpec<Input<Values, Options>, Answer> {}

/** Requests in flight with On Error = continue: at the start, and at most. */
const BATCHES_AT_ONCE = 4;
const MOST_BATCHES_AT_ONCE = 8;

/**
 * Makes an operation that sends many rows in one request. With On Error = stop requests go one after the other, so that
 * nothing goes out after a failure. With continue several are in flight while later rows are still read. Two rows of one
 * customer arrive in order, one after the other, in any case.
 */
export function batched<Values extends object, Options extends object, Answer>(
	spec: Batched<Values, Options, Answer>,
): Operation {
	const { maxWait, sendAtMost, skipDuplicates, timeout } = runOptions;
	const { fields, reader } = prepare(spec, {
		options: {
			...{ dryRun: rowOptions.dryRun, maxWait, timeout },
			...(spec.dedupeBy ? { sendAtMost, skipDuplicates } : {}),
			...(spec.ineligible ? { ineligible: rowOptions.ineligible } : {}),
		},
	});

	return {
		...spec,
		fields,
		outputSchema: () => outputSchemaOf(spec),
		async run(run) {
			const sender = new BatchSender(run, spec);
			const rows = new RowFilter(run, spec).sendable(readRows(run, await reader(run)));
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
