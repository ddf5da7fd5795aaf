import type { IDataObject } from 'n8n-workflow';

import { Failure } from '../base/failure';
import { isObject } from '../base/json';
import { isBlank } from '../base/text';
import { located } from '../fields/field';
import { limit, returnAll } from '../fields/sharedFields';
import type { ApiRequest } from '../http/request';
import { readAll } from '../paging/readAll';
import type { ListToRead } from '../paging/readAll';
import { operationOf } from './operation';
import type { Input, Operation, OperationSpec, ReadItem, ItemReader } from './operation';
import type { Run } from './run';

/** A longer list that the service does page, and which of its records to keep. */
interface LongerList {
	request: ApiRequest;
	keeps(record: IDataObject): boolean;
}

interface List<Values extends object, Options extends object>
	extends OperationSpec<Values, Options> {
	request(input: Input<Values, Options>, run: Run): ApiRequest;
	/** The name of the array that holds the records in the response; absent if the service needs none. */
	recordsKey?: string;
	/** The page size to ask for. Absent if the whole list comes in one response. */
	pageSize?: number;
	/** Returns what identifies a record across pages; by default its `id`. */
	identity?(record: IDataObject): unknown;
	/** Returns a filter for records, if the service cannot filter them. */
	keeps?(input: Input<Values, Options>): ((record: IDataObject) => boolean) | undefined;
	/** Returns the list to read if the service does not page this one. */
	fallback?(input: Input<Values, Options>): LongerList | undefined;
	/** The output of one record; by default the record itself. */
	output?(record: IDataObject, input: Input<Values, Options>): IDataObject;
}

/** Makes an operation that reads a list, page by page, with Return All and Limit. */
export function list<Values extends object, Options extends object>(
	declared: List<Values, Options>,
): Operation {
	const spec = { label: filterNames, ...declared };
	const { recordsKey, pageSize, identity, output = (record) => record } = spec;

	async function readList(
		run: Run,
		reader: ItemReader<Values, Options>,
		{ itemIndex, input, format }: ReadItem<Input<Values, Options>>,
	): Promise<IDataObject[]> {
		const isAll = reader.field('returnAll', returnAll, itemIndex);
		const request: ListToRead = {
			request: spec.request(input, run),
			recordsKey,
			pageSize,
			identity,
			keeps: spec.keeps?.(input),
			output: (record) => format(output(record, input)),
			limit: isAll ? undefined : reader.field('limit', limit, itemIndex),
		};
		return await readPages(run, request, spec.fallback?.(input));
	}

	const added = { before: { returnAll, limit }, options: {} };
	return operationOf(spec, added, async (run, reader) => {
		for await (const item of await reader.items(async (read) => read)) {
			try {
				run.succeed(item, await readList(run, reader, item));
			} catch (error) {
				run.fail(item, Failure.from(error));
			}
			if (run.isStopped) return;
		}
	});
}

/** Returns the email and the IDs by which a list is filtered. */
function filterNames(input: object): string {
	const filters = 'filters' in input && isObject(input.filters) ? input.filters : {};
	const naming = Object.entries(filters).filter(([name]) => /^email$|Id$/.test(name));
	const values = naming.map(([, value]) => located(value)).filter((value) => !isBlank(value));
	return values.map(String).join(', ');
}

async function readPages(
	run: Run,
	request: ListToRead,
	fallback?: LongerList,
): Promise<IDataObject[]> {
	try {
		const { records, warnings } = await readAll(run.client, request);
		warnings.forEach((warning) => run.addHint(warning));
		return records;
	} catch (error) {
		const failure = Failure.from(error);
		if (failure.kind !== 'repeating' || fallback === undefined) throw failure;
		return await readPages(run, { ...request, ...fallback });
	}
}
