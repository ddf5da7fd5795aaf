import type { IDataObject } from 'n8n-workflow';

import { Failure } from '../base/failure';
import { isBlank } from '../base/text';
import type { ApiRequest } from '../http/request';
import type { Page } from '../http/service';
import { PageRequests } from './pageRequests';
import type { PageClient, PagedList } from './pageRequests';

export type { PageClient, PagedList } from './pageRequests';

/** A page of a list. Only a reader that counts gets one without records. */
export interface NumberedPage {
	/** From 1. */
	number: number;
	records: IDataObject[];
	/** The number of records in the list, if the response states one that this page does not contradict. */
	total?: number;
	/** The records on a full page. */
	size: number;
}

/** How a reader wants the pages of a list. */
interface PageOptions {
	/** The page size to ask for first, in place of the list's. */
	pageSize?: number;
	/** How many pages to request at once; 1 for a reader that must not run ahead. */
	inFlight?: number;
	/** The records that the reader needs: no later page is requested ahead. */
	needed?: number;
	/** True for a reader that compares what came with the totals: a page that should have records, and has none, comes out. */
	isCounting?: boolean;
	/** Returns how many pages behind one may be left out, since the reader has their records; less than 0 to go back. */
	skip?(page: NumberedPage): number;
}

/** The size to request if a larger page is refused or too large. If this one is, too, the service chooses the size. */
const SMALLER_PAGE = 100;

/** How many pages of a list are requested at once. */
// docs/reading.md: up to 32 pages at once
export const PAGES_IN_FLIGHT = 32;

/** The most requests for a list that states no total. Others take twice their pages, and a few more. */
const MOST_UNCOUNTED = 5000;
const MOST_MORE = 100;

/**
 * Yields the pages of a list: the one way to fetch them. Its end is the end of the list. If records were removed meanwhile, it
 * goes back by as many, so that some pages come again, and a record that moved is not missed. docs/reading.md has the rules.
 *
 * @throws Failure if a page fails, or if it has no records although the list counts some for it
 */
export async function* pages(
	client: PageClient,
	list: PagedList,
	options: PageOptions = {},
): AsyncGenerator<NumberedPage> {
	const sizes = pageSizes(client, options.pageSize ?? list.pageSize);
	for (const [i, pageSize] of sizes.entries()) {
		let hasCome = false;
		try {
			for await (const page of pagesOfSize(pageSize, client, list, options)) {
				hasCome = true;
				yield page;
			}
			return;
		} catch (error) {
			const failure = Failure.from(error);
			const { kind, status } = failure;
			const isRefused = kind === 'refused' && status !== 404 && status !== 403 && !hasCome;
			const isAboutSize = isRefused || kind === 'tooLarge';
			if (i === sizes.length - 1 || !isAboutSize) throw failure;
		}
	}
}

/** Returns the page sizes to ask for, one after another; 0 is the service's own. */
function pageSizes({ service }: PageClient, first = 0): number[] {
	if (!service.acceptsPageSize || first === 0) return [first];
	return first > SMALLER_PAGE ? [first, SMALLER_PAGE, 0] : [first, 0];
}

/** @param pageSize the page size to ask for; 0 for the service's own */
async function* pagesOfSize(
	pageSize: number,
	client: PageClient,
	list: PagedList,
	{ inFlight = PAGES_IN_FLIGHT, needed = Infinity, isCounting, skip }: PageOptions,
): AsyncGenerator<NumberedPage> {
	const requests = new PageRequests(client, list, pageSize, inFlight);
	let number = 1;
	let page = await requests.page(number);
	// If more is counted than the first page has, its length is the page size.
	const size = Math.max(1, page.records.length);
	const mostRequests =
		page.total === undefined ? MOST_UNCOUNTED : 2 * (page.total / size) + MOST_MORE;
	const count = new Count(size);
	/** The page before this one, unless the reading has gone back, and how many pages in a row were the one before them. */
	let before: Page | undefined;
	let repeats = 0;
	/** The query of the link to this page, if no number leads to it. */
	let link: IDataObject | undefined;
	for (;;) {
		const { records, next } = page;
		const start = (number - 1) * size;
		const end = start + records.length;
		const { total, fallen } = count.take(page, start);
		if (fallen > 0 && !link) {
			// Begins at the first record that may have moved.
			requests.goBack();
			number = Math.floor((start - fallen) / size) + 1;
			before = undefined;
		} else {
			repeats = isAgain(list, page, before) ? repeats + 1 : 0;
			// Without a total, a page may come again because exactly one page was added.
			const isPast = records.length === 0 || repeats > (page.total === undefined ? 1 : 0);
			if (isPast && count.total <= start) return;
			if (isPast && !isCounting) throw missing(client, number, count.total);
			const shown = isPast ? { records: [], total: count.total } : { records, total };
			const numbered = { number, size, ...shown };
			yield numbered;
			const left = skip?.(numbered) ?? 0;
			const isCounted = (total ?? 0) > end || (page.pages ?? 0) > number;
			// Behind a link without a page number, there are no numbered pages.
			const isNumbered = list.pageSize !== undefined && !link;
			const isOpen = (total ?? next) === undefined || isFull(page, pageSize, before && size);
			const isEnd = isPast || !(next || isCounted || (isNumbered && isOpen));
			if (isEnd && left >= 0) return;
			link = next && next.page === undefined ? next : undefined;
			before = left === 0 ? page : undefined;
			number += 1 + left;
		}
		// promise: endless-list
		if (requests.sent >= mostRequests) throw changesTooFast(client);
		// A last page that is full is followed by an empty one. Without a total, nobody sees whether records have moved.
		const last = total === undefined || link ? number : Math.floor(total / size) + 1;
		page = await requests.page(number, size, Math.min(last, Math.ceil(needed / size)), link);
	}
}

/** The totals that the responses of a reading state. */
class Count {
	/** The last total that a response stated; 0 if none did. */
	total = 0;
	/** The start of the last page without records for which the pages before it count some. */
	private missed?: number;

	/** @param size the records on a page */
	constructor(private readonly size: number) {}

	/**
	 * Takes a page.
	 *
	 * @param start the number of records before the page
	 * @returns its total, if it states one that it does not contradict, and how many of the records before it have moved since
	 * the page before it
	 */
	take({ records, total: stated }: Page, start: number): { total?: number; fallen: number } {
		const end = start + records.length;
		// One that is less than what came is wrong.
		const total = records.length > 0 && (stated ?? 0) < end ? undefined : stated;
		// A 404 may mean that the list ends before this page now. Then, the page before it states a lower total. A page whose total
		// ends before it may be the last one again, from when the list was shorter.
		const isBeyond = records.length === 0 || (stated ?? end) <= start;
		const isMissed = isBeyond && total === undefined && this.missed !== start;
		const most = stated ?? Math.max(start, this.total - this.size);
		const known = total ?? (isMissed ? most : Infinity);
		const fallen = Math.min(start, this.total - known);
		if (isMissed && fallen > 0) this.missed = start;
		this.total = total ?? this.total;
		return { total, fallen };
	}
}

/** Returns whether a page has the records of the one before it. */
function isAgain(list: PagedList, { records, total }: Page, before?: Page): boolean {
	if (!before || before.total !== total) return false;
	const known = new Set(before.records.map((record) => keyOf(list, record)));
	return records.every((record) => known.has(keyOf(list, record)));
}

/** Returns whether a page is as long as a page may be. Another one may follow then, whatever is counted. */
function isFull({ records, size = Infinity }: Page, pageSize: number, known = Infinity): boolean {
	return records.length >= Math.min(size, pageSize || Infinity, known);
}

/** Returns the failure of a list that changes so fast that no reading of it is whole. */
export function changesTooFast({ service }: PageClient, came = ''): Failure {
	const message = `${service.name} changes the list faster than it can be read${came}`;
	const hint = 'Narrow the list by a filter, or run this at a quieter time';
	return new Failure('failed', message, { hint });
}

function missing({ service }: PageClient, number: number, total = 0): Failure {
	const message = `${service.name} counts ${total} records, but page ${number} of the list has none of them`;
	const hint =
		'Run this again later. If it is the same then, narrow the list by a filter, or set a lower limit';
	return new Failure('failed', message, { hint });
}

/** Returns a text that identifies a record in a list. */
export function keyOf({ identity = ({ id }) => id }: PagedList, record: IDataObject): string {
	const key = [identity(record), record].find((value) => !isBlank(value));
	return typeof key === 'object' ? JSON.stringify(key) : String(key);
}

/** Returns a function that reads the first page of a list. */
export function recordsReader(client: PageClient) {
	return async (request: ApiRequest, recordsKey?: string, pageSize?: number) => {
		const list = { request, recordsKey, pageSize };
		for await (const { records } of pages(client, list, { inFlight: 1 })) return records;
		return [];
	};
}
