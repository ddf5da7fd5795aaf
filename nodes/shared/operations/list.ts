import type { IDataObject } from 'n8n-workflow';

import type { Field } from '../parameters/field';
import { sorted, sortKey, sortOfNode } from '../parameters/sorting';
import type { Sort } from '../parameters/sorting';
import { limit, returnAll, runOptions } from '../parameters/sharedFields';
import { formatterFor, outputSchemaOf, prepare } from './operation';
import type { Input, Operation, OperationSpec } from './operationSpec';
import type { RowReader } from './rowReader';
import { Failure } from '../http/failure';
import { ListReader, RepeatingPages } from '../pagination/listReader';
import type { ListRequest } from '../pagination/pages';
import type { ApiRequest } from '../http/request';
import { readRows } from './rows';
import type { Row } from './rows';
import type { Run } from './run';

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
	/** Adds what is kept at the service and has to be read before the list. */
	complete?(input: ListInput<Values, Options>, run: Run): Promise<ListInput<Values, Options>>;
	request(input: ListInput<Values, Options>, run: Run): ApiRequest;
	/** The name of the array that holds the rows in the answer. */
	rowsKey: string;
	/** The page size to ask for. Absent where the whole list comes in one answer. */
	pageSize?: number;
	/** What tells one row from another across pages; its `id` where nothing else is said. */
	identity?(row: IDataObject): unknown;
	/** Tells which rows come out, where the service cannot be asked for them alone. */
	keeps?(input: ListInput<Values, Options>): ((row: IDataObject) => boolean) | undefined;
	/** Whether its rows come sorted by their age; taken to be so where nothing is said. */
	isByAge?(input: ListInput<Values, Options>): boolean;
	/** What to read in its place where the service does not page this list: a longer one, and what to keep of it. */
	otherwise?(input: ListInput<Values, Options>): LongerList | undefined;
	/** The output of one row; the row itself where nothing else is said. */
	output?(row: IDataObject, input: ListInput<Values, Options>): IDataObject;
}

/** An operation that reads a list, page by page, with Return All and Limit. */
export function list<Values extends object, Options extends object>(
	spec: List<Values, Options>,
): Operation {
	const { maxWait, timeout } = runOptions;
	const sort = spec.sort ?? (spec.sortHere && sortOfNode(spec.sortHere));
	const { fields, reader } = prepare(spec, {
		before: { returnAll, limit },
		options: { maxWait, timeout },
		after: sort ? { sort } : {},
	});
	const { identity = (row) => row.id, output = (row) => row } = spec;

	async function readList(
		run: Run,
		rows: RowReader<Values, Options>,
		{ item, input: asked }: Row<Input<Values, Options>>,
	): Promise<IDataObject[]> {
		const order = sort && rows.field('sort', sort, item);
		const own = { ...asked, sort: order };
		const input = (await spec.complete?.(own, run)) ?? own;
		const inForm = formatterFor(run, rows, item, spec.record);
		const isAll = rows.field('returnAll', returnAll, item);
		const toSort = isAll && spec.sortHere ? order : undefined;
		const keyed: Array<{ key: unknown; item: IDataObject }> = [];
		const wanted: ListRequest = {
			request: spec.request(input, run),
			rowsKey: spec.rowsKey,
			pageSize: spec.pageSize,
			identity,
			keeps: spec.keeps?.(input),
			isByAge: spec.isByAge?.(input),
			output: (row) => {
				const json = inForm(output(row, input));
				if (toSort) keyed.push({ key: sortKey(row, toSort), item: json });
				return json;
			},
			limit: isAll ? undefined : rows.field('limit', limit, item),
			log: (message) => run.context.logger.info(message),
		};
		const found = await readPages(run, wanted, spec.otherwise?.(input));
		if (toSort === undefined) return found;
		// A row that was read twice has a key for each time; only those that came out count.
		const kept = new Set(found);
		return sorted(
			keyed.filter(({ item }) => kept.has(item)),
			toSort,
		);
	}

	return {
		...spec,
		fields,
		outputSchema: () => outputSchemaOf(spec),
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
	wanted: ListRequest,
	otherwise?: LongerList,
): Promise<IDataObject[]> {
	const reader = new ListReader(run.client, wanted);
	try {
		const found = await reader.all();
		reader.warnings.forEach((warning) => run.hint(warning));
		return found;
	} catch (error) {
		const failure = Failure.from(error);
		if (!(failure instanceof RepeatingPages) || otherwise === undefined) throw failure;
		return await readPages(run, { ...wanted, ...otherwise });
	}
}
