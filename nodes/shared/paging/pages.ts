import type { IDataObject } from 'n8n-workflow';

import { Failure } from '../base/failure';
import { reading } from '../base/json';
import type { ApiClient } from '../http/client';
import type { ApiRequest } from '../http/request';
import type { Page } from '../http/service';

/** A list of the service, and the page size to ask for. */
export interface PagedList {
	request: ApiRequest;
	/** The name of the array that holds the records in the response; absent if the service needs none. */
	recordsKey?: string;
	/** The page size to ask for; 0 for the service's own. Absent if the whole list comes in one response. */
	pageSize?: number;
}

/** The part of a client that reading a list needs. */
export type PageClient = Pick<ApiClient, 'send' | 'service'>;

/** The size to request if the service refuses a larger page. If it refuses this too, it chooses the size. */
const SMALLER_PAGE = 100;

/** Status codes by which a service may refuse a page size. */
const SIZE_REFUSALS: ReadonlySet<number | undefined> = new Set([400, 413, 422]);

/** The most records of one response. A service with more in one would fill the memory. */
const MOST_RECORDS = 50_000;

/**
 * Yields the pages of a list, one after another, until the list ends or a page repeats the one before it. If a page is
 * too large, begins again with smaller pages.
 */
export async function* pages(client: PageClient, list: PagedList): AsyncGenerator<Page> {
	const fetcher = new PageFetcher(client, list);
	let before: IDataObject[] = [];
	try {
		for (let number = 1; number === 1 || fetcher.goesOn(number - 1); number++) {
			const page = await fetcher.page(number);
			if (number > 1 && areEqual(page.records, before)) return;
			before = page.records;
			yield page;
		}
	} catch (error) {
		yield* pages(client, { ...list, pageSize: fetcher.smallerAfter(error) });
	}
}

/** Compares record by record, so that one of the first differs and the others need not be read. */
function areEqual(records: IDataObject[], others: IDataObject[]): boolean {
	return (
		records.length === others.length &&
		records.every((record, i) => JSON.stringify(record) === JSON.stringify(others[i]))
	);
}

/** Returns a function that reads the first page of a list. */
export function recordsReader(client: PageClient) {
	return async (request: ApiRequest, recordsKey?: string, pageSize?: number) => {
		for await (const { records } of pages(client, { request, recordsKey, pageSize }))
			return records;
		return [];
	};
}

/** Fetches the pages of one list. */
export class PageFetcher {
	/** Records a page, as the service grants them; 0 before the first page. */
	size = 0;
	/** The number of pages by the total that the first one states; 1 if the list is read by links, or without a total. */
	count = 1;
	/** The pages after which others follow; with the query of the next one if its number is not enough. */
	private readonly followed = new Map<number, IDataObject | undefined>();

	constructor(
		private readonly client: PageClient,
		private readonly list: PagedList,
	) {}

	/**
	 * Fetches a page. One past the end is empty.
	 *
	 * @param number from 1
	 * @throws Failure
	 */
	async page(number: number): Promise<Page> {
		const { request, recordsKey = '', pageSize } = this.list;
		const { service } = this.client;
		const paged =
			pageSize === undefined ? undefined : service.pageQuery(number, pageSize || undefined);
		const query = { ...request.query, ...(this.followed.get(number - 1) ?? paged) };
		const page = await this.client
			.send(
				{ ...request, query },
				reading((body) => service.readPage(body, recordsKey)),
			)
			.catch((error: unknown) => this.pastEnd(Failure.from(error), number));
		const { length } = page.records;
		if (length > MOST_RECORDS) {
			throw new Failure('failed', `${service.name} sent ${length} records in one response`, {
				hint: 'That is more than this node reads at once. Narrow the list by a filter',
			});
		}
		this.note(page, number);
		return page;
	}

	/** Returns an empty page if a failure means that a page does not exist. @throws Failure */
	private pastEnd(failure: Failure, number: number): Page {
		const { emptyListMessage } = this.client.service;
		// A 404 without the service's own message may be a proxy's.
		const isOwn = number > 1 && failure.kind === 'refused';
		const isPastEnd = isOwn || emptyListMessage?.test(failure.message);
		if (failure.status === 404 && isPastEnd) return { records: [], next: null };
		throw failure;
	}

	/** Notes whether more pages follow: the service says so, the page is full, or nothing states the end. */
	private note({ records, total, pages, next }: Page, number: number): void {
		const { pageSize } = this.list;
		const isFirst = number === 1;
		this.size ||= records.length;
		this.followed.delete(number);
		if (pageSize === undefined || records.length === 0) return;
		const hasNext = !!next && Object.keys(next).length > 0;
		const link = hasNext && next.page === undefined ? next : undefined;
		const byTotal = total === undefined ? undefined : Math.ceil(total / this.size);
		const stated = byTotal ?? pages;
		if (isFirst && !link) this.count = byTotal ?? 1;
		// A first page with more records than requested is the whole list. A full last page may have a successor.
		const { acceptsPageSize } = this.client.service;
		const isWhole = isFirst && acceptsPageSize && pageSize > 0 && records.length > pageSize;
		const isOpen = next === undefined && stated === undefined && !isWhole;
		const isFull = next === undefined && !isFirst && records.length >= this.size;
		if (hasNext || (stated ?? 0) > number || isOpen || isFull) this.followed.set(number, link);
	}

	/** Returns whether more pages follow a page that came. */
	goesOn(number: number): boolean {
		return this.followed.has(number);
	}

	/**
	 * Returns the page size to begin again with. Only a refusal of the first page may be about its size.
	 *
	 * @throws Failure if a smaller page cannot help
	 */
	smallerAfter(error: unknown): number {
		const failure = Failure.from(error);
		const { kind, status } = failure;
		const { pageSize = 0 } = this.list;
		const mayHelp = kind === 'tooLarge' || (this.size === 0 && SIZE_REFUSALS.has(status));
		if (!mayHelp || pageSize === 0 || !this.client.service.acceptsPageSize) throw failure;
		return pageSize > SMALLER_PAGE ? SMALLER_PAGE : 0;
	}
}
