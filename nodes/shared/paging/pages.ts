import type { IDataObject } from 'n8n-workflow';

import { Failure } from '../base/failure';
import type { ApiRequest } from '../http/request';
import type { Page } from '../http/service';
import { changesTooFast, keyOf, PageRequests } from './pageRequests';
import type { PageClient, PagedList } from './pageRequests';

export { keyOf } from './pageRequests';
export type { PageClient, PagedList } from './pageRequests';

/** A page of a list. Only a reader that counts gets one without records. */
export interface ListPage {
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
	/** The page to begin at, in pages of `pageSize` records; 1 by default. */
	from?: number;
	/** The page size to ask for first, in place of the list's. */
	pageSize?: number;
	/** How many pages to request at once; 1 for a reader that must not run ahead. */
	inFlight?: number;
	/** The records that the reader needs: no later page is requested ahead. */
	needed?: number;
	/** True for a reader that compares what came with the totals: a page that should have records, and has none, comes out. */
	isCounting?: boolean;
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
): AsyncGenerator<ListPage> {
	const sizes = pageSizes(client, options.pageSize ?? list.pageSize);
	for (const [i, pageSize] of sizes.entries()) {
		let hasCome = false;
		try {
			// Pages of another size have other numbers.
			const from = i === 0 ? options.from : 1;
			const reading = new Reading(client, list, pageSize, { ...options, from });
			for await (const page of reading.pages()) {
				hasCome = true;
				yield page;
			}
			return;
		} catch (error) {
			const failure = Failure.from(error);
			const { kind, status } = failure;
			const isRefused = kind === 'refused' && status !== 404 && !hasCome;
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

/** One reading of a list, in pages of one size. */
class Reading {
	private readonly requests: PageRequests;
	private number: number;
	private size = 0;
	/** The last total that a response stated. */
	private total?: number;
	/** The page before this one, unless the reading has gone back. */
	private before?: Page;
	/** How many pages in a row were the one before them again. */
	private repeats = 0;
	/** The query of the link to this page, if no number leads to it. */
	private link?: IDataObject;

	/** @param pageSize the page size to ask for; 0 for the service's own */
	constructor(
		private readonly client: PageClient,
		private readonly list: PagedList,
		private readonly pageSize: number,
		private readonly options: PageOptions,
	) {
		const { from = 1, inFlight = PAGES_IN_FLIGHT } = options;
		this.requests = new PageRequests(client, list, pageSize, inFlight);
		this.number = from;
	}

	async *pages(): AsyncGenerator<ListPage> {
		const { client, requests } = this;
		let page = await requests.page(this.number);
		const most = this.begin(page);
		for (;;) {
			const total = this.statedTotal(page);
			const fallen = this.fallenBy(total);
			if (fallen === 0 && this.isPast(page)) return yield* this.end();
			const { number, size } = this;
			if (page.records.length > 0) yield { number, records: page.records, total, size };
			if (fallen > 0) this.goBack(fallen);
			else if (!this.goOn(page, total)) return;
			// promise: endless-list
			if (requests.sent >= most) throw changesTooFast(client);
			page = await requests.page(this.number, size, this.lastAhead(total), this.link);
		}
	}

	/** Returns the most requests of this reading. */
	private begin({ records, total }: Page): number {
		const { from = 1 } = this.options;
		// If more is counted than the first page has, its length is the page size.
		this.size = Math.max(1, records.length, from > 1 ? this.pageSize : 0);
		return total === undefined ? MOST_UNCOUNTED : 2 * (total / this.size) + MOST_MORE;
	}

	/** The number of records before this page. */
	private get start(): number {
		return (this.number - 1) * this.size;
	}

	/** Returns the total that a page states. One that is less than what came is wrong. */
	private statedTotal({ records: { length }, total }: Page): number | undefined {
		const isWrong = length > 0 && (total ?? 0) < this.start + length;
		return isWrong ? undefined : total;
	}

	/** Returns by how much the total fell, so that records may have moved to pages that came before. */
	private fallenBy(total: number | undefined): number {
		const before = this.total;
		if (total !== undefined) this.total = total;
		const fallen = Math.max(0, (before ?? 0) - (total ?? Infinity));
		return this.link ? 0 : Math.min(this.start, fallen);
	}

	/** Returns whether a page is past the end: it has no records, or is the one before it again. */
	private isPast(page: Page): boolean {
		this.repeats = this.isAgain(page) ? this.repeats + 1 : 0;
		// Without a total, a page may come again because exactly one page was added.
		return page.records.length === 0 || this.repeats > (page.total === undefined ? 1 : 0);
	}

	private isAgain({ records, total }: Page): boolean {
		const { before, list } = this;
		if (!before || before.total !== total) return false;
		const known = new Set(before.records.map((record) => keyOf(list, record)));
		return records.every((record) => known.has(keyOf(list, record)));
	}

	/** Ends the reading. @throws Failure if the list counts records for this page */
	private *end(): Generator<ListPage> {
		const { number, size, total = 0, start, client, options } = this;
		if (total <= start) return;
		if (!options.isCounting) throw missing(client, number, total);
		yield { number, records: [], total, size };
	}

	/** Goes back to the page that holds the first record that may have moved. */
	private goBack(fallen: number): void {
		const { requests, number, start, size } = this;
		requests.goBack(number);
		this.number = Math.floor((start - fallen) / size) + 1;
		this.before = undefined;
	}

	/** Goes on to the next page. Returns false if there is none. */
	private goOn(page: Page, total: number | undefined): boolean {
		const { records, next } = page;
		const isMore = !!next || (total ?? 0) > this.start + records.length;
		// Behind a link without a page number, there are no numbered pages.
		const isNumbered = this.list.pageSize !== undefined && !this.link;
		const isUncounted = total === undefined && next !== null;
		if (!isMore && !(isNumbered && (isUncounted || this.isFull(page)))) return false;
		this.link = next && next.page === undefined ? next : undefined;
		this.before = page;
		this.number++;
		return true;
	}

	/** Returns whether a page is as long as a page may be. Another one may follow then, whatever is counted. */
	private isFull({ records, size = Infinity }: Page): boolean {
		const asked = this.pageSize || Infinity;
		return records.length >= Math.min(size, asked, this.before ? this.size : Infinity);
	}

	/** Returns the last page to request ahead. Without a total, nobody sees whether records have moved between two responses. */
	private lastAhead(total: number | undefined): number {
		const { number, size, link, options } = this;
		if (total === undefined || link) return number;
		// A last page that is full is followed by an empty one.
		const last = Math.floor(total / size) + 1;
		return Math.min(last, Math.ceil((options.needed ?? Infinity) / size));
	}
}

function missing({ service }: PageClient, number: number, total: number): Failure {
	const message = `${service.name} counts ${total} records, but page ${number} of the list has none of them`;
	const hint =
		'Run this again later. If it is the same then, narrow the list by a filter, or set a lower limit';
	return new Failure('failed', message, { hint });
}

/** Returns a function that reads the first page of a list. */
export function recordsReader(client: PageClient) {
	return async (request: ApiRequest, recordsKey?: string, pageSize?: number) => {
		const list = { request, recordsKey, pageSize };
		for await (const { records } of pages(client, list, { inFlight: 1 })) return records;
		return [];
	};
}
