import type { IDataObject } from 'n8n-workflow';

import { Failure } from '../base/failure';
import type { ApiClient } from '../http/client';
import type { ApiRequest } from '../http/request';
import type { Page } from '../http/service';

export interface PagedList {
	request: ApiRequest;
	/** The name of the array that holds the rows in the response. */
	rowsKey: string;
	/** The page size to ask for. Absent if the whole list comes in one response. */
	pageSize?: number;
	log?(message: string): void;
}

export type PageClient = Pick<ApiClient, 'send' | 'service'>;

const LOG_EVERY = 25;

/** The size to request if the service refuses a larger page. If it refuses this too, it chooses the size. */
const SMALLER_PAGE = 100;

/** Status codes by which a service may refuse a page size. */
const SIZE_REFUSALS: ReadonlySet<number | undefined> = new Set([400, 413, 422]);

/** The most rows of one response. A service with more in one would fill the memory. */
const MOST_ROWS = 50_000;

/** Yields the pages of a list, one after another. A reader may stop at any page. */
export function pages(client: PageClient, list: PagedList): AsyncGenerator<Page> {
	return new PageFetcher(client, list).walk();
}

/** Fetches the pages of one list, smaller ones if the service refuses their size. */
export class PageFetcher {
	/** Rows a page, as the service grants them; 0 before the first page. */
	size = 0;
	/** Rows a page, as requested; undefined for the service's own size. */
	private requested?: number;

	constructor(
		private readonly client: PageClient,
		private readonly list: PagedList,
	) {
		this.requested = list.pageSize;
	}

	/** Yields pages to the end of the list. If one is too large to hold, begins again with smaller pages. */
	async *walk(): AsyncGenerator<Page> {
		for (let number = 1, last: Page | undefined; ; number++) {
			try {
				last = await this.page(number, last && linkOf(last));
			} catch (error) {
				const failure = Failure.from(error);
				if (!this.shrink(failure, number)) throw failure;
				number = 0;
				last = undefined;
				continue;
			}
			yield last;
			if (!this.goesOn(last, number)) return;
		}
	}

	/**
	 * Fetches a page, the first one in a smaller size if the service refuses a large one.
	 *
	 * @param number from 1
	 * @param link the query of a link, if the service pages by links
	 * @throws Failure; a page past the end is empty
	 */
	async page(number: number, link?: IDataObject): Promise<Page> {
		const { service } = this.client;
		if (number % LOG_EVERY === 0) this.list.log?.(`${service.name}: page ${number} of a list`);
		if (number > 1) return await this.fetch(number, link);
		const page = await this.firstPage();
		this.size ||= page.rows.length;
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

	/**
	 * Makes pages smaller after a failure. Returns false if that cannot help.
	 *
	 * @param number the page that failed: only the first one shows whether the size was refused
	 */
	shrink({ kind, status }: Failure, number: number): boolean {
		const mayHelp = kind === 'tooLarge' || (number === 1 && SIZE_REFUSALS.has(status));
		const { requested } = this;
		if (!mayHelp || requested === undefined || !this.client.service.acceptsPageSize) return false;
		this.requested = requested > SMALLER_PAGE ? SMALLER_PAGE : undefined;
		this.size = 0;
		return true;
	}

	private async fetch(number: number, link?: IDataObject): Promise<Page> {
		const { request, rowsKey, pageSize } = this.list;
		const { pageQuery } = this.client.service;
		const paged = pageSize === undefined ? undefined : pageQuery(number, this.requested);
		const query = { ...request.query, ...(link ?? paged) };
		return await fetchPage(this.client, { ...request, query }, rowsKey, number);
	}

	/** Returns the number of pages; undefined if the first page states neither it nor a total. */
	countOf({ pages, total }: Page): number | undefined {
		return total === undefined ? pages : Math.ceil(total / Math.max(1, this.size));
	}

	/** Returns whether more pages follow: the service says so, the page is full, or nothing states the end. */
	goesOn(page: Page, number: number): boolean {
		const { rows, total, pages, next } = page;
		if (this.list.pageSize === undefined || rows.length === 0) return false;
		if (linkOf(page)) return true;
		const isEnd = next !== undefined && next?.page === undefined;
		// A total may be outdated: a full last page may have a successor, unless the service says otherwise.
		const mayGoOn = !isEnd && number > 1 && rows.length >= this.size;
		if (total !== undefined) return mayGoOn || total > number * this.size;
		if (pages !== undefined) return number < pages;
		// A first page with more rows than requested is the whole list.
		return !isEnd && (number > 1 || rows.length <= (this.requested ?? Infinity));
	}
}

/**
 * Fetches one page of a list. Past the end, services respond with 404 or an empty page.
 *
 * @param rowsKey the name of the array that holds the rows in the response
 * @throws Failure; a page past the end is empty
 */
async function fetchPage(
	client: PageClient,
	request: ApiRequest,
	rowsKey: string,
	number: number,
): Promise<Page> {
	const { name, readPage, emptyListMessage } = client.service;
	try {
		const page = await client.send<Page>(request, {
			safeParse(body) {
				const data = readPage(body, rowsKey);
				return data ? { success: true, data } : { success: false };
			},
		});
		if (page.rows.length <= MOST_ROWS) return page;
		throw new Failure('failed', `${name} sent ${page.rows.length} records in one response`, {
			hint: 'That is more than this node reads at once. Narrow the list by a filter',
		});
	} catch (error) {
		const failure = Failure.from(error);
		const { status, message } = failure;
		if (status === 404 && (number > 1 || emptyListMessage?.test(message))) {
			return { rows: [], next: null };
		}
		throw failure;
	}
}

/** Returns the query of the next page, if it must be requested by something else than its number. */
export function linkOf({ next }: Page): IDataObject | undefined {
	return next && next.page === undefined && Object.keys(next).length > 0 ? next : undefined;
}

/** Returns a function that reads the first page of a list. */
export function rowsReader(client: PageClient) {
	return async (request: ApiRequest, rowsKey: string): Promise<IDataObject[]> => {
		const { rows } = await fetchPage(client, request, rowsKey, 1);
		return rows;
	};
}
