import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import type { Failure } from '../http/failure';
import { isObject, jsonValue } from '../http/json';
import { redactData, redactText } from '../http/redactKey';
import type { Service } from '../http/service';
import { markAsFailed } from '../n8nInternals';
import { isToolOfAgent } from './agentTool';

// What is said of a row that failed: in the error that stops a run, and in the item of a run that goes on.

const LONGEST_NAME = 100;

/** Names rows in messages: by an email, an ID, or the filters of a list. */
export interface RowNames {
	/** Returns the name of a row; empty when it has none. */
	nameOf(item: number): string;
	/** Returns the kind of record that the name identifies, such as Feedback; undefined for an email or filters. */
	readonly record?: string;
	/** Returns the label and the value of the first of these parameters that the operation has. */
	fieldOf(parameters: string[], item: number): { field?: string; value?: string };
}

/** Where a row stands: the run's parameters, and the operation that they are of. */
export interface RowPlace {
	context: IExecuteFunctions;
	service: Service;
	names?: RowNames;
	item: number;
	/** What is in nothing that is said of the row. */
	apiKey: string;
}

/**
 * Returns the error item of a failure: the columns and binary data of its input item, with `error` and `details`.
 * The item's own columns of these names move into `details.row`: n8n's users expect `error`, and its error output
 * knows no other names.
 */
export function errorItem(failure: Failure, place: RowPlace): INodeExecutionData {
	const { context, item, apiKey } = place;
	const { json = {}, binary } = context.getInputData()[item] ?? {};
	const error = failure.wholeMessage(headlineOf(failure, place));
	const own = Object.entries(json).filter(([name]) => name === 'error' || name === 'details');
	const row = own.length === 0 ? undefined : redactData(Object.fromEntries(own), apiKey);
	const details = known({ ...detailsOf(failure, place), row: jsonValue(row) });
	const rest = { ...(binary && { binary }), pairedItem: { item } };
	if (context.getNode().onError === 'continueErrorOutput') {
		// n8n adds the columns.
		return markAsFailed({ json: { error, details }, ...rest }, error);
	}
	const columns = isToolOfAgent(context) ? {} : redactData(json, apiKey);
	return { json: { ...(isObject(columns) && columns), error, details }, ...rest };
}

/**
 * Returns what happened, to which row: `ada@example.com: Contact has unsubscribed. (HTTP 400) [item 1]`. A failure that is
 * not about a row names none.
 *
 * @param mark how the item is numbered
 */
export function headlineOf(failure: Failure, place: RowPlace, mark = itemMark(place)): string {
	if (failure.details.isOfRun) return failure.headline;
	const { headline } = withRecord(failure, place);
	const name = nameOf(place);
	return (name === '' || mentions(headline, name) ? headline : `${name}: ${headline}`) + mark;
}

/** Returns the number of an item as n8n writes it, from 0; nothing for the only one. */
function itemMark({ context, item }: RowPlace): string {
	return context.getInputData().length === 1 ? '' : ` [item ${item}]`;
}

/** What happened to a record by a status, and the service's messages that say no more than the status. */
const MISSING: Record<number, { words: RegExp; becomes: string }> = {
	404: { words: /^(the resource was )?not found\.?$/i, becomes: 'could not be found' },
	410: { words: /^(gone|the resource was removed)\.?$/i, becomes: 'was removed' },
};

/** Names the record where the service only says that there is none: `Feedback 999 could not be found`. */
function withRecord(failure: Failure, place: RowPlace): Failure {
	const { status = 0, words } = failure.details;
	const missing = MISSING[status];
	const name = nameOf(place);
	const { record } = place.names ?? {};
	if (!missing?.words.test(words) || record === undefined || name === '') return failure;
	return failure.with({ words: `${record} ${name} ${missing.becomes}` });
}

/** Returns the name of a row; empty when it has none. */
export function nameOf({ names, item, apiKey }: RowPlace): string {
	// Cut last: it could leave a part of the key.
	return redactText(names?.nameOf(item) ?? '', apiKey).slice(0, LONGEST_NAME);
}

/** Whether a message names a row; `(HTTP 404)` does not name row 4. */
function mentions(message: string, name: string): boolean {
	const start = message.toLowerCase().indexOf(name.toLowerCase());
	const isPart = (character = '') => /[\p{L}\p{N}]/u.test(character);
	return start >= 0 && !isPart(message[start - 1]) && !isPart(message[start + name.length]);
}

/** Returns what workflows branch on. */
function detailsOf(failure: Failure, place: RowPlace): IDataObject {
	const { status, uncertain, isOfRun } = failure.details;
	const { field, value } = isOfRun ? {} : fieldOf(failure, place);
	return { httpCode: status, field, value, advice: failure.advice, uncertain };
}

function known(details: IDataObject): IDataObject {
	return Object.fromEntries(Object.entries(details).filter(([, entry]) => entry !== undefined));
}

/** The field that a failure is about, by its label, and what it holds; for the service's known messages too. */
function fieldOf({ details }: Failure, place: RowPlace) {
	if (details.field !== undefined) return { field: details.field, value: jsonValue(details.value) };
	const { service, names, item } = place;
	const known = service.advice.find(({ words }) => words.test(details.words));
	return names?.fieldOf(known?.parameters ?? [], item) ?? {};
}
