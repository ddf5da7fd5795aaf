import type { IDataObject } from 'n8n-workflow';

import { Failure } from '../base/failure';
import { limit, returnAll } from '../fields/sharedFields';
import type { ApiRequest } from '../http/request';
import { PAGES_IN_FLIGHT, readAll } from '../paging/readAll';
import { forEachConcurrent } from '../parallel';
import { operationOf } from './operation';
import type { Input, Operation, OperationSpec } from './operation';
import type { Run } from './run';

interface List<Values extends object, Options extends object>
	extends OperationSpec<Values, Options> {
	request(input: Input<Values, Options>, run: Run): ApiRequest;
	/** The name of the array that holds the records in the response; absent if the service needs none. */
	recordsKey?: string;
	/** The records on a page, as `PagedList` has it. Absent if the contract shows no pages. */
	pageSize?: number;
	/** Returns what identifies a record across pages; by default its `id`. */
	identity?(record: IDataObject): unknown;
	/** Returns a filter for records, if the service cannot filter them. */
	keeps?(input: Input<Values, Options>): ((record: IDataObject) => boolean) | undefined;
	output?(record: IDataObject, input: Input<Values, Options>): IDataObject;
}

const LISTS_IN_FLIGHT = 64;

/** Makes an operation that reads a list, page by page, with Return All and Limit. */
export function list<Values extends object, Options extends object>(
	spec: List<Values, Options>,
): Operation {
	const { recordsKey, pageSize, identity, output = (record) => record } = spec;

	const added = { before: { returnAll, limit }, options: {} };
	return operationOf(spec, added, async (run, reader) => {
		const inFlight = Math.ceil(PAGES_IN_FLIGHT / run.count);
		const items = await reader.items(async (read) => read);
		await forEachConcurrent(items, LISTS_IN_FLIGHT, async (item) => {
			const { itemIndex, input, format } = item;
			try {
				const isAll = reader.field('returnAll', returnAll, itemIndex);
				const records = await readAll(run.client, {
					request: spec.request(input, run),
					...{ recordsKey, pageSize, identity, inFlight },
					keeps: spec.keeps?.(input),
					output: (record) => format(output(record, input)),
					limit: isAll ? undefined : reader.field('limit', limit, itemIndex),
				});
				run.succeed(item, records);
			} catch (error) {
				run.fail(item, Failure.from(error));
			}
			return !run.isStopped;
		});
	});
}
