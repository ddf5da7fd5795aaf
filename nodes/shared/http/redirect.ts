import type { IN8nHttpFullResponse } from 'n8n-workflow';

import type { ApiRequest } from './request';

/** Reads may be redirected below the base URL, this often. */
export const MOST_REDIRECTS = 3;

const STATUSES = new Set([301, 302, 303, 307, 308]);

/** Where a request goes instead, or why it goes nowhere: words that follow the service's name. */
export type Redirect = { to: Pick<ApiRequest, 'path' | 'query'> } | { words: string };

/**
 * What to make of an answer that sends a request elsewhere. Only reads are sent on, and only below the
 * base URL: the key goes nowhere else.
 *
 * @param left how many more redirects are followed
 * @returns undefined for an answer that is no redirect
 */
export function redirectOf(
	{ method }: ApiRequest,
	{ statusCode, headers: { location } }: Pick<IN8nHttpFullResponse, 'statusCode' | 'headers'>,
	baseUrl: string,
	left: number,
): Redirect | undefined {
	if (!STATUSES.has(statusCode)) return undefined;
	if (typeof location !== 'string' || !URL.canParse(location, baseUrl)) {
		return { words: 'returned a redirect that does not say where to' };
	}
	const { origin, pathname, searchParams } = new URL(location, baseUrl);
	// Without its query, which may hold what is secret.
	const place = `${origin}${pathname}`;
	if (method !== 'GET') {
		return { words: `redirects to ${place}. Only requests that read are redirected` };
	}
	if (!place.startsWith(`${baseUrl}/`)) {
		return { words: `redirects to ${place}, where the key is not sent` };
	}
	if (left === 0) {
		return { words: `redirects more than ${MOST_REDIRECTS} times, last to ${place}` };
	}
	return { to: { path: place.slice(baseUrl.length), query: Object.fromEntries(searchParams) } };
}
