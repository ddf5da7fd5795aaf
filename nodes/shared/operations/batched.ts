import { forEachConcurrent, KeyedQueue } from '../parallel';
import { normalizeEmail } from '../fields/emails';
import { rowOptions, runOptions } from '../fields/sharedFields';
import { batchesOf } from './batches';
import { BatchSender } from './batchSender';
import type { BatchSpec } from './batchSender';
import { prepare } from './operation';
import type { Input, Operation, OperationSpec } from './operationSpec';
import { readRows } from './rows';
import type { Row } from './rows';
import { RowFilter, skipOptions } from './skips';

interface Batched<Values extends object, Options extends object, Response>
	extends OperationSpec<Values, Options>,
		BatchSpec<Input<Values, Options>, Response> {}

/** Requests in flight. A batch has up to 1,000 rows, so `max` bounds what the service has to write at a time. */
const BATCHES_IN_FLIGHT = { first: 4, max: 16 };

/** The key of requests that go out one after the other. */
const ONE_AT_A_TIME = '';

/**
 * Makes an operation that sends many rows in one request, with several requests in flight. Two rows of one customer arrive
 * in order, one after the other. With On Error = stop, requests that must not be repeated go one after the other, too: the
 * next run would repeat those in flight beside a failure.
 */
export function batched<Values extends object, Options extends object, Response>(
	spec: Batched<Values, Options, Response>,
): Operation {
	const { maxWait, timeout } = runOptions;
	const { operation, reader } = prepare(spec, {
		options: { dryRun: rowOptions.dryRun, maxWait, timeout, ...skipOptions(spec) },
	});

	const isRepeatable = ([first]: Array<Row<Input<Values, Options>>>) =>
		first !== undefined && spec.request([first.input], first.input).effect === 'idempotent';

	return {
		...operation,
		writes: true,
		async run(run) {
			const sender = new BatchSender(run, spec);
			const rows = new RowFilter(run, spec).sendable(readRows(run, await reader(run)));
			const queue = new KeyedQueue();
			const limit = await run.concurrency(spec.action, BATCHES_IN_FLIGHT);
			await forEachConcurrent(batchesOf(rows, spec), limit, async (batch) => {
				const keys = batch.map(({ input }) => normalizeEmail(spec.key(input)));
				if (!run.continues && !isRepeatable(batch)) keys.push(ONE_AT_A_TIME);
				await queue.run(keys, async () => await sender.send(batch));
				return !run.isStopped;
			});
		},
	};
}
