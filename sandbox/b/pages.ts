import { ok, type ApiResponse } from '../core/apiResponse';
import type { Call } from '../core/routes';
import { invalid, refusal } from './refusals';
import type { ContextB } from './state';

/** Returns all rows in one envelope. */
export function envelope<Row>(results: Row[]) {
	return { count: results.length, next: null, previous: null, results };
}

function link(context: ContextB, { path, query }: Call, page: number): string {
	const params = new URLSearchParams(query);
	params.set('page', String(page));
	const { nextLinks, nextOrigin } = context.settings;
	const origin = nextLinks === 'path' ? '' : (nextOrigin ?? context.url);
	return `${origin}${path}?${params.toString()}`;
}

function pageNumber({ settings }: ContextB, { query }: Call, pages: number): number {
	const page = Number(query.get('page') ?? '1');
	if (!Number.isInteger(page) || page < 1) throw refusal(404, 'Invalid page.');
	if (page <= pages || settings.pageAfterLast === 'empty') return page;
	if (settings.pageAfterLast === 404) throw refusal(404, 'Invalid page.');
	return pages;
}

function nextLink(context: ContextB, call: Call, page: number, pages: number) {
	if (page < pages) return link(context, call, page + 1);
	const { lastNext } = context.settings;
	return lastNext === 'absent' ? undefined : lastNext;
}

/** Sends the page that a request asks for; as a bare array if the settings ask for it. */
export function pageResponse(
	context: ContextB,
	call: Call,
	rows: object[],
	pageSize = context.settings.pageSize,
): ApiResponse {
	const pages = Math.max(1, Math.ceil(rows.length / pageSize));
	const page = pageNumber(context, call, pages);
	const results = rows.slice((page - 1) * pageSize, page * pageSize);
	if (context.settings.bareLists) return ok(results);
	const next = nextLink(context, call, page, pages);
	const previous = page > 1 ? link(context, call, page - 1) : null;
	return ok({ count: rows.length, next, previous, results });
}

/** Sends a page of a list for which the contract shows neither `page` nor a page size. */
export function otherPageResponse(context: ContextB, call: Call, rows: object[]): ApiResponse {
	const { pageOfOtherLists, otherPageSize, pageSize } = context.settings;
	if (call.query.has('page') && pageOfOtherLists === 400) {
		throw invalid({ page: ['Unknown parameter.'] });
	}
	if (pageOfOtherLists === 'accepted') {
		return pageResponse(context, call, rows, Math.min(pageSize, otherPageSize));
	}
	return pageResponse(context, { ...call, query: new URLSearchParams() }, rows, Infinity);
}
