import { Failure } from '../base/failure';
import type { ApiRequest } from '../http/request';
import type { Page } from '../http/service';
import { changesTooFast, PageFetcher } from './pages';
import type { PageClient, PagedList } from './pages';

/** A page of a walk, and the index in the list of its first record. */
export interface WalkedPage extends Page {
	from: number;
}

/** The most pages beyond the stated ones, or without a stated number: a service may send new records forever. */
const MOST_EXTRA_PAGES = 5000;

/** How often removals may take a walk back. */
const MOST_RETREATS = 500;

/**
 * Reads a list page after page. Everything before `position` has come. Where a response states fewer records than the one
 * before it, records have moved to earlier pages, and the position goes back by as many. So no record that is there all
 * the time is missed, unless one is removed and another added between the same two responses.
 */
export class Walk {
	/** The number of records that were removed meanwhile. */
	removed = 0;
	private read = 0;
	private retreats = 0;
	private isEnded = false;

	/** @param total what the list stated when `position` was right */
	constructor(
		public fetcher: PageFetcher,
		public position = 0,
		public total?: number,
	) {}

	/** Reads the next page, a smaller one if it is too large; undefined after the end of the list. @throws Failure */
	async next(): Promise<WalkedPage | undefined> {
		for (;;) {
			try {
				return await this.step();
			} catch (error) {
				this.fetcher.shrink(error);
			}
		}
	}

	/** Reads the next page; undefined after the end of the list. Some pages come again. @throws Failure */
	async step(): Promise<WalkedPage | undefined> {
		if (this.isEnded) return undefined;
		const { fetcher, nextNumber: number } = this;
		const { size } = fetcher;
		const page = await fetcher.page(number);
		// A page of another length than expected is elsewhere in the list.
		if (fetcher.size !== size && this.nextNumber !== number) return await this.step();
		const from = (number - 1) * fetcher.size;
		this.noteTotal(page.total);
		const isGap = from > this.position;
		const goesOn = fetcher.goesOn(number);
		const end = goesOn ? number * fetcher.size : from + page.records.length;
		if (!isGap) this.position = Math.max(this.position, end);
		this.isEnded = !isGap && !goesOn;
		if (!this.isEnded) this.countPage(isGap);
		return { ...page, from };
	}

	/** Reads again from an earlier position. */
	backTo(position: number): void {
		this.position = Math.min(this.position, position);
		this.isEnded = false;
	}

	private get nextNumber(): number {
		const { size } = this.fetcher;
		return size === 0 ? 1 : Math.floor(this.position / size) + 1;
	}

	private noteTotal(total: number | undefined): void {
		const removed = (this.total ?? 0) - (total ?? Infinity);
		if (removed > 0) {
			this.position = Math.max(0, this.position - removed);
			this.removed += removed;
		}
		this.total = total;
	}

	private countPage(isRetreat: boolean): void {
		if (isRetreat) this.retreats++;
		const isEndless = ++this.read >= MOST_EXTRA_PAGES + this.fetcher.count;
		if (!isEndless && this.retreats <= MOST_RETREATS) return;
		const { serviceName } = this.fetcher;
		if (!isEndless) throw changesTooFast(serviceName);
		throw new Failure('failed', `${serviceName} sends a list that does not end`, {
			hint: 'Narrow the list by a filter',
		});
	}
}

/** Yields the pages of a list, one after another. */
export async function* pages(client: PageClient, list: PagedList): AsyncGenerator<WalkedPage> {
	const walk = new Walk(new PageFetcher(client, list));
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
