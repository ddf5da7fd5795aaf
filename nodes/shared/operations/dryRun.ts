import type { IDataObject } from 'n8n-workflow';
import { deepCopy } from 'n8n-workflow';

import type { ApiRequest } from '../http/request';

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
