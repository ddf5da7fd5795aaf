import type { IDataObject } from 'n8n-workflow';

import { isObject } from '../base/json';
import { parsedJson } from '../fields/values';

// An item that failed once, and comes from the error output, or from a sheet in which it was stored.

/** The entries of `details`. An object with others is a column of the item's own. */
const DETAILS = ['code', 'httpCode', 'field', 'value', 'advice', 'uncertain', 'confirmed', 'row'];

const NONE: string[] = [];

/** Returns the columns that the failure of an item added to it. */
export function addedByFailure(item: IDataObject): string[] {
	if (typeof item.error !== 'string') return NONE;
	return detailsOf(item) ? ['error', 'details'] : NONE;
}

/** Returns an item as it was before its failure, which moved its own `error` and `details` into `details.row`. */
export function withoutFailure(item: IDataObject): IDataObject {
	const added = addedByFailure(item);
	if (added.length === 0) return item;
	const own = detailsOf(item)?.row;
	const rest = Object.entries(item).filter(([name]) => !added.includes(name));
	return { ...Object.fromEntries(rest), ...(isObject(own) ? own : {}) };
}

/** Returns the details of a failure; undefined for any other value in this column. */
function detailsOf({ details }: IDataObject): IDataObject | undefined {
	const read = typeof details === 'string' ? parsedJson(details) : details;
	const isOfFailure = isObject(read) && Object.keys(read).every((name) => DETAILS.includes(name));
	return isOfFailure ? read : undefined;
}
