import type { IHttpRequestOptions } from 'n8n-workflow';

import type { RawResponse } from '../../nodes/shared/http/exchange';
// Lists of few records whose responses state every combination of right and wrong numbers, and what a user should get of
// each. Written from the contract, and knows nothing of a reader.

/** How a number stands in the responses of a list. */
const STATED = ['absent', 'right', '0', '1', 'one high', 'one low'] as const;
type Stated = (typeof STATED)[number];

/** How `next` stands: always null, always a link, a link on the last page too, or null one page too early. */
const NEXTS = ['absent', 'right', 'null', 'link', 'one high', 'one low'] as const;

/** The response to a page after the last one. */
const ENDS = ['empty', '404', 'last page again'] as const;

/** The pages of A in this table: it takes any limit, and gives no more than this. */
const MOST_A = 5;
/** Contract: 100 results per page. */
const PAGE_B = 100;

/** A list with what its responses state. */
export interface Cell {
	records: number;
	/** `count` in B. */
	total: Stated;
	/** A only. */
	pages: Stated;
	limit: Stated;
	/** B only. */
	next: (typeof NEXTS)[number];
	end: (typeof ENDS)[number];
	/** B only: `bare` sends an array and no envelope. */
	envelope: 'usual' | 'bare';
}

const USUAL: Cell = {
	records: 0,
	total: 'absent',
	pages: 'absent',
	limit: 'absent',
	next: 'absent',
	end: 'empty',
	envelope: 'usual',
};

const sizes = (page: number) => [0, 1, page - 1, page, page + 1, 2 * page + 1];

/** All cells of the lists of A: what they state in any combination. */
export function cellsOfA(): Cell[] {
	return ENDS.flatMap((end) =>
		sizes(MOST_A).flatMap((records) =>
			STATED.flatMap((total) =>
				STATED.flatMap((pages) =>
					STATED.map((limit) => ({ ...USUAL, records, total, pages, limit, end })),
				),
			),
		),
	);
}

/** All cells of the lists of B. */
export function cellsOfB(): Cell[] {
	return ENDS.flatMap((end) =>
		sizes(PAGE_B).flatMap((records): Cell[] => [
			{ ...USUAL, records, end, envelope: 'bare' },
			...STATED.flatMap((total) => NEXTS.map((next) => ({ ...USUAL, records, total, next, end }))),
		]),
	);
}

export function titleOf({ records, total, pages, limit, next, end, envelope }: Cell): string {
	return `${records} records, total ${total}, pages ${pages}, limit ${limit}, next ${next}, ${envelope}, past the end ${end}`;
}

/** Returns what a response states for a number. */
function stated(how: Stated, right: number): number | undefined {
	if (how === 'absent') return undefined;
	if (how === 'one high') return right + 1;
	if (how === 'one low') return Math.max(0, right - 1);
	return how === 'right' ? right : Number(how);
}

/** The service that a reader asks. */
export class EdgeService {
	readonly url = 'https://edge.example';
	requests = 0;
	cell: Cell = USUAL;
	/** True if the list comes in pages; otherwise every request gets the whole list. */
	isPaged = true;
	/** When a list was shown, and with how many records: those that follow are newer. */
	private shown = { at: Date.now(), records: 0 };

	/** Answers a request, as n8n's HTTP helper does. */
	async answer({ url, qs = {} }: Pick<IHttpRequestOptions, 'url' | 'qs'>): Promise<RawResponse> {
		this.requests++;
		await Promise.resolve();
		const asked = new URL(url);
		for (const [name, value] of Object.entries(qs)) asked.searchParams.set(name, String(value));
		const { status, body } = this.respond(asked);
		const headers = { 'content-type': 'application/json' };
		return { statusCode: status, headers, body: JSON.stringify(body) };
	}

	/** Shows a list. */
	show(cell: Cell, isPaged = true): void {
		Object.assign(this, { cell, isPaged, requests: 0 });
		this.shown = { at: Date.now(), records: cell.records };
	}

	private respond(url: URL): { status: number; body: unknown } {
		const { pathname, searchParams } = url;
		if (pathname === '/api/v2/survey')
			return { status: 200, body: { success: true, code: 200, message: 'OK', status: 'queued' } };
		const key =
			KEYS_A[pathname] ?? (pathname.startsWith('/api/v2/feedback/64a') ? 'responses' : '');
		return key === '' ? this.pageOfB(pathname, searchParams) : this.pageOfA(key, searchParams);
	}

	private pageOfA(key: string, query: URLSearchParams): { status: number; body: unknown } {
		const { cell } = this;
		const size = Math.min(Number(query.get('limit') ?? 20), MOST_A);
		const isOldestFirst = /^[^-]/.test(query.get('sort') ?? '');
		const pages = Math.ceil(cell.records / size);
		const page = this.pageToShow(Number(query.get('page') ?? 1), pages);
		if (page === undefined) return { status: 404, body: { code: 404, message: 'Not found' } };
		const all = Array.from({ length: cell.records }, (_, i) => this.recordOf(i));
		const rows = (isOldestFirst ? all : all.reverse()).slice((page - 1) * size, page * size);
		const data = {
			[key]: rows,
			total: stated(cell.total, cell.records),
			pages: stated(cell.pages, pages),
			limit: stated(cell.limit, size),
		};
		return { status: 200, body: { code: 200, message: 'OK', data } };
	}

	private pageOfB(path: string, query: URLSearchParams): { status: number; body: unknown } {
		const { cell, isPaged } = this;
		const size = isPaged ? PAGE_B : Math.max(1, cell.records);
		const pages = Math.ceil(cell.records / size);
		const asked = isPaged ? Number(query.get('page') ?? 1) : 1;
		const page = this.pageToShow(asked, pages);
		if (page === undefined) return { status: 404, body: { detail: 'Invalid page.' } };
		const all = Array.from({ length: cell.records }, (_, i) => this.recordOf(cell.records - 1 - i));
		const results = all.slice((page - 1) * size, page * size);
		if (cell.envelope === 'bare') return { status: 200, body: results };
		const hasNext = hasNextOn(page, pages, cell);
		const next = hasNext ? `${this.url}${path}?page=${page + 1}` : null;
		const body = { count: stated(cell.total, cell.records), results };
		return { status: 200, body: hasNext === undefined ? body : { ...body, next } };
	}

	private recordOf(index: number): object {
		const { at, records } = this.shown;
		const hour = index < records ? -1 : 1;
		return recordAt(index, at + hour * HOUR + index * 1000);
	}

	/** Returns the page to show for one that was asked for; undefined if there is an error in its place. */
	private pageToShow(asked: number, pages: number): number | undefined {
		if (asked <= Math.max(1, pages)) return asked;
		if (this.cell.end === '404') return undefined;
		return this.cell.end === 'empty' ? asked : Math.max(1, pages);
	}
}

const HOUR = 60 * 60 * 1000;

const KEYS_A: Record<string, string> = {
	'/api/v2/nps/customers': 'subscribers',
	'/api/v2/companies': 'companies',
	'/api/v2/feedback': 'responses',
	'/api/v2/nps/customers/response': 'responses',
	'/api/v2/nps/outbox': 'surveys',
};

/** Names each record, wherever the name stands. */
export const nameOf = (index: number) => `rec${String(index).padStart(4, '0')}`;

function recordAt(index: number, time: number): object {
	const id = nameOf(index);
	const date = new Date(time).toISOString();
	return {
		id,
		...{ email: `${id}@example.com`, customerId: id, companyName: id, domain: id, name: id },
		...{ title: id, reply: id, href: `/api/v2/metrics/${id}/`, campaign_name: id },
		campaignId: '64a000000000000000000003',
		...{ createdDate: date, sentDate: date, score: 5 },
		...{ tags: [{ name: id, category: 'PASSIVE' }], category: { id: 1, name: id } },
		campaign: { id: index, name: id },
	};
}

/** What a user may get of a list. Never a part of it in green without a reason. */
interface Allowed {
	/** An error that says what to do. */
	error: boolean;
	/** The first pages only. */
	part: boolean;
}

/**
 * The rule. What came counts more than what is stated, and one wrong number must not keep anybody from a list:
 *
 * - An empty list is empty, unless records are counted.
 * - A list of which one number is wrong comes whole. If more records are counted than there are, or two numbers are wrong, or a
 *   link leads nowhere and nothing else says so, an error is right too.
 * - A part of a list may only be taken for the whole where all that is stated says so. What contradicts the records that came
 *   says nothing: a total or a number of pages below what came, a limit below the length of a page. Something that is left must
 *   count the records as they came, `pages` must not say more, and the page must be shorter than `limit` if one is left.
 */
export function allowedIn(cell: Cell, service: 'A' | 'B'): Allowed {
	const size = service === 'A' ? MOST_A : PAGE_B;
	const { records } = cell;
	const pages = Math.ceil(records / size);
	const total = stated(cell.total, records);
	const isPagesRight = stated(cell.pages, pages) === pages;
	const wrong = [
		total !== undefined && total !== records,
		cell.pages !== 'absent' && !isPagesRight,
		cell.limit !== 'absent' && stated(cell.limit, size) !== size,
		cell.next !== 'absent' && !isNextRight(cell, pages),
	].filter(Boolean).length;
	const seems = Array.from({ length: Math.max(0, pages - 1) }, (_, i) => i + 1).some((page) =>
		seemsToEndAt(page, cell, service),
	);
	const leadsNowhere = total === undefined && (cell.next === 'link' || cell.next === 'one high');
	const isMore = total !== undefined && total > records;
	return { error: isMore || (records > 0 && (wrong > 1 || leadsNowhere)), part: seems };
}

function isNextRight({ next }: Cell, pages: number): boolean {
	if (next === 'right') return true;
	return (next === 'null' || next === 'one low') && pages < 2;
}

/** Returns whether a page has a link to the next one; undefined if it states none. */
function hasNextOn(page: number, pages: number, { next }: Cell): boolean | undefined {
	if (next === 'absent') return undefined;
	if (next === 'right') return page < pages;
	if (next === 'one low') return page + 1 < pages;
	return next === 'link' || (next === 'one high' && page <= pages);
}

/** Returns whether nothing says that more follows some page of a list for which the contract shows no page size. */
export function seemsToEnd(cell: Cell): boolean {
	const pages = Math.ceil(cell.records / PAGE_B);
	const total = stated(cell.total, cell.records) ?? 0;
	return Array.from({ length: Math.max(0, pages - 1) }, (_, i) => i + 1).some(
		(page) => total <= page * PAGE_B && !hasNextOn(page, pages, cell),
	);
}

/** Returns whether everything says that a page is the last one, although it is not. */
function seemsToEndAt(page: number, cell: Cell, service: 'A' | 'B'): boolean {
	const size = service === 'A' ? MOST_A : PAGE_B;
	const pages = Math.ceil(cell.records / size);
	const total = stated(cell.total, cell.records);
	// A full page of the contract's 100 may always have a successor.
	if (service === 'B' || total !== page * size) return false;
	if (cell.pages !== 'absent' && (stated(cell.pages, pages) ?? 0) > page) return false;
	const limit = stated(cell.limit, size) ?? 0;
	return limit !== size;
}
