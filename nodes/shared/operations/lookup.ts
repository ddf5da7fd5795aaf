import type { IDataObject } from 'n8n-workflow';

import { Failure } from '../base/failure';
import { operationOf } from './operation';
import type { Input, Operation, OperationSpec } from './operation';
import type { Run } from './run';

interface LookupSpec<Values extends object, Options extends object>
	extends OperationSpec<Values, Options> {
	/** Reads for all items, and returns what finds the output of one. */
	start(run: Run): (input: Input<Values, Options>) => Promise<IDataObject>;
}

export function lookup<Values extends object, Options extends object>(
	spec: LookupSpec<Values, Options>,
): Operation {
	return operationOf(spec, {}, async (run, reader) => {
		const find = spec.start(run);
		for await (const item of await reader.items(async (read) => read)) {
			try {
				run.succeed(item, [await find(item.input)]);
			} catch (error) {
				run.fail(item, Failure.from(error));
			}
			if (run.isStopped) return;
		}
	});
}
