import { sleep } from 'n8n-workflow';
import type { IDataObject } from 'n8n-workflow';

import { Failure } from '../base/failure';
import type { ApiRequest } from '../http/request';
import { backoff, MAX_ATTEMPTS } from '../http/retry';
import type { Page } from '../http/service';
import { fetchPage, smallerPage } from './fetchPage';
import type { PageClient, PagedList } from './fetchPage';

/** A page of a walk. */
export interface WalkedPage {
	records: IDataObject[];
	keys: string[];
	/** The index in the list of its first record. */
	from: number;
	/** How many records at its start have come, by the position; all of a page that is the one before it again. */
	again: number;
	total?: number;
}

interface WalkOptions {
	/** The number of records at the start of the list that are known. */
	position?: number;
	/** The records that the list had when `position` was right. */
	total?: number;
	most?: number;
	/** How many pages to request at once: none that is so many after the oldest one that has not come. */
	inFlight?: number;
}

/** A page that was requested, and the total that was known then. */
type Requested = Promise<{ page: Page | Failure; known: number }>;

/** Bounds the memory that unread responses take. */
const RECORDS_IN_FLIGHT = 16_000;

/** The most pages of a list, and of one that states no total. Another one may grow to twice its pages, and a few more. */
const MOST_PAGES = 50_000;
const MOST_UNSTATED = 5000;
const MOST_GROWN = 100;

/** How many pages in a row may bring a walk no further, beside those that removals take it back. */
const MOST_IDLE = 20;

/** Returns the failure of a list that changes so fast that no reading of it is whole. */
export function changesTooFast(service: string, came = ''): Failure {
	return new Failure('failed', `${service} changes the list faster than it can be read${came}`, {
		hint: 'Narrow the list by a filter, or run this at a quieter time',
	});
}

/**
 * Reads a list page after page, several at once. Everything before `position` has come. Where a response states fewer records
 * than the one before it, records have moved to earlier pages, and the position goes back by as many. So no record that is
 * there all the time is missed, unless one is removed and another added between the same two responses.
 *
 * docs/reading.md has the rule by which a list ends.
 */
export class Walk {
	position: number;
	/** The number of records that the last response stated. */
	total?: number;
	/** The number of records that were certainly removed meanwhile, and by how much totals rose and fell. */
	removed = 0;
	changes = 0;
	/** The page size to ask for; 0 for the service's own. */
	pageSize: number;

	/** The largest page size that the service took; -1 as long as no page came. */
	private accepted = -1;
	private isEnded = false;
	/** Records on a page: `limit` if it is stated and no page had more, or else those of the longest page. */
	private size: number;
	private longest: number;
	private limit?: number;
	private isMisstated = false;
	/** The number of records that have come, with those that came again. */
	private came: number;
	/** The number of pages that the last response states, and the most that are read. */
	private stated = 1;
	private mostPages?: number;
	private furthest = 0;
	private end = 0;
	private idle = 0;
	/** The page that came last, and whether it was shorter than a page may be. */
	private last?: { number: number; first: string; content: string; isShort: boolean };
	/** The first keys of the pages that came, and how many pages in a row began with one of them. */
	private readonly starts = new Set<string>();
	private repeats = 0;
	private readonly requested = new Map<number, Requested>();
	/** The pages to which a link leads; with the query of the link if a number is not enough. */
	private readonly links = new Map<number, IDataObject | undefined>();

	constructor(
		private readonly client: PageClient,
		private readonly list: PagedList,
		private readonly options: WalkOptions = {},
	) {
		this.position = this.came = options.position ?? 0;
		this.pageSize = list.pageSize ?? 0;
		this.size = this.longest = this.position > 0 ? this.pageSize : 0;
	}

	/** Reads the next page; undefined after the end of the list. Some pages come again. @throws Failure */
	async next(): Promise<WalkedPage | undefined> {
		while (!this.isEnded) {
			const number = this.size === 0 ? 1 : Math.floor(this.position / this.size) + 1;
			if (number > (this.mostPages ?? Infinity)) throw changesTooFast(this.client.service.name);
			try {
				const page = await this.page(number);
				if (page) return page;
			} catch (error) {
				this.shrink(Failure.from(error));
			}
		}
		return undefined;
	}

	/** Goes on from another position, in pages of another size. */
	goTo(position: number, pageSize: number): void {
		Object.assign(this, { position, pageSize, isEnded: false });
		this.size = this.longest = pageSize;
		this.last = this.mostPages = undefined;
		this.furthest = 0;
		this.starts.clear();
	}

	/** Takes a page; undefined if it is past the end. */
	private async page(number: number): Promise<WalkedPage | undefined> {
		const { page, known } = await this.existing(number);
		const { records, total } = page;
		const keys = records.map((record) => keyOf(this.list, record));
		const content = contentOf(keys);
		const isAgain = this.last?.number === number - 1 && this.last.content === content;
		const isPast = records.length === 0 || (isAgain && this.isPastEnd(page, number));
		if (!isPast) this.accepted = Math.max(this.accepted, this.pageSize);
		// An empty page is past the end only of pages of its size.
		const isSized = page.size !== undefined && (total ?? page.pages) === undefined;
		if (!isPast || isSized) this.noteSize(page, number);
		const from = (number - 1) * this.size;
		const end = from + records.length;
		// A total that is less than what came is wrong.
		const counted = isPast || (total ?? 0) >= end ? total : undefined;
		this.noteTotal(counted, known);
		if (from > this.position) {
			// Records have moved to pages that came before.
			this.noteIdle();
			return { records, keys, from, total, again: Infinity };
		}
		if (isPast) {
			this.position = Math.min(this.position, this.last ? this.end : from);
			this.isEnded = true;
			return undefined;
		}
		const again = isAgain ? Infinity : this.position - from;
		this.came += records.length;
		const stating = { ...page, total: counted };
		const [first = ''] = keys;
		// A service that ignores the page sends what it sent before, although the list has changed.
		const isRepeat = this.starts.has(first) || keys.includes(this.last?.first ?? '');
		this.last = { number, first, content, isShort: this.isShort(stating, number) };
		this.isEnded = !this.goesOn(stating, number, end);
		if (!isAgain) this.end = end;
		this.position = Math.max(this.position, this.isEnded ? this.end : number * this.size);
		if (this.position > this.furthest) this.noteProgress(first, isRepeat, keys.length);
		else this.noteIdle();
		return { records, keys, from, total, again };
	}

	/** Returns a page, or one without records if it is past the end. @throws Failure if it is missing */
	private async existing(number: number): Promise<{ page: Page; known: number }> {
		for (let attempt = 1; ; attempt++) {
			const { page, known } = await this.response(number);
			if (!(page instanceof Failure) && page.records.length > 0) return { page, known };
			const stating = await this.stating(page, number);
			const past = { page: { ...stating, records: [] }, known };
			if (!this.claims(stating, number)) return past;
			if (attempt < MAX_ATTEMPTS) await sleep(backoff(attempt));
			// A deleted record may be counted, and a page for it.
			else if (!this.claims(stating, number, 1)) return past;
			else throw this.missing(stating, number, page);
		}
	}

	/** Returns what the list states now that a page did not come. */
	private async stating(page: Page | Failure, number: number): Promise<Page> {
		const { total, stated, list } = this;
		if (!(page instanceof Failure) && (page.total ?? page.pages) !== undefined) return page;
		const size = page instanceof Failure ? undefined : page.size;
		const known = { records: [], total, pages: stated > 1 ? stated : undefined, size };
		const isDenied = this.last !== undefined && !this.claims(known, number);
		// Another refusal than a 404 may be about anything.
		const isSure = isDenied && (total ?? known.pages) !== undefined && stated < number;
		if (page instanceof Failure && page.status !== 404 && !isSure) throw page;
		// A 404 without the service's own message may be a proxy's: then the first page does not come either.
		const mayBeOfProxy = page instanceof Failure && page.kind !== 'refused' && !isSure;
		if (number === 1 || (isDenied && !mayBeOfProxy)) return known;
		// The list may be shorter by now.
		const first = await fetchPage(this.client, list, 1, this.pageSize);
		if (first instanceof Failure) return known;
		this.noteSize(first, 1);
		return { ...first, records: [], next: undefined };
	}

	/** Returns whether the list states that it has a page. @param slack by how much counts may be too high */
	private claims({ total, pages, next }: Page, number: number, slack = 0): boolean {
		const before = (number - 1) * this.size;
		const isAfterShort = this.last?.isShort && this.last.number === number - 1;
		if (total !== undefined && total <= before + slack) return false;
		// After a short page, nothing follows, whatever is counted.
		if (total !== undefined && !isAfterShort) return true;
		if (this.links.has(number) && next !== null) return true;
		return total === undefined && (pages ?? 0) >= number + slack;
	}

	/**
	 * Returns whether a page that is the one before it again came in place of one past the end. Without any count, one such page
	 * is no proof: exactly one page may have been added.
	 */
	private isPastEnd(page: Page, number: number): boolean {
		const isStated = (page.total ?? page.pages) !== undefined;
		return (isStated || this.repeats > 0) && !this.claims(page, number);
	}

	private noteSize({ records: { length }, size, total }: Page, number: number): void {
		// Some services repeat the limit that was asked for. A deleted record may be counted.
		const isLess = number === 1 && length < Math.min(size ?? 0, (total ?? 0) - 1);
		this.isMisstated ||= isLess || length > (size ?? Infinity);
		this.limit = this.isMisstated ? undefined : size;
		// The last page does not show how long a page may be; one before a known position should be full.
		const isEnd =
			total === undefined
				? number * this.size > (this.options.total ?? 0)
				: total <= (number - 1) * this.size + length + 1;
		const isLast = number > 1 && isEnd;
		this.longest = this.last || isLast ? Math.max(this.longest, length) : length;
		this.size = this.limit ?? this.longest;
	}

	private noteTotal(total: number | undefined, known: number): void {
		if (total === undefined) return;
		const before = this.total ?? this.options.total ?? total;
		const fallen = Math.max(0, before - total);
		this.changes += Math.abs(before - total);
		this.position = Math.max(0, this.position - fallen);
		// Responses of requests that were under way together come in any order.
		if (total < known) this.removed += fallen;
		this.total = total;
	}

	/**
	 * Returns whether a page has fewer records than a page may have, by the pages before it. Of the first one, the stated limit and
	 * the page size say that, but not where a response states neither a count nor a link.
	 */
	private isShort({ records: { length }, total, next }: Page, number: number): boolean {
		const { list, longest, limit, pageSize } = this;
		if (number > 1) return length < Math.min(longest, limit ?? longest);
		if (total === undefined && next === undefined) return false;
		return length < (limit ?? (list.pageSize && pageSize) ?? 0);
	}

	/** Returns whether another page may follow. */
	private goesOn({ total = 0, pages = 0, next }: Page, number: number, end: number): boolean {
		if (next) this.links.set(number + 1, next.page === undefined ? next : undefined);
		this.stated = Math.max(pages, Math.ceil(total / this.size), next ? number + 1 : 0);
		const grown = this.total === undefined ? MOST_UNSTATED : this.stated + MOST_GROWN;
		this.mostPages ??= Math.min(this.stated + grown, MOST_PAGES);
		if (next || pages > number || total > Math.min(end, this.came)) return true;
		// Behind a link without a page number, there are no numbered pages.
		const isNumbered = this.list.pageSize !== undefined && !this.links.get(number);
		return isNumbered && this.last?.isShort === false;
	}

	/** @throws Failure if more pages come again than a removal explains */
	private noteIdle(): void {
		const pages = this.furthest / this.size;
		if (++this.idle > MOST_IDLE + pages) throw changesTooFast(this.client.service.name);
	}

	/** @throws Failure if pages come again and again */
	private noteProgress(first: string, isRepeat: boolean, length: number): void {
		const { starts, client, total } = this;
		this.idle = 0;
		this.furthest = this.position;
		this.repeats = isRepeat ? this.repeats + 1 : 0;
		starts.add(first);
		// New records push all pages that came to later ones, but no more than those.
		// promise: endless-list
		if (this.repeats <= starts.size + 1) return;
		const came = `${length} of ${total ?? 'more'} records`;
		const message = `${client.service.name} gives the same pages of the list again and again: ${came}`;
		throw new Failure('failed', message, { hint: 'Narrow the list by a filter' });
	}

	/** Returns the response to a request for a page, and requests those that follow. */
	private async response(number: number): ReturnType<Walk['request']> {
		const { requested, size, stated } = this;
		const { inFlight = 1, most = Infinity } = this.options;
		// Without a total, nobody sees that records have moved between two responses.
		const isAlone = this.position < this.furthest || this.total === undefined;
		const ahead = isAlone ? 1 : Math.min(inFlight, Math.ceil(RECORDS_IN_FLIGHT / size));
		const last = Math.min(stated, Math.ceil(most / size), number + ahead - 1);
		// A page behind a link cannot be requested before the link is known.
		for (let next = number; next <= last && !this.links.get(number); next++) {
			if (!requested.has(next)) requested.set(next, this.request(next));
		}
		const response = requested.get(number) ?? this.request(number);
		requested.delete(number);
		return await response;
	}

	private request(number: number): Requested {
		const { client, list, pageSize, options } = this;
		const known = this.total ?? options.total ?? 0;
		const link = this.links.get(number);
		const response = fetchPage(client, list, number, pageSize, link).then((page) => ({
			page,
			known,
		}));
		// It is reported where the page is taken.
		response.catch(() => undefined);
		return response;
	}

	/** Asks for smaller pages, unless one of this size has come. @throws Failure then, or if it cannot be about the size */
	private shrink(failure: Failure): void {
		if (this.pageSize <= this.accepted) throw failure;
		this.pageSize = this.size = this.longest = smallerPage(this.client, failure, this.pageSize);
		this.requested.clear();
	}

	private missing(stating: Page, number: number, page: Page | Failure): Failure {
		const { name } = this.client.service;
		const counted = stating.total === undefined ? 'more pages' : `${stating.total} records`;
		const start = `${name} counts ${counted}, but page ${number} of the list`;
		const hint =
			'Run this again later. If it is the same then, narrow the list by a filter, or read fewer records with a limit';
		if (!(page instanceof Failure)) return new Failure('failed', `${start} is empty`, { hint });
		return page.with({ kind: 'failed', message: `${start} is missing: ${page.message}`, hint });
	}
}

/** Returns the same text for pages with the same records, in whichever order. */
function contentOf(keys: string[]): string {
	return [...keys].sort().join('\n');
}

function keyOf({ identity = ({ id }) => id }: PagedList, record: IDataObject): string {
	const key = identity(record) ?? record;
	return typeof key === 'object' ? JSON.stringify(key) : String(key);
}

/** Yields the pages of a list, one after another. */
export async function* pages(client: PageClient, list: PagedList): AsyncGenerator<WalkedPage> {
	const walk = new Walk(client, list);
	for (let page = await walk.next(); page; page = await walk.next()) yield page;
}

/** Returns a function that reads the first page of a list. */
export function recordsReader(client: PageClient) {
	return async (request: ApiRequest, recordsKey?: string, pageSize?: number) => {
		for await (const { records } of pages(client, { request, recordsKey, pageSize }))
			return records;
		return [];
	};
}
