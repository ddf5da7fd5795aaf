import type { IDataObject } from 'n8n-workflow';

import { Failure } from '../base/failure';
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
	/** Matches the message of a 404 that means an empty list. */
	emptyMessage?: RegExp;
}

/** Bounds the memory that unread responses take. */
const RECORDS_IN_FLIGHT = 20_000;

/** A page of more records is a fault: nine million empty objects fit into 27 MB, and took 3.5 GB to read. */
const MOST_ON_PAGE = 10_000;

/** The growth of the number of requests at once with each page: twice as many after ten. */
const GROWTH = 1.07;

/** The requests of a reading for pages of one size, several at once. */
export class PageRequests {
	sent = 0;
	private width: number;
	private readonly requested = new Map<number, Promise<Page>>();

	/**
	 * @param pageSize the page size to ask for; 0 for the service's own
	 * @param inFlight the most pages that are requested at once
	 */
	constructor(
		private readonly client: PageClient,
		private readonly list: PagedList,
		private readonly pageSize: number,
		private readonly inFlight: number,
	) {
		this.width = inFlight;
	}

	/**
	 * Returns a page, and requests those that follow it.
	 *
	 * @param size the records on a page
	 * @param last the last page to request ahead
	 * @param link the query of the link to the page, if no number leads to it
	 */
	async page(number: number, size = 1, last = number, link?: IDataObject): Promise<Page> {
		const { requested, inFlight } = this;
		const width = Math.floor(Math.min(this.width, RECORDS_IN_FLIGHT / size));
		const end = Math.max(number, Math.min(last, number + width - 1));
		for (let ahead = number; ahead <= end; ahead++) {
			if (requested.has(ahead)) continue;
			const page = this.fetch(ahead, link);
			// The reading throws it when it comes to this page.
			page.catch(() => undefined);
			requested.set(ahead, page);
		}
		this.width = Math.min(inFlight, this.width * GROWTH);
		const page = requested.get(number) ?? this.fetch(number, link);
		requested.delete(number);
		return await page;
	}

	/** Forgets the pages that were requested ahead, since records have moved between them. */
	goBack(): void {
		this.requested.clear();
		this.width = Math.max(1, this.width / 4);
	}

	/** Requests a page once. Returns one without records if there is none. @throws Failure */
	private async fetch(number: number, link?: IDataObject): Promise<Page> {
		this.sent++;
		const { client, list, pageSize } = this;
		const { request, recordsKey = '' } = list;
		const { service } = client;
		const isWhole = number === 1 && list.pageSize === undefined;
		const byNumber = isWhole ? {} : service.pageQuery(number, pageSize || undefined);
		const query = { ...request.query, ...(link ?? byNumber) };
		const page = await client
			.send({ ...request, query }, (body) => service.readPage(body, recordsKey))
			.catch((error: unknown) => withoutRecords(list, number, Failure.from(error)));
		const { length } = page.records;
		if (length <= MOST_ON_PAGE) return page;
		const message = `${service.name} sent ${length} records on one page of the list`;
		throw new Failure('failed', message, { hint: 'Ask its support why the page is so long' });
	}
}

/** Returns a page without records if that is what a failure means. @throws Failure otherwise */
function withoutRecords({ emptyMessage }: PagedList, number: number, failure: Failure): Page {
	const { kind, status, message } = failure;
	// A 404 without a reason of the service may be a proxy's.
	const isPastEnd = number > 1 && kind === 'refused';
	const isEmptyList = number === 1 && emptyMessage?.test(message) === true;
	if (status === 404 && (isEmptyList || isPastEnd)) return { records: [], next: null };
	if (status === 404 || !isPastEnd) throw failure;
	// Some services list no more than their first 10,000 records.
	throw failure.with({ hint: 'Narrow the list by a filter, or set a lower limit' });
}
