import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod/v4';

import type { ApiClient } from '../http/client';
import { Failure } from '../base/failure';
import type { ApiRequest } from '../http/request';
import type { Page } from '../http/service';

export interface ListRequest {
	request: ApiRequest;
	/** The name of the array that holds the rows in the response. */
	rowsKey: string;
	/** The page size to ask for. Absent if the whole list comes in one response. */
	pageSize?: number;
	/** Returns a value that identifies a row across pages. */
	identity(row: IDataObject): unknown;
	/** Returns whether a row comes out, if the service cannot filter for it. */
	keeps?(row: IDataObject): boolean;
	/** False for a list that is not sorted by the age of its rows. */
	isByAge?: boolean;
	/** Returns the output of a row. Only this is kept in memory. */
	output(row: IDataObject): IDataObject;
	/** The most rows to return; absent for all. */
	limit?: number;
	log(message: string): void;
}

const LOG_EVERY = 25;

/** The size to request if the service refuses a larger page. If it refuses this too, it chooses the size. */
const SMALLER_PAGE = 100;

/** Status codes by which a service may refuse a page size. */
const SIZE_REFUSALS: ReadonlySet<number | undefined> = new Set([400, 413, 422]);

/** The most pages beyond the stated ones, and the most rows if nothing is stated. */
const MOST_EXTRA_PAGES = 100;
const MOST_UNSTATED_ROWS = 1_000_000;

/**
 * Returns the page size to try after a failure: undefined for the service's own size, null if a smaller
 * page cannot help.
 *
 * @param size the requested size; undefined for the service's own
 * @param number the page that failed: only the first one shows whether the size was refused
 */
export function smallerSize(
	{ kind, status }: Failure,
	size: number | undefined,
	number: number,
): number | undefined | null {
	const isRefused = number === 1 && SIZE_REFUSALS.has(status);
	if (size === undefined || !(isRefused || kind === 'tooLarge')) return null;
	return size > SMALLER_PAGE ? SMALLER_PAGE : undefined;
}

/** Fetches the pages of a list, and estimates how many there are. */
export class PageFetcher {
	/** Rows a page, as the service grants them. */
	size = 0;
	/** Rows a page, as requested; undefined for the service's own size. */
	private requestedSize?: number;

	constructor(
		readonly client: Pick<ApiClient, 'send' | 'service'>,
		private readonly list: Omit<ListRequest, 'identity' | 'output'>,
	) {
		const { limit = Infinity, pageSize = 0, keeps } = list;
		this.requestedSize = keeps ? pageSize : Math.min(limit, pageSize);
	}

	/**
	 * Fetches a page, the first one in a smaller size if the service refuses a large one.
	 *
	 * @param number from 1
	 * @param next the query of a link, if the service pages by links
	 * @throws Failure; a page past the end is empty
	 */
	async page(number: number, next?: IDataObject): Promise<Page> {
		const { service } = this.client;
		if (number % LOG_EVERY === 0) this.list.log(`${service.name}: page ${number} of a list`);
		if (number > 1 || this.size > 0) return await this.fetch(number, next);
		const page = await this.firstPage();
		this.size = sizeOf(page);
		return page;
	}

	private async firstPage(refusal?: Failure): Promise<Page> {
		try {
			return await this.fetch(1);
		} catch (error) {
			const failure = Failure.from(error);
			if (this.shrink(failure, 1)) return await this.firstPage(refusal ?? failure);
			throw refusal ?? failure;
		}
	}

	/** Makes pages smaller after a failure. Returns false if that cannot help. */
	shrink(failure: Failure, number: number): boolean {
		if (this.list.pageSize === undefined || !this.client.service.acceptsPageSize) return false;
		const smaller = smallerSize(failure, this.requestedSize, number);
		if (smaller === null) return false;
		this.requestedSize = smaller;
		this.size = 0;
		return true;
	}

	private async fetch(number: number, next?: IDataObject): Promise<Page> {
		const { request, rowsKey, pageSize } = this.list;
		const { pageQuery } = this.client.service;
		const paged = pageSize === undefined ? undefined : pageQuery(number, this.requestedSize);
		const query = { ...request.query, ...(next ?? paged) };
		return await fetchPage(this.client, { ...request, query }, rowsKey, number);
	}

	/** Returns the number of pages; undefined if the page states neither it nor a total. */
	countOf({ pages, total }: Page): number | undefined {
		if (total === undefined || this.size === 0) return pages;
		return Math.max(pages ?? 1, Math.ceil(total / this.size));
	}

	/** Returns how many pages to read at most: a service may send new rows forever. */
	mostPages(first: Page): number {
		const count = this.countOf(first);
		if (count !== undefined) return count + MOST_EXTRA_PAGES;
		return Math.ceil(MOST_UNSTATED_ROWS / Math.max(1, this.size));
	}

	/** Returns whether to request another page: one is stated, or nothing states the end. */
	hasMore(page: Page, number: number): boolean {
		if (this.list.pageSize === undefined || page.rows.length === 0) return false;
		if (page.next !== undefined) return page.next !== null;
		const count = this.countOf(page);
		if (count === undefined) return true;
		return count > number || (count > 0 && page.rows.length >= this.size);
	}
}

/** Returns the page size: the rows of the first page, unless it is known to hold all rows. */
function sizeOf({ rows, total, pages = Infinity, size = rows.length }: Page): number {
	const isWhole = total === undefined ? pages <= 1 : total <= rows.length;
	return isWhole ? size : rows.length;
}

/**
 * Fetches one page of a list. Past the end, services respond with 404 or an empty page.
 *
 * @param rows the name of the array that holds the rows in the response
 * @throws Failure; a page past the end is empty
 */
export async function fetchPage(
	client: Pick<ApiClient, 'send' | 'service'>,
	request: ApiRequest,
	rows: string,
	number: number,
): Promise<Page> {
	const schema = z.unknown().transform((body, context) => {
		const page = client.service.readPage(body, rows);
		if (page === undefined) context.addIssue({ code: 'custom', message: 'no list' });
		return page ?? z.NEVER;
	});
	try {
		const page = await client.send(request, schema);
		// A link without a query leads nowhere.
		const isLast = page.next !== undefined && Object.keys(page.next ?? {}).length === 0;
		return isLast ? { ...page, next: null } : page;
	} catch (error) {
		const failure = Failure.from(error);
		const { status, message } = failure;
		const isEmpty = number > 1 || client.service.emptyListMessage?.test(message);
		if (status === 404 && isEmpty) return { rows: [], next: null };
		throw failure;
	}
}

/** Returns whether the next page must be requested by something else than its number. */
export function isLinked({ next }: Page): boolean {
	return next !== undefined && next !== null && next.page === undefined;
}

/** Returns a function that reads the first page of a list. */
export function rowsReader(client: Pick<ApiClient, 'send' | 'service'>) {
	return async (request: ApiRequest, rowsKey: string): Promise<IDataObject[]> => {
		const { rows } = await fetchPage(client, request, rowsKey, 1);
		return rows;
	};
}
