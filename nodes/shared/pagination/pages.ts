import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod/v4';

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
	/** False for a list that is sorted by something else than the age of its rows. */
	isByAge?: boolean;
	/** What is kept of a row: rows are never held twice. */
	output(row: IDataObject): IDataObject;
	/** The most rows to give; absent for all. */
	limit?: number;
	/** Tells of progress. */
	log(message: string): void;
}

const LOG_EVERY = 25;

/** Asked for where a service refuses a larger page; where it refuses that as well, its own size is taken. */
const SMALLER_PAGE = 100;

/** Fetches the pages of a list, and tells how many there are. */
export class PageFetcher {
	/** Rows a page, as the service grants them. */
	size = 0;
	/** Rows a page, as they are asked for; undefined for the service's own size. */
	private askedSize?: number;

	constructor(
		private readonly client: Pick<ApiClient, 'send' | 'service'>,
		private readonly list: Omit<ListRequest, 'identity' | 'output'>,
	) {
		const { limit = Infinity, pageSize = 0, keeps } = list;
		this.askedSize = keeps ? pageSize : Math.min(limit, pageSize);
	}

	/**
	 * Fetches a page.
	 *
	 * @param number from 1
	 * @param next the query of a link, where the service pages by links
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

	/** A page of the size that the service grants: one that refuses large pages is asked for smaller ones. */
	private async firstPage(): Promise<Page> {
		let refusal: Failure | undefined;
		for (const size of this.sizesToAsk()) {
			this.askedSize = size;
			try {
				return await this.fetch(1);
			} catch (error) {
				refusal ??= Failure.from(error);
				if (Failure.from(error).details.status !== 400) break;
			}
		}
		throw refusal;
	}

	private sizesToAsk(): Array<number | undefined> {
		const { askedSize = 0 } = this;
		if (this.list.pageSize === undefined || !this.client.service.sizesPages) return [askedSize];
		return askedSize > SMALLER_PAGE ? [askedSize, SMALLER_PAGE, undefined] : [askedSize, undefined];
	}

	private async fetch(number: number, next?: IDataObject): Promise<Page> {
		const { request, rowsKey, pageSize } = this.list;
		const { pageQuery } = this.client.service;
		const paged = pageSize === undefined ? undefined : pageQuery(number, this.askedSize);
		const query = { ...request.query, ...(next ?? paged) };
		return await fetchPage(this.client, { ...request, query }, rowsKey, number);
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
		const count = this.countOf(page) ?? 1;
		return count > 1 || page.rows.length >= this.size;
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
		const { status, words } = failure.details;
		const isEmpty = number > 1 || client.service.noneFound?.test(words);
		if (status === 404 && isEmpty) return { rows: [], next: null };
		throw failure;
	}
}

/** True where the next page is to be asked for by something else than its number. */
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
