import type { IDataObject } from 'n8n-workflow';

import { CODES, DETAILS } from './codes';
import { isObject, parsedJson } from './json';
import { isBlank } from './text';

// An item that failed or was skipped once comes back from an output, or from a sheet in which it was stored.

/** The output of a send for a row that it skipped. */
const OF_SKIPPED = ['status', 'reason', 'duplicateOfItem', 'campaignId', 'campaign_id', 'details'];

/** Returns what a failure or a skip added. Its details may say that the person opted out. */
export function addedByResult(item: IDataObject): IDataObject {
	const details = detailsOf(item);
	if (!details) return {};
	const names = isSkipped(item) ? OF_SKIPPED : ['error'];
	const added = Object.entries(item).filter(([name]) => names.includes(name));
	return { ...Object.fromEntries(added), details };
}

export function withoutResult(item: IDataObject): IDataObject {
	const row = withoutFailure(item);
	if (!isSkipped(row) || !detailsOf(row)) return row;
	return Object.fromEntries(Object.entries(row).filter(([name]) => !OF_SKIPPED.includes(name)));
}

/** Failures moved columns of the item into `details.row`. What was entered at its top since then counts. */
function withoutFailure(item: IDataObject): IDataObject {
	const details = detailsOf(item);
	if (!details || isSkipped(item)) return item;
	const added = ['error', 'details'];
	const columns = Object.entries(item).filter(([name]) => !added.includes(name));
	const moved = Object.entries(isObject(details.row) ? details.row : {}).filter(
		([name]) => added.includes(name) || isBlank(item[name]),
	);
	return withoutFailure(Object.fromEntries([...columns, ...moved]));
}

function isSkipped({ status, reason, error }: IDataObject): boolean {
	return (status === 'skipped' || status === 'maybeSent') && !isBlank(reason) && isBlank(error);
}

/** Another value in this column, such as that of a declined payment, is no detail of a failure. A table may lack the error. */
function detailsOf({ error, details }: IDataObject): IDataObject | undefined {
	if (typeof error !== 'string' && !isBlank(error)) return undefined;
	const read = typeof details === 'string' ? parsedJson(details) : details;
	if (!isObject(read) || !Object.hasOwn(CODES, String(read.code))) return undefined;
	return Object.keys(read).every((name) => Object.hasOwn(DETAILS, name)) ? read : undefined;
}

/** The fields that name a row or what it is for. */
const NAMES = ['email', 'id', 'campaignId', 'campaign_id'];

/** The statuses in the output of a send. */
const OF_SEND = ['SENT', 'queued', 'sending', 'skipped', 'maybeSent'];

/**
 * Divides the columns of an item that failed: those that stay at its top, and the output of an earlier operation, which would say
 * there that this one succeeded. A person's own `status` stays, since expressions read it when the row comes back.
 *
 * @param results the fields that the operation returns
 */
export function divided(item: IDataObject, results: readonly string[]) {
	const row = withoutFailure(item);
	const isOfSend = 'campaignId' in row || 'campaign_id' in row;
	const saysDone = (name: string) =>
		row[name] === true || (name === 'status' && isOfSend && OF_SEND.includes(String(row.status)));
	const others = results.some(saysDone) ? results.filter((name) => !NAMES.includes(name)) : [];
	const moved = ['error', 'details', ...others];
	const isMoved = ([name]: [string, unknown]) => moved.includes(name);
	const entries = Object.entries(row);
	return {
		kept: Object.fromEntries(entries.filter((entry) => !isMoved(entry))),
		moved: Object.fromEntries(entries.filter(isMoved)),
	};
}
