import type { IDataObject, INodeProperties } from 'n8n-workflow';
import type { z } from 'zod/v4';

import { limitField, maxWaitField, returnAllField, timeoutField } from '../parameters/fields';
import { prepare, simplifierOf } from './operation';
import type { Operation, OperationSpec } from './operation';
import { integerFrom, readBoolean } from '../parameters/numbers';
import { readField } from '../parameters/reader';
import type { Input } from '../parameters/reader';
import { Failure } from '../http/failure';
import { once } from '../http/once';
import { ListReader, RepeatingPages } from '../pagination/listReader';
import type { ListRequest } from '../pagination/pages';
import type { ApiRequest } from '../http/request';
import { readRows } from './rows';
import type { Run } from './run';

interface LongerList {
	request: ApiRequest;
	keeps(row: IDataObject): boolean;
}

interface List<Shape extends z.ZodRawShape> extends OperationSpec<Shape> {
	/** Adds what is kept at the service and has to be read before the list. */
	complete?(input: Input<Shape>, run: Run): Promise<Input<Shape>>;
	request(input: Input<Shape>, run: Run): ApiRequest;
	/** The name of the array that holds the rows in the answer. */
	rowsKey: string;
	/** The page size to ask for. Absent where the whole list comes in one answer. */
	pageSize?: number;
	/** What tells one row from another across pages; its `id` where nothing else is said. */
	identity?(row: IDataObject): unknown;
	/** Tells which rows come out, where the service cannot be asked for them alone. */
	keeps?(input: Input<Shape>): ((row: IDataObject) => boolean) | undefined;
	/** Whether its rows come sorted by their age; taken to be so where nothing is said. */
	isByAge?(input: Input<Shape>): boolean;
	/** What to read in its place where the service does not page this list: a longer one, and what to keep of it. */
	otherwise?(input: Input<Shape>): LongerList | undefined;
	/** The output of one row; the row itself where nothing else is said. */
	output?(row: IDataObject, input: Input<Shape>): IDataObject;
}

/** An operation that reads a list, page by page, with Return All and Limit. */
export function list<Shape extends z.ZodRawShape>(spec: List<Shape>): Operation {
	const described = { ...spec, fields: [returnAllField, limitField, ...(spec.fields ?? [])] };
	const { fields, read } = prepare(described, [maxWaitField, timeoutField]);
	const { identity = (row) => row.id, output = (row) => row } = spec;

	async function readList(run: Run, item: number, asked: Input<Shape>): Promise<IDataObject[]> {
		const input = (await spec.complete?.(asked, run)) ?? asked;
		const simple = simplifierOf(run, item, spec.simplify);
		const wanted: ListRequest = {
			request: spec.request(input, run),
			rowsKey: spec.rowsKey,
			pageSize: spec.pageSize,
			identity,
			keeps: spec.keeps?.(input),
			isByAge: spec.isByAge?.(input),
			output: (row) => simple(output(row, input)),
			limit: limitOf(run, item),
			log: (message) => run.context.logger.info(message),
		};
		return await readPages(run, wanted, spec.otherwise?.(input));
	}

	return {
		...spec,
		fields,
		rowNames: once(() => filtersThatName(fields)),
		sharesNames: true,
		async run(run) {
			for await (const { item, input } of readRows(run, read)) {
				if (!(await run.settle(item, async () => await readList(run, item, input)))) return;
			}
		},
	};
}

/** The kinds of filters that say whom or what a list is about; dates and scores do not. */
const NAMES = new Set(['string', 'resourceLocator']);

/** The parameters by which a list's rows can be told apart in messages. */
function filtersThatName(fields: INodeProperties[]): string[] {
	const filters = fields.find(({ name }) => name === 'filters')?.options ?? [];
	return filters.flatMap((filter) =>
		'type' in filter && NAMES.has(filter.type) ? [`filters.${filter.name}`] : [],
	);
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

const readLimit = integerFrom(1);

/** The most rows to give; undefined for all. */
function limitOf({ context }: Run, item: number): number | undefined {
	const isAll = readField(context, item, returnAllField, readBoolean);
	return isAll ? undefined : readField(context, item, limitField, readLimit);
}
