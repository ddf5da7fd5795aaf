import type { IDataObject, ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';

import { INTERACTIVE_TIME_LIMITS, ApiClient } from '../http/client';
import { Failure, toNodeError } from '../http/failure';
import { ListReader } from '../pagination/listReader';
import type { ApiRequest } from '../http/request';
import type { Service } from '../http/service';

/** How many rows a drop-down shows; the user narrows them by typing. */
const MOST_RESULTS = 500;

/** A list of the service to choose from. */
interface ListSource {
	/** A service that can search gets what the user typed. */
	request(typed: string): ApiRequest;
	rowsKey: string;
	pageSize?: number;
	/** The most rows to look through; all where nothing is said. */
	most?: number;
}

/** Rows, and why others may be missing. */
interface Found {
	rows: IDataObject[];
	gaps: string[];
}

/** Rows that the service has no list of: they are put together from others. */
interface MadeSource {
	read(client: ApiClient): Promise<Found>;
}

export type DropDown = Shown & (ListSource | MadeSource);

interface Shown {
	/** Returns the records inside a row that are offered in its place. */
	inside?(row: IDataObject): IDataObject[];
	/** What the user sees of a row. */
	name(row: IDataObject): string;
	/** What the workflow stores of it. */
	value(row: IDataObject): string;
	/** Rows that cannot be chosen here. */
	hides?(row: IDataObject): boolean;
}

/** Gives the search method of a drop-down: names that contain what the user typed. */
export function dropDown(service: Service, search: DropDown) {
	return async function (this: ILoadOptionsFunctions, filter = ''): Promise<INodeListSearchResult> {
		const typed = filter.trim().toLowerCase();
		try {
			const { rows, gaps } = await read(this, service, search, filter.trim());
			const found = rows
				.flatMap((row) => search.inside?.(row) ?? [row])
				.filter((row) => !search.hides?.(row))
				.map((row) => ({ name: search.name(row), value: search.value(row) }))
				.filter(({ name, value }) => `${name} ${value}`.toLowerCase().includes(typed));
			const results = [...new Map(found.map((choice) => [choice.value, choice])).values()];
			if (results.length > MOST_RESULTS) gaps.push('type more of the name to narrow it');
			return { results: [...results.slice(0, MOST_RESULTS), ...notes(gaps)] };
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
	const { request, rowsKey, pageSize, most } = search;
	const reader = new ListReader(client, {
		request: request(typed),
		rowsKey,
		pageSize,
		limit: most,
		identity: (row) => row.id,
		output: (row) => row,
		log: (message) => context.logger.debug(message),
	});
	const rows = await reader.all();
	const cut = rows.length === most ? [`only the first ${most} entries were searched`] : [];
	return { rows, gaps: [...reader.warnings, ...cut] };
}
