import { sleep } from 'n8n-workflow';
import type { IDataObject } from 'n8n-workflow';

import { Failure } from '../base/failure';
import { reading } from '../base/json';
import type { ApiClient } from '../http/client';
import type { ApiRequest } from '../http/request';
import { backoff, MAX_ATTEMPTS } from '../http/retry';
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
const MOST_PAGE_RECORDS = 50_000;

/** A list may grow as fast as it is read. So many pages are fetched, and each stated one so often in all readings. */
const MOST_FETCHED = 5000;
const MOST_FETCHED_TIMES = 20;

/** Compares record by record, so that one of the first differs and the others need not be read. */
function areEqual(records: IDataObject[], others: IDataObject[]): boolean {
	return (
		records.length === others.length &&
		records.every((record, i) => JSON.stringify(record) === JSON.stringify(others[i]))
	);
}

/** Returns the failure of a list that changes so fast that no reading of it is whole. */
export function changesTooFast(service: string, came = ''): Failure {
	return new Failure('failed', `${service} changes the list faster than it can be read${came}`, {
		hint: 'Narrow the list by a filter, or run this at a quieter time',
	});
}

/**
 * Fetches the pages of one list, and decides how it ends. A total, a number of pages or a next link that the service
 * states alone ends a list; if it states nothing, an empty page does. A page that is missing although the list says
 * otherwise is asked for again.
 */
export class PageFetcher {
	/** Records a page, as the service grants them; 0 before the first page. */
	size: number;
	/** The total that the last response stated. */
	total?: number;
	/** The number of pages by the total of the last response; 1 if the list is read by links, or without a total. */
	count = 1;
	/** The page on which earlier records came again, if the list states no total: its end is then unknown. */
	circularAt?: number;
	/** The pages after which others follow; with the query of the next one if its number is not enough. */
	private readonly followed = new Map<number, IDataObject | undefined>();
	/** The queries of next links, and the page to which each leads. */
	private readonly links = new Map<string, number>();
	/** The number of pages that the last response stated. */
	private stated?: number;
	private fetched = 0;
	/** The most pages to fetch, by the first total. */
	private most?: number;
	private last?: Page & { number: number };
	/** The number of pages in a row that are equal to the last one, while the total stays the same. */
	private repeats = 0;

	/** @param startSize the records a page that are expected if another page than the first comes first */
	constructor(
		private readonly client: PageClient,
		private list: PagedList,
		startSize = 0,
	) {
		this.size = startSize;
	}

	/**
	 * Fetches a page. One past the end is empty.
	 *
	 * @param number from 1
	 * @throws Failure
	 */
	async page(number: number): Promise<Page> {
		if (++this.fetched > (this.most ?? Infinity)) throw changesTooFast(this.serviceName);
		for (let attempt = 1; ; attempt++) {
			const page = await this.attempt(number);
			const isMissing = page instanceof Failure || page.records.length === 0;
			if (!isMissing || (await this.isPastEnd(number, page))) {
				const past = { records: [], next: null, total: this.total };
				return this.note(page instanceof Failure ? past : page, number);
			}
			if (attempt === MAX_ATTEMPTS) throw this.missing(number, page);
			await sleep(backoff(attempt));
		}
	}

	get serviceName(): string {
		return this.client.service.name;
	}

	/** Returns whether the list states by now that it has so many pages. */
	isStated(number: number): boolean {
		return number <= (this.stated ?? Infinity);
	}

	/** Returns whether another page follows a page that came. */
	goesOn(number: number): boolean {
		return this.followed.has(number);
	}

	/**
	 * Asks for smaller pages from now on. Only a refusal of the first page may be about its size.
	 *
	 * @throws Failure if a smaller page cannot help
	 */
	shrink(error: unknown): void {
		const failure = Failure.from(error);
		const { kind, status } = failure;
		const { pageSize = 0 } = this.list;
		const mayHelp = kind === 'tooLarge' || (!this.last && SIZE_REFUSALS.has(status));
		if (!mayHelp || pageSize === 0 || !this.client.service.acceptsPageSize) throw failure;
		this.size = pageSize > SMALLER_PAGE ? SMALLER_PAGE : 0;
		this.list = { ...this.list, pageSize: this.size };
		this.last = undefined;
		this.stated = undefined;
		this.followed.clear();
	}

	/** Requests a page once. Returns the failure if the page does not exist. @throws Failure */
	private async attempt(number: number): Promise<Page | Failure> {
		const { request, recordsKey = '', pageSize } = this.list;
		const { service } = this.client;
		const paged =
			pageSize === undefined ? undefined : service.pageQuery(number, pageSize || undefined);
		const query = { ...request.query, ...(this.followed.get(number - 1) ?? paged) };
		try {
			const schema = reading((body) => service.readPage(body, recordsKey));
			const page = await this.client.send({ ...request, query }, schema);
			const { length } = page.records;
			if (length <= MOST_PAGE_RECORDS) return page;
			throw new Failure('failed', `${service.name} sent ${length} records in one response`, {
				hint: 'That is more than this node reads at once. Narrow the list by a filter',
			});
		} catch (error) {
			const failure = Failure.from(error);
			const isEmptyList = service.emptyListMessage?.test(failure.message) === true;
			if (failure.status === 404 && isEmptyList && number === 1) return { records: [], next: null };
			if (failure.status === 404 && number > 1) return failure;
			throw failure;
		}
	}

	/** Returns whether a page that is missing is one past the end, by what the list states. */
	private async isPastEnd(number: number, page: Page | Failure): Promise<boolean> {
		if (!(page instanceof Failure)) return number > (this.pagesBy(page) ?? this.stated ?? 0);
		// The list may be shorter by now.
		if (this.last === undefined || number <= (this.stated ?? 0)) await this.restate();
		const isLinked = this.followed.get(number - 1) !== undefined;
		const isPast = number > (this.stated ?? 0) && !isLinked;
		// A 404 without the service's own message may be a proxy's.
		if (isPast && page.kind !== 'refused') throw page;
		return isPast;
	}

	/** Learns what the list states now. */
	private async restate(): Promise<void> {
		const first = await this.attempt(1);
		if (!(first instanceof Failure)) this.note(first, 1);
	}

	/** Returns the number of pages that a response states. */
	private pagesBy({ total, pages, size }: Page): number | undefined {
		const perPage = this.size || size || this.list.pageSize || 1;
		return total === undefined ? pages : Math.ceil(total / perPage);
	}

	/** Returns how many records a page has, by the first one that came: fewer than requested, if others follow it. */
	private sizeBy({ records: { length }, total, size }: Page, number: number): number {
		const isFirst = number === 1;
		if (size && !isFirst) return size;
		// The last page does not show how long a page may be.
		const isLast = (number - 1) * this.size + length >= (total ?? (isFirst ? Infinity : 0));
		return this.size > 0 && (isLast || length === 0) ? this.size : length;
	}

	private missing(number: number, page: Page | Failure): Failure {
		const { name } = this.client.service;
		const total = page instanceof Failure ? this.total : page.total;
		const stated = total === undefined ? 'more pages' : `${total} records`;
		const hint = 'Run this again later. If it is the same then, narrow the list by a filter';
		const start = `${name} counts ${stated}, but page ${number} of the list`;
		if (!(page instanceof Failure)) return new Failure('failed', `${start} is empty`, { hint });
		return page.with({ kind: 'failed', message: `${start} is missing: ${page.message}`, hint });
	}

	/** Notes whether more pages follow: the service says so, the page is full, or nothing states the end. */
	private note(page: Page, number: number): Page {
		const { records, pages, next, size } = page;
		const { pageSize } = this.list;
		const isFirst = number === 1;
		const { length } = records;
		if (this.last === undefined) this.size = this.sizeBy(page, number);
		else if (isFirst) this.size = Math.max(this.size, length);
		// A total that is smaller than the number of records so far is out of date, or counts the page alone.
		const least = length && (number - 1) * this.size + length;
		const counted = (page.total ?? 0) >= least ? page.total : undefined;
		const isRepeat = this.repeatsLast(page, number, counted);
		// The last page came again, in place of one past the end.
		const total = isRepeat ? this.last?.total : counted;
		const noted = { ...page, total, number };
		this.noteRepeats(noted, isRepeat);
		this.total = total;
		this.followed.delete(number);
		if (total === 0) this.stated = 0;
		if (pageSize === undefined || length === 0) return noted;
		const hasNext = !!next && Object.keys(next).length > 0;
		const link = hasNext && next.page === undefined ? next : undefined;
		const byTotal = this.pagesBy({ records, total });
		const stated = (this.stated = byTotal ?? pages);
		if (byTotal !== undefined) this.most ??= MOST_FETCHED + MOST_FETCHED_TIMES * byTotal;
		if (!link) this.count = byTotal ?? 1;
		// A first page with more records than requested is the whole list.
		const granted = size || pageSize;
		const { acceptsPageSize } = this.client.service;
		const isWhole = isFirst && acceptsPageSize && pageSize > 0 && records.length > granted;
		const isOpen = next === undefined && stated === undefined && !isWhole;
		// A full last page may have a successor: totals may be out of date.
		const isFull = isFirst ? records.length === granted : records.length >= this.size;
		const mayGoOn = next === undefined && stated !== undefined && isFull && this.repeats === 0;
		const isCircle = this.circularAt !== undefined || (link && this.leadsBack(link, number));
		if (((hasNext || isOpen) && !isCircle) || (stated ?? 0) > number || mayGoOn) {
			this.followed.set(number, link);
		}
		return noted;
	}

	/** Returns whether a page equals the one before it, while the total stays the same. */
	private repeatsLast({ records, total }: Page, number: number, counted?: number): boolean {
		const { last } = this;
		if (last === undefined || last.number >= number || records.length === 0) return false;
		const isSameTotal = last.total === counted || last.total === total;
		return isSameTotal && areEqual(records, last.records);
	}

	/**
	 * Notes whether a page equals the one before it. One such page is no proof: exactly one page may have been added.
	 *
	 * @throws Failure if the total says that the pages differ
	 */
	private noteRepeats(page: Page & { number: number }, isRepeat: boolean): void {
		// Pages that are read at once come in any order.
		if (page.number === 1 || page.number >= (this.last?.number ?? 0)) this.last = page;
		this.repeats = isRepeat ? this.repeats + 1 : 0;
		const { records, total, number } = page;
		// promise: endless-list
		if (this.repeats < 2) return;
		if (total === undefined) this.circularAt ??= number;
		if (number > (this.stated ?? 0)) return;
		const came = `${records.length} of ${total ?? 'more'} records`;
		const message = `${this.serviceName} gives the same page of the list again and again: ${came}`;
		throw new Failure('repeating', message, { hint: 'Narrow the list by a filter' });
	}

	/** Returns whether a next link leads to a page that came before. */
	private leadsBack(link: IDataObject, number: number): boolean {
		const query = JSON.stringify(link);
		const target = this.links.get(query) ?? number + 1;
		this.links.set(query, target);
		if (target === number + 1) return false;
		this.circularAt = number + 1;
		return true;
	}
}
