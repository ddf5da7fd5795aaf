import type { IDataObject } from 'n8n-workflow';

import type { ApiRequest } from '../http/request';
import { Failure } from '../base/failure';
import { isObject } from '../base/json';
import { isBlank, titleOf } from '../base/text';
import { readAll } from '../paging/readAll';
import type { ListToRead } from '../paging/readAll';
import type { Field } from '../fields/field';
import { located } from '../fields/fields';
import { limit, returnAll, runOptions } from '../fields/sharedFields';
import type { Sort } from '../fields/sharedFields';
import { formatterFor, prepare, readRows } from './operation';
import type { Input, Operation, OperationSpec, Row, RowReader } from './operation';
import type { Run } from './run';

/** A longer list that the service does page, and which of its records to keep. */
interface LongerList {
	request: ApiRequest;
	keeps(record: IDataObject): boolean;
}

/** A list's input for one row. */
type ListInput<Values, Options> = Input<Values, Options> & { sort?: Sort };

interface List<Values extends object, Options extends object>
	extends OperationSpec<Values, Options> {
	/** The fields by which the service can sort the list. */
	sort?: Field<Sort | undefined>;
	/** Adds values that have to be read from the service before the list. */
	complete?(input: ListInput<Values, Options>, run: Run): Promise<ListInput<Values, Options>>;
	request(input: ListInput<Values, Options>, run: Run): ApiRequest;
	/** The name of the array that holds the records in the response. */
	recordsKey: string;
	/** The page size to ask for. Absent if the whole list comes in one response. */
	pageSize?: number;
	/** Returns what identifies a record across pages; by default its `id`. */
	identity?(record: IDataObject): unknown;
	/** Returns a filter for records, if the service cannot filter them. */
	keeps?(input: ListInput<Values, Options>): ((record: IDataObject) => boolean) | undefined;
	/** Returns the list to read if the service does not page this one. */
	fallback?(input: ListInput<Values, Options>): LongerList | undefined;
	/** The output of one record; by default the record itself. */
	output?(record: IDataObject, input: ListInput<Values, Options>): IDataObject;
}

/** Makes an operation that reads a list, page by page, with Return All and Limit. */
export function list<Values extends object, Options extends object>(
	declared: List<Values, Options>,
): Operation {
	const spec = { label: filterNames, ...declared };
	const { maxWait, timeout } = runOptions;
	const { sort, recordsKey, pageSize, identity, output = (record) => record } = spec;
	const { operation, reader } = prepare(spec, {
		before: { returnAll, limit },
		options: { maxWait, timeout },
		after: sort ? { sort } : {},
	});

	async function readList(
		run: Run,
		rows: RowReader<Values, Options>,
		{ item, input: read }: Row<Input<Values, Options>>,
	): Promise<IDataObject[]> {
		warnOfEmptyFilters(run, item);
		const own = { ...read, sort: sort && rows.field('sort', sort, item) };
		const input = (await spec.complete?.(own, run)) ?? own;
		const format = formatterFor(run, rows, item, spec.record);
		const isAll = rows.field('returnAll', returnAll, item);
		const request: ListToRead = {
			request: spec.request(input, run),
			recordsKey,
			pageSize,
			identity,
			keeps: spec.keeps?.(input),
			output: (record) => format(output(record, input)),
			limit: isAll ? undefined : rows.field('limit', limit, item),
		};
		return await readPages(run, request, spec.fallback?.(input));
	}

	return {
		...operation,
		async run(run) {
			const rows = await reader(run);
			for await (const row of await readRows(
				run,
				(item) => rows.read(item),
				async (read) => read,
			)) {
				try {
					run.succeed(row, await readList(run, rows, row));
				} catch (error) {
					run.fail(row, Failure.from(error));
				}
				if (run.isStopped) return;
			}
		},
	};
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

/** A filter whose expression returns nothing is not applied, so the row gets the records of everybody. */
function warnOfEmptyFilters({ parameters, warnings }: Run, item: number): void {
	const filters = parameters.value('filters', item);
	if (!isObject(filters) || !parameters.hasExpression('filters')) return;
	for (const [name, filter] of Object.entries(filters)) {
		const value = isObject(filter) && 'value' in filter ? filter.value : filter;
		if (isBlank(value)) warnings.add(item, EMPTY_FILTER, titleOf(name));
	}
}

const EMPTY_FILTER =
	'Filters that had no value were not applied, so rows got records that they would have left out';
