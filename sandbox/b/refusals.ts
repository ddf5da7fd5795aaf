import { Refusal } from '../core/answer';

/** Messages under the names of the fields they are about. */
export interface Messages {
	[field: string]: string[] | Messages;
}

/** A validation error: 400, keyed by field. */
export const invalid = (body: Messages): Refusal => new Refusal({ status: 400, body });

/** A refusal with a `detail`. */
export const refusal = (
	status: number,
	detail: string,
	headers?: Record<string, string>,
): Refusal => new Refusal({ status, headers, body: { detail } });

export const notFound = () => refusal(404, 'Not Found');
