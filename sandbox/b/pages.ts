import { ok, type ApiResponse } from '../core/apiResponse';
import type { Call } from '../core/routes';
import { refusal } from './refusals';
import type { ContextB } from './state';

/** The envelope of a list. Some servers leave out the last `next`. */
interface Envelope<Row> {
	count: number;
	next?: string | null;
	previous: string | null;
	results: Row[];
}

/** Returns all rows in one envelope. */
export function envelope<Row>(results: Row[]): Envelope<Row> {
	return { count: results.length, next: null, previous: null, results };
}

function link(context: ContextB, { path, query }: Call, page: number): string {
	const params = new URLSearchParams(query);
	params.set('page', String(page));
	const origin = context.settings.nextOrigin ?? context.url;
	return `${origin}${path}?${params.toString()}`;
}

function pageNumber({ settings }: ContextB, { query }: Call, pages: number): number {
	const page = Number(query.get('page') ?? '1');
	const last = settings.pageAfterLast === 'empty' ? Number.POSITIVE_INFINITY : pages;
	if (!Number.isInteger(page) || page < 1 || page > last) throw refusal(404, 'Invalid page.');
	return page;
}

function nextLink(context: ContextB, call: Call, page: number, pages: number) {
	if (page < pages) return link(context, call, page + 1);
	const { lastNext } = context.settings;
	return lastNext === 'absent' ? undefined : lastNext;
}

/** Returns the page that a request asks for. */
function pageOf<Row>(context: ContextB, call: Call, rows: Row[]): Envelope<Row> {
	const { pageSize } = context.settings;
	const pages = Math.max(1, Math.ceil(rows.length / pageSize));
	const page = pageNumber(context, call, pages);
	return {
		count: rows.length,
		next: nextLink(context, call, page, pages),
		previous: page > 1 ? link(context, call, page - 1) : null,
		results: rows.slice((page - 1) * pageSize, page * pageSize),
	};
}

/** Sends the page that a request asks for; as a bare array if the settings ask for it. */
export function pageResponse<Row>(context: ContextB, call: Call, rows: Row[]): ApiResponse {
	const page = pageOf(context, call, rows);
	return ok(context.settings.bareLists ? page.results : page);
}
