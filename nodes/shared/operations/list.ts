import type { IDataObject } from 'n8n-workflow';

import type { ApiRequest } from '../http/request';
import { Failure } from '../base/failure';
import { ListReader } from '../paging/listReader';
import type { ListRequest } from '../paging/pages';
import type { Field } from '../fields/field';
import { limit, returnAll, runOptions } from '../fields/sharedFields';
import { sorted, sortKey, sortOfNode } from '../fields/sorting';
import type { Sort } from '../fields/sorting';
import { formatterFor, prepare } from './operation';
import type { Input, Operation, OperationSpec } from './operationSpec';
import type { RowReader } from './rowReader';
import { readRows } from './rows';
import type { Row } from './rows';
import type { Run } from './run';

/** A longer list that the service does page, and which of its rows to keep. */
interface LongerList {
	request: ApiRequest;
	keeps(row: IDataObject): boolean;
}

/** A list's input for one row. */
type ListInput<Values, Options> = Input<Values, Options> & { sort?: Sort };

interface List<Values extends object, Options extends object>
	extends OperationSpec<Values, Options> {
	/** The fields by which the service can sort the list. */
	sort?: Field<Sort | undefined>;
	/** The fields by which the node sorts a list that the service cannot sort. */
	sortHere?: Array<{ name: string; value: string }>;
	/** Adds values that have to be read from the service before the list. */
	complete?(input: ListInput<Values, Options>, run: Run): Promise<ListInput<Values, Options>>;
	request(input: ListInput<Values, Options>, run: Run): ApiRequest;
	/** The name of the array that holds the rows in the response. */
	rowsKey: string;
	/** The page size to ask for. Absent if the whole list comes in one response. */
	pageSize?: number;
	/** Returns what identifies a row across pages; by default its `id`. */
	identity?(row: IDataObject): unknown;
	/** Returns a filter for rows, if the service cannot filter them. */
	keeps?(input: ListInput<Values, Options>): ((row: IDataObject) => boolean) | undefined;
	/** Returns whether the rows come sorted by their age; by default they do. */
	isByAge?(input: ListInput<Values, Options>): boolean;
	/** Returns the list to read if the service does not page this one. */
	fallback?(input: ListInput<Values, Options>): LongerList | undefined;
	/** The output of one row; by default the row itself. */
	output?(row: IDataObject, input: ListInput<Values, Options>): IDataObject;
}

/** Makes an operation that reads a list, page by page, with Return All and Limit. */
export function list<Values extends object, Options extends object>(
	spec: List<Values, Options>,
): Operation {
	const { maxWait, timeout } = runOptions;
	const sort = spec.sort ?? (spec.sortHere && sortOfNode(spec.sortHere));
	const { operation, reader } = prepare(spec, {
		before: { returnAll, limit },
		options: { maxWait, timeout },
		after: sort ? { sort } : {},
	});
	const { identity = (row) => row.id, output = (row) => row } = spec;

	async function readList(
		run: Run,
		rows: RowReader<Values, Options>,
		{ item, input: read }: Row<Input<Values, Options>>,
	): Promise<IDataObject[]> {
		const order = sort && rows.field('sort', sort, item);
		const own = { ...read, sort: order };
		const input = (await spec.complete?.(own, run)) ?? own;
		const format = formatterFor(run, rows, item, spec.record);
		const isAll = rows.field('returnAll', returnAll, item);
		const sortAll = isAll && spec.sortHere ? order : undefined;
		const keys = new Map<IDataObject, unknown>();
		const request: ListRequest = {
			request: spec.request(input, run),
			rowsKey: spec.rowsKey,
			pageSize: spec.pageSize,
			identity,
			keeps: spec.keeps?.(input),
			isByAge: spec.isByAge?.(input),
			output: (row) => {
				const json = format(output(row, input));
				if (sortAll) keys.set(json, sortKey(row, sortAll));
				return json;
			},
			limit: isAll ? undefined : rows.field('limit', limit, item),
			log: (message) => run.context.logger.info(message),
		};
		const found = await readPages(run, request, spec.fallback?.(input));
		if (sortAll === undefined) return found;
		return sorted(
			found.map((json) => ({ key: keys.get(json), item: json })),
			sortAll,
		);
	}

	return {
		...operation,
		async run(run) {
			const rows = await reader(run);
			for await (const row of readRows(run, rows)) {
				if (!(await run.settle(row.item, async () => await readList(run, rows, row)))) return;
			}
		},
	};
}

async function readPages(
	run: Run,
	request: ListRequest,
	fallback?: LongerList,
): Promise<IDataObject[]> {
	const reader = new ListReader(run.client, request);
	try {
		const found = await reader.all();
		reader.warnings.forEach((warning) => run.addHint(warning));
		return found;
	} catch (error) {
		const failure = Failure.from(error);
		if (failure.kind !== 'repeating' || fallback === undefined) throw failure;
		return await readPages(run, { ...request, ...fallback });
	}
}
