import type { IDataObject } from 'n8n-workflow';

import { isObject } from '../base/json';
import { parsedJson } from './values';

// An item that failed once, and comes from the error output, or from a sheet or a file in which it was stored.

/** The entries of `details`. An object with others is a column of the item's own. */
const DETAILS = ['httpCode', 'field', 'value', 'advice', 'uncertain', 'row'];

/** What a file makes of an object. */
const OBJECT_AS_TEXT = '[object Object]';

const NONE: string[] = [];

/** Returns the columns that the failure of an item added to it. */
export function addedByFailure(item: IDataObject): string[] {
	if (typeof item.error !== 'string') return NONE;
	if (item.details === OBJECT_AS_TEXT || detailsOf(item)) return ['error', 'details'];
	// CSV files have a column for each entry of an object.
	const flat = Object.keys(item).filter((name) =>
		DETAILS.includes(name.match(/^details\.(\w+)/)?.[1] ?? ''),
	);
	return flat.length > 0 ? ['error', ...flat] : NONE;
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
