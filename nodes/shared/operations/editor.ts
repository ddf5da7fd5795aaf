import type {
	IDataObject,
	ILoadOptionsFunctions,
	INodeListSearchResult,
	INodePropertyOptions,
	ResourceMapperFields,
} from 'n8n-workflow';

import { Failure } from '../base/failure';
import { compareTexts, isBlank } from '../base/text';
import type { ReadRecords } from '../fields/field';
import { COLUMNS, mappedColumns } from '../mapping/columns';
import type { Column } from '../mapping/shape';
import { ApiClient, INTERACTIVE_TIME_LIMITS } from '../http/client';
import type { ApiRequest } from '../http/request';
import type { Service } from '../http/service';
import { toNodeError } from '../nodeError';
import { recordsReader } from '../paging/pages';
import { readAll } from '../paging/readAll';

/** The most records that a drop-down shows; the user types to narrow them. */
const MAX_RESULTS = 500;

export interface DropDown {
	/** @param typed the text to search for, if the service can search */
	request(typed: string): ApiRequest;
	recordsKey?: string;
	pageSize?: number;
	/** The most records to search; all by default. */
	limit?: number;
	/** The records inside a record are offered instead of it. */
	inside?(record: IDataObject): IDataObject[];
	name(record: IDataObject): string;
	/** By default the ID. A record without a value cannot be chosen. */
	value?(record: IDataObject): unknown;
	hides?(record: IDataObject): boolean;
}

/** Finds names that contain the typed text. */
export function dropDown(service: Service, search: DropDown) {
	const { value: valueOf = (record) => record.id } = search;
	return async function (this: ILoadOptionsFunctions, filter = ''): Promise<INodeListSearchResult> {
		const typed = filter.trim().toLowerCase();
		const { records } = await readForEditor(
			this,
			service,
			async (client) =>
				await readAll(client, { ...search, request: search.request(filter.trim()) }),
		);
		const choices = records
			.flatMap((record) => search.inside?.(record) ?? [record])
			.filter((record) => !search.hides?.(record))
			.filter((record) => !isBlank(valueOf(record)))
			.map((record) => ({ name: search.name(record), value: String(valueOf(record)) }))
			// n8n would evaluate the chosen value as an expression.
			.filter(({ value }) => !value.startsWith('='))
			.filter(({ name, value }) => `${name} ${value}`.toLowerCase().includes(typed));
		if (search.inside) choices.sort((one, other) => compareTexts(one.name, other.name));
		const results = withIds([...new Map(choices.map((choice) => [choice.value, choice])).values()]);
		const isCut = records.length === search.limit || results.length > MAX_RESULTS;
		const last = isCut ? [{ name: INCOMPLETE, value: '' }] : [];
		return { results: [...results.slice(0, MAX_RESULTS), ...last] };
	};
}

/** n8n has no other place to say that a list may be incomplete. Choosing this entry chooses nothing. */
const INCOMPLETE = 'List may be incomplete: type more of the name, or enter the ID';

/** Adds the value to each name that several choices have. */
function withIds(choices: Array<{ name: string; value: string }>) {
	const counts = new Map<string, number>();
	for (const { name } of choices) counts.set(name, (counts.get(name) ?? 0) + 1);
	return choices.map(({ name, value }) => {
		return { name: (counts.get(name) ?? 0) > 1 ? `${name} (${value})` : name, value };
	});
}

/** Reads from the service while a user waits in the editor. @throws NodeApiError or NodeOperationError */
async function readForEditor<Result>(
	context: ILoadOptionsFunctions,
	service: Service,
	read: (client: ApiClient) => Promise<Result>,
): Promise<Result> {
	try {
		return await read(new ApiClient(context, service, INTERACTIVE_TIME_LIMITS));
	} catch (error) {
		throw toNodeError(context.getNode(), Failure.from(error));
	}
}

/** For fields without a search. */
export function optionsOf(search: ReturnType<typeof dropDown>) {
	return async function (this: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
		return (await search.call(this)).results;
	};
}

/**
 * n8n calls it for a new node before it has chosen the credential, and not again after that. An empty list would be an error
 * in the panel, so the columns of every account are listed then, and Refresh Column List adds those of this one. They have no
 * types: a run of a node whose schema has none reads the account, as if the panel had never been opened.
 *
 * The editor removes what the node maps to a column that is not listed. So the columns that the node maps follow. One without a
 * type takes that of its values.
 *
 * @param readColumns reads those of every account, then those that this one has beyond them
 * @throws NodeApiError or NodeOperationError
 */
export function mapperColumns(
	service: Service,
	readColumns: (readRecords: ReadRecords, operation: string) => Promise<Column[]>,
) {
	return async function (this: ILoadOptionsFunctions): Promise<ResourceMapperFields> {
		const operation = String(this.getCurrentNodeParameter('operation') ?? '');
		const columns = this.getNode().credentials
			? await readForEditor(this, service, async (client) => {
					return await readColumns(recordsReader(client), operation);
				})
			: untyped(await readColumns(async () => [], operation));
		const listed = new Set(columns.map(({ id }) => id));
		const [parameter, ids] = [COLUMNS, 'mappedColumns'].map((name) =>
			this.getCurrentNodeParameter(name),
		);
		const mapped = mappedColumns(parameter, ids).filter(({ id }) => !listed.has(id));
		const all = [...columns, ...mapped];
		const fields = all.map(({ id, displayName, type, required = false, options }) => ({
			id,
			displayName,
			type,
			required,
			options,
			defaultMatch: false,
			canBeUsedToMatch: false,
			display: true,
		}));
		return { fields };
	};
}

function untyped(columns: Column[]): Column[] {
	return columns.map((column) => ({ ...column, type: undefined, options: undefined }));
}
