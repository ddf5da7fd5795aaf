import { Refusal } from '../core/apiResponse';

/** Messages by field name. */
export interface Messages {
	[field: string]: string[] | Messages;
}

/** Creates a validation error (400). */
export const invalid = (body: Messages): Refusal => new Refusal({ status: 400, body });

/** Creates a refusal with a `detail`. */
export const refusal = (status: number, detail: string): Refusal =>
	new Refusal({ status, body: { detail } });

export const notFound = () => refusal(404, 'Not Found');
