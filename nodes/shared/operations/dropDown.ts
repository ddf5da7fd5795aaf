import type { IDataObject, ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';

import { ApiClient, INTERACTIVE_TIME_LIMITS } from '../http/client';
import type { ApiRequest } from '../http/request';
import type { Service } from '../http/service';
import { Failure } from '../base/failure';
import { isBlank } from '../fields/values';
import { toNodeError } from '../nodeError';
import { readAll } from '../paging/readAll';

/** The most rows that a drop-down shows; the user types to narrow them. */
const MAX_RESULTS = 500;

/** A list of the service to choose from. */
interface ListSource {
	/** @param typed the text to search for, if the service can search */
	request(typed: string): ApiRequest;
	rowsKey: string;
	pageSize?: number;
	/** The most rows to search; all by default. */
	maxRows?: number;
}

/** Rows, and why others may be missing. */
interface Found {
	rows: IDataObject[];
	gaps: string[];
}

/** Rows that the service has no list of, collected from others. */
interface CollectedSource {
	read(client: ApiClient): Promise<Found>;
}

/** The entries of a drop-down: their source, and how the editor shows them. */
export type DropDown = Shown & (ListSource | CollectedSource);

interface Shown {
	/** Returns the records inside a row that are offered instead of it. */
	inside?(row: IDataObject): IDataObject[];
	/** Returns the text that the user sees. */
	name(row: IDataObject): string;
	/** Returns the value that the workflow stores; by default the ID. A row without one cannot be chosen. */
	value?(row: IDataObject): unknown;
	/** Returns whether a row cannot be chosen here. */
	hides?(row: IDataObject): boolean;
}

/** Returns the search method of a drop-down, which finds names that contain the typed text. */
export function dropDown(service: Service, search: DropDown) {
	const { value: valueOf = (row) => row.id } = search;
	return async function (this: ILoadOptionsFunctions, filter = ''): Promise<INodeListSearchResult> {
		const typed = filter.trim().toLowerCase();
		try {
			const { rows, gaps } = await read(this, service, search, filter.trim());
			const found = rows
				.flatMap((row) => search.inside?.(row) ?? [row])
				.filter((row) => !search.hides?.(row))
				.filter((row) => !isBlank(valueOf(row)))
				.map((row) => ({ name: search.name(row), value: String(valueOf(row)) }))
				.filter(({ name, value }) => `${name} ${value}`.toLowerCase().includes(typed));
			const results = [...new Map(found.map((choice) => [choice.value, choice])).values()];
			if (results.length > MAX_RESULTS) gaps.push('type more of the name to narrow it');
			return { results: [...results.slice(0, MAX_RESULTS), ...notes(gaps)] };
		} catch (error) {
			const failure = Failure.from(error);
			throw toNodeError(this.getNode(), failure, failure.headline);
		}
	};
}

/** Returns the entry that says why the list may be incomplete: n8n has no other place for it. Choosing it chooses nothing. */
function notes(gaps: string[]): Array<{ name: string; value: string }> {
	return gaps.length === 0
		? []
		: [{ name: `List may be incomplete: ${gaps.join('. ')}`, value: '' }];
}

async function read(
	context: ILoadOptionsFunctions,
	service: Service,
	search: DropDown,
	typed: string,
): Promise<Found> {
	const client = new ApiClient(context, service, INTERACTIVE_TIME_LIMITS);
	if ('read' in search) return await search.read(client);
	const { request, rowsKey, pageSize, maxRows } = search;
	const list = { request: request(typed), rowsKey, pageSize, limit: maxRows };
	const { rows, warnings } = await readAll(client, list);
	const cut = rows.length === maxRows ? [`only the first ${maxRows} entries were searched`] : [];
	return { rows, gaps: [...warnings, ...cut] };
}
