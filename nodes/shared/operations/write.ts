import { rowOptions, runOptions } from '../fields/sharedFields';
import { formatterFor, prepare } from './operation';
import type { Input, Operation, OperationSpec } from './operationSpec';
import { Pipeline } from './pipeline';
import type { Requests } from './pipeline';
import { skipOptions } from './skips';

type Spec<Values extends object, Options extends object, Response> = OperationSpec<
	Values,
	Options
> &
	Requests<NoInfer<Input<Values, Options>>, Response>;

/** Makes an operation that changes something at the service. */
export function write<Values extends object, Options extends object, Response>(
	spec: Spec<Values, Options, Response>,
): Operation {
	return operationOf(spec, true);
}

/** Makes an operation that reads a record for each item. */
export function single<Values extends object, Options extends object, Response>(
	spec: Spec<Values, Options, Response>,
): Operation {
	return operationOf(spec, false);
}

function operationOf<Values extends object, Options extends object, Response>(
	spec: Spec<Values, Options, Response>,
	writes: boolean,
): Operation {
	const { concurrency, maxWait, timeout } = runOptions;
	const { operation, reader: start } = prepare(spec, {
		options: {
			...(spec.size === undefined ? { concurrency } : {}),
			...{ maxWait, timeout },
			...skipOptions(spec),
			...(writes ? { dryRun: rowOptions.dryRun } : {}),
		},
	});
	return {
		...operation,
		writes,
		async run(run) {
			const reader = await start(run);
			const ends = {
				read: (item: number) => reader.read(item),
				format: (item: number) => formatterFor(run, reader, item, spec.record),
				writes,
			};
			await new Pipeline(run, spec, ends).execute();
		},
	};
}
