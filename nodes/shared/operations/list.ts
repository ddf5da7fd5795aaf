import { deepCopy } from 'n8n-workflow';
import type { IDataObject } from 'n8n-workflow';

import { Failure } from '../base/failure';
import { limit, returnAll } from '../fields/common';
import { contextIn, readFields } from '../fields/field';
import type { ApiRequest } from '../http/request';
import { PAGES_IN_FLIGHT } from '../paging/pages';
import { readAll } from '../paging/readAll';
import type { ListToRead } from '../paging/readAll';
import { forEachConcurrent } from '../parallel';
import { operationOf } from './operation';
import type { Input, Operation, OperationSpec, ReadItem, ItemReader } from './operation';
import type { Run } from './run';

interface ListSpec<Values extends object, Options extends object>
	extends OperationSpec<Values, Options>,
		Pick<ListToRead, 'recordsKey' | 'pageSize' | 'identity' | 'emptyMessage'> {
	request(input: Input<Values, Options>): ApiRequest;
	/** For what the service cannot filter. */
	keeps?(input: Input<Values, Options>): ListToRead['keeps'];
}

/** The most records that Return All gives to an agent, whose model reads each of them. */
const MOST_FOR_AGENT = 100;

const LISTS_IN_FLIGHT = 64;

/** Makes an operation that returns the records of a list. */
export function list<Values extends object, Options extends object>(
	spec: ListSpec<Values, Options>,
): Operation {
	const { recordsKey, pageSize, identity, emptyMessage, fields } = spec;
	type Item = ReadItem<Input<Values, Options>>;

	/** A model invents an answer from no records, and takes a cut list for a whole one. */
	function noteForAgent(count: number, { limit, keeps }: ListToRead, total?: number) {
		if (count === 0) return [{ note: 'There are no such records' }];
		if (count !== limit || count === total) return [];
		const others = total === undefined || keeps ? 'There may be more' : `${total} are in the list`;
		const advice = fields && 'filters' in fields ? ': narrow the list by its filters' : '';
		return [{ note: `Only the first ${count} records are here. ${others}${advice}` }];
	}

	function listOf(run: Run, { itemIndex, input }: Item): ListToRead {
		const context = { ...contextIn(), isTool: run.isTool };
		const valueOf = (name: string) => run.parameters.value(name, itemIndex);
		const length = readFields({ returnAll, limit }, valueOf, context);
		const most = run.isTool ? MOST_FOR_AGENT : undefined;
		return {
			request: spec.request(input),
			recordsKey,
			pageSize,
			identity,
			emptyMessage,
			keeps: spec.keeps?.(input),
			limit: length.returnAll ? most : length.limit,
		};
	}

	/** Groups the items that read the same. One that cannot be read fails. */
	async function groupsOf(run: Run, reader: ItemReader<Values, Options>) {
		const groups = new Map<string, { items: Item[]; list: ListToRead }>();
		for await (const item of await reader.items(async (read) => read)) {
			try {
				const list = listOf(run, item);
				const key = JSON.stringify([list, item.input]);
				const group = groups.get(key) ?? { items: [], list };
				groups.set(key, group);
				group.items.push(item);
			} catch (error) {
				run.fail(item, Failure.from(error));
			}
		}
		return [...groups.values()];
	}

	return operationOf(spec, { before: { returnAll, limit } }, async (run, reader) => {
		const groups = await groupsOf(run, reader);
		const inFlight = Math.ceil(PAGES_IN_FLIGHT / Math.max(1, groups.length));
		await forEachConcurrent(groups, LISTS_IN_FLIGHT, async ({ items, list }) => {
			// Only what comes out is kept in memory, unless several items need it.
			const output = items.length === 1 ? items[0]?.format : undefined;
			try {
				const { records, total } = await readAll(run.client, { ...list, output, inFlight });
				const note = run.isTool ? noteForAgent(records.length, list, total) : [];
				for (const item of items) {
					const outputs = output ? records : records.map((record) => item.format(deepCopy(record)));
					run.succeed(item, [...outputs, ...note]);
				}
			} catch (error) {
				for (const item of items) run.fail(item, Failure.from(error));
			}
			return !run.isStopped;
		});
	});
}

interface LookupSpec<Values extends object, Options extends object>
	extends OperationSpec<Values, Options> {
	/** Reads for all items, and returns what finds the output of one. */
	start(run: Run): (input: Input<Values, Options>) => Promise<IDataObject>;
}

/** Makes an operation that reads a list once for all items, and finds the output of each in it. */
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
