import type { IDataObject, INodeProperties } from 'n8n-workflow';
import { deepCopy } from 'n8n-workflow';

import type { ApiRequest } from '../http/request';

export const dryRunField: INodeProperties = {
	displayName: 'Dry Run',
	name: 'dryRun',
	type: 'boolean',
	default: false,
	description:
		'Whether to check all rows without writing anything. Each item shows what would be sent in which request, or why not.',
};

/**
 * Gives what an item says in a dry run.
 *
 * @param request the row's own part of the request
 * @param number the request's place among those that would go out, from 1
 * @param rows how many rows would go out in it
 */
export function plannedItem(
	{ method, path, query, body }: ApiRequest,
	number: number,
	rows: number,
): IDataObject {
	const request = deepCopy({ method, path, query, body });
	return { dryRun: true, wouldSend: { request: number, rowsInRequest: rows, ...request } };
}
