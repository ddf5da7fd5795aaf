import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod';

import type { ApiClient } from '../http/client';
import { Failure } from '../http/failure';
import type { ApiRequest } from '../http/request';
import type { Page } from '../http/service';

/** A list to read. */
export interface ListRequest {
	request: ApiRequest;
	/** The name of the array that holds the rows in the answer. */
	rowsKey: string;
	/** The page size to ask for. Absent where the whole list comes in one answer. */
	pageSize?: number;
	/** What tells one row from another across pages. */
	identity(row: IDataObject): unknown;
	/** Tells which rows come out, where the service cannot be asked for them alone. */
	keeps?(row: IDataObject): boolean;
	/** What is kept of a row: rows are never held twice. */
	output(row: IDataObject): IDataObject;
	/** The most rows to give; absent for all. */
	limit?: number;
	/** Tells of progress. */
	log(message: string): void;
}

const LOG_EVERY = 25;

/** Fetches the pages of a list, and tells how many there are. */
export class PageFetcher {
	/** Rows a page, as the service grants them. */
	size = 0;

	constructor(
		private readonly client: Pick<ApiClient, 'send' | 'service'>,
		private readonly list: ListRequest,
	) {}

	/**
	 * Fetches a page.
	 *
	 * @param number from 1
	 * @param next the query of a link, where the service pages by links
	 * @throws Failure; a page past the end is empty
	 */
	async page(number: number, next?: IDataObject): Promise<Page> {
		const { request, rowsKey: rows, pageSize, log } = this.list;
		const { service } = this.client;
		const paged = pageSize === undefined ? undefined : service.pageQuery(number, this.sizeToAsk());
		const query = { ...request.query, ...(next ?? paged) };
		if (number % LOG_EVERY === 0) log(`${service.name}: page ${number} of a list`);
		const page = await fetchPage(this.client, { ...request, query }, rows, number);
		if (number === 1) this.size = sizeOf(page);
		return page;
	}

	/** The number of pages; undefined where the first page tells neither it nor a total. */
	countOf({ pages, total }: Page): number | undefined {
		if (total === undefined || this.size === 0) return pages;
		return Math.max(pages ?? 1, Math.ceil(total / this.size));
	}

	/** Whether more pages follow: stated, or likely since this one is full. */
	hasMore(page: Page, number: number): boolean {
		if (this.list.pageSize === undefined || page.rows.length === 0) return false;
		if (page.next !== undefined) return page.next !== null;
		if (number > 1) return page.rows.length >= this.size;
		const count = this.countOf(page);
		return count === undefined || count > 1 || page.rows.length >= this.size;
	}

	private sizeToAsk(): number {
		const { limit = Infinity, pageSize = 0, keeps } = this.list;
		return keeps ? pageSize : Math.min(limit, pageSize);
	}
}

/** The first page tells how large pages are: by what it holds, unless it is known to hold all. */
function sizeOf({ rows, total, pages = Infinity, size = rows.length }: Page): number {
	const isWhole = total === undefined ? pages <= 1 : total <= rows.length;
	return isWhole ? size : rows.length;
}

/**
 * Fetches one page of a list. Services answer a page past the end with 404, or with an empty page.
 *
 * @param rows the name of the array that holds the rows in the answer
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
		return await client.send(request, schema);
	} catch (error) {
		const failure = Failure.from(error);
		if (number > 1 && failure.details.status === 404) return { rows: [], next: null };
		throw failure;
	}
}

/** True where the next page is to be asked for by something else than its number. */
export function isLinked({ next }: Page): boolean {
	return next !== undefined && next !== null && next.page === undefined;
}
