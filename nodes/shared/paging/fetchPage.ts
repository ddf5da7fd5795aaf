import type { IDataObject } from 'n8n-workflow';

import { Failure } from '../base/failure';
import { reading } from '../base/json';
import type { ApiClient } from '../http/client';
import type { ApiRequest } from '../http/request';
import type { Page } from '../http/service';

/** The part of a client that reading a list needs. */
export type PageClient = Pick<ApiClient, 'send' | 'service'>;

/** A list of the service. */
export interface PagedList {
	request: ApiRequest;
	/** The name of the array that holds the records in the response; absent if the service needs none. */
	recordsKey?: string;
	/**
	 * The records on a page: as many as to ask for, or as the contract shows if the service takes no page size. Absent if the
	 * contract shows no pages: another page is then asked for only if a response says that there is one.
	 */
	pageSize?: number;
	/** Returns what identifies a record; by default its `id`. */
	identity?(record: IDataObject): unknown;
}

/** The size to request if the service refuses a larger page. If it refuses this too, it chooses the size. */
const SMALLER_PAGE = 100;

/**
 * Requests a page once. Returns the failure of a page that may not exist, as the list's counts tell.
 *
 * @param number from 1
 * @param pageSize the page size to ask for; 0 for the service's own
 * @param link the query of a link to the page, in place of its number
 * @throws Failure
 */
export async function fetchPage(
	client: PageClient,
	{ request, recordsKey = '', pageSize: paged }: PagedList,
	number: number,
	pageSize: number,
	link?: IDataObject,
): Promise<Page | Failure> {
	const { service } = client;
	const isWhole = number === 1 && paged === undefined;
	const byNumber = isWhole ? {} : service.pageQuery(number, pageSize || undefined);
	const query = { ...request.query, ...(link ?? byNumber) };
	try {
		const schema = reading((body) => service.readPage(body, recordsKey));
		return await client.send({ ...request, query }, schema);
	} catch (error) {
		const failure = Failure.from(error);
		if (number > 1 && ['failed', 'refused', 'lost'].includes(failure.kind)) return failure;
		throw failure;
	}
}

/** Returns a smaller page size to ask for; 0 for the service's own. @throws Failure if it cannot be about the size */
export function smallerPage({ service }: PageClient, failure: Failure, pageSize: number): number {
	const mayHelp = failure.kind === 'refused' && failure.status !== 404;
	if (!mayHelp || pageSize === 0 || !service.acceptsPageSize) throw failure;
	return pageSize > SMALLER_PAGE ? SMALLER_PAGE : 0;
}
