import { ok, type ApiResponse } from '../core/apiResponse';
import type { Call } from '../core/routes';
import { refusal } from './refusals';
import type { ContextB } from './state';

/** Returns all rows in one envelope. */
export function envelope<Row>(results: Row[]) {
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

/** Sends the page that a request asks for; as a bare array if the settings ask for it. */
export function pageResponse(context: ContextB, call: Call, rows: object[]): ApiResponse {
	const { pageSize } = context.settings;
	const pages = Math.max(1, Math.ceil(rows.length / pageSize));
	const page = pageNumber(context, call, pages);
	const results = rows.slice((page - 1) * pageSize, page * pageSize);
	if (context.settings.bareLists) return ok(results);
	const next = nextLink(context, call, page, pages);
	const previous = page > 1 ? link(context, call, page - 1) : null;
	return ok({ count: rows.length, next, previous, results });
}
