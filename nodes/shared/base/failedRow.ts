import type { IDataObject } from 'n8n-workflow';

import { CODES } from './codes';
import { isObject, parsedJson } from './json';

// An item that failed once comes back from the error output, or from a sheet in which it was stored.

export function addedByFailure(item: IDataObject): string[] {
	return detailsOf(item) ? ['error', 'details'] : [];
}

/** Failures moved columns of the item into `details.row`. */
export function withoutFailure(item: IDataObject): IDataObject {
	const details = detailsOf(item);
	if (!details) return item;
	const added = addedByFailure(item);
	const columns = Object.entries(item).filter(([name]) => !added.includes(name));
	const moved = isObject(details.row) ? details.row : {};
	return withoutFailure({ ...Object.fromEntries(columns), ...moved });
}

/** Another value in this column, such as that of a declined payment, is no detail of a failure. */
function detailsOf({ error, details }: IDataObject): IDataObject | undefined {
	if (typeof error !== 'string') return undefined;
	const read = typeof details === 'string' ? parsedJson(details) : details;
	return isObject(read) && Object.hasOwn(CODES, String(read.code)) ? read : undefined;
}

/**
 * Divides the columns of an item that failed: those that stay at its top, and those that would look like results of the operation
 * there.
 */
export function divided(item: IDataObject, results: readonly string[]) {
	const kept: IDataObject = {};
	const moved: IDataObject = {};
	for (const [name, value] of Object.entries(withoutFailure(item))) {
		const isMoved = name === 'error' || name === 'details' || results.includes(name);
		(isMoved ? moved : kept)[name] = value;
	}
	return { kept, moved };
}
