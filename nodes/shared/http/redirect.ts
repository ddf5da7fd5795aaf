import type { ApiRequest } from './request';
import type { RawResponse } from './transport';

/** The number of redirects of one read that are followed. */
export const MAX_REDIRECTS = 3;

const STATUSES = new Set([301, 302, 303, 307, 308]);

/** The target of a redirect, or why it is not followed: a text that follows the service's name. */
type Redirect = { to: Pick<ApiRequest, 'path' | 'query'> } | { problem: string };

/**
 * Decides what to do with a redirect. Only reads are sent on, and only below the base URL: the key goes
 * nowhere else.
 *
 * @param left how many more redirects may be followed
 * @returns undefined for a response that is not a redirect
 */
export function redirectOf(
	{ method }: ApiRequest,
	{ statusCode, headers: { location } }: Pick<RawResponse, 'statusCode' | 'headers'>,
	baseUrl: string,
	left: number,
): Redirect | undefined {
	if (!STATUSES.has(statusCode)) return undefined;
	if (typeof location !== 'string' || !URL.canParse(location, baseUrl)) {
		return { problem: 'returned a redirect that does not say where to' };
	}
	const { origin, pathname, searchParams } = new URL(location, baseUrl);
	// The query may hold a secret.
	const target = `${origin}${pathname}`;
	if (method !== 'GET') {
		return { problem: `redirects to ${target}. Only requests that read are redirected` };
	}
	if (!target.startsWith(`${baseUrl}/`)) {
		return { problem: `redirects to ${target}, where the key is not sent` };
	}
	if (left === 0) {
		return { problem: `redirects more than ${MAX_REDIRECTS} times, last to ${target}` };
	}
	return { to: { path: target.slice(baseUrl.length), query: Object.fromEntries(searchParams) } };
}
