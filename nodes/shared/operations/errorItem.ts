import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import type { Failure } from '../base/failure';
import { isObject, jsonValue } from '../http/json';
import { redactData, redactText } from '../http/redactKey';
import type { Service } from '../http/service';
import { isAgentTool, markAsFailed } from '../n8nInternals';

const MAX_NAME_LENGTH = 100;

/** Names rows in messages: by an email, an ID, or the filters of a list. */
export interface RowNames {
	/** Returns the name of a row; empty when it has none. */
	nameOf(item: number): string;
	/** Returns the kind of record that the name identifies, such as Feedback; undefined for an email or filters. */
	readonly record?: string;
	/** Returns the label and the value of the first of these parameters that the operation has. */
	fieldOf(parameters: string[], item: number): { field?: string; value?: string };
}

/** A row of a run, for messages about it. */
export interface RowContext {
	context: IExecuteFunctions;
	service: Service;
	names?: RowNames;
	item: number;
	/** Must not be in any message. */
	apiKey: string;
}

/**
 * Returns the error item of a failure: the columns and binary data of its input item, with `error` and `details`. Columns
 * of the item with these names move into `details.row`, because n8n's error output needs these two names.
 */
export function errorItem(failure: Failure, row: RowContext): INodeExecutionData {
	const { context, item, apiKey } = row;
	const { json = {}, binary } = context.getInputData()[item] ?? {};
	const error = failure.messageWithAdvice(headlineOf(failure, row));
	const own = Object.entries(json).filter(([name]) => name === 'error' || name === 'details');
	const ownColumns = own.length === 0 ? undefined : redactData(Object.fromEntries(own), apiKey);
	const details = known({ ...detailsOf(failure, row), row: jsonValue(ownColumns) });
	const rest = { ...(binary && { binary }), pairedItem: { item } };
	if (context.getNode().onError === 'continueErrorOutput') {
		// n8n adds the columns.
		return markAsFailed({ json: { error, details }, ...rest }, error);
	}
	const columns = isAgentTool(context) ? {} : redactData(json, apiKey);
	return { json: { ...(isObject(columns) && columns), error, details }, ...rest };
}

/**
 * Returns the headline with the row: `ada@example.com: Contact has unsubscribed. (HTTP 400) [item 1]`. An error that is not
 * about a row names none.
 */
export function headlineOf(failure: Failure, row: RowContext, mark = itemMark(row)): string {
	if (failure.kind === 'run') return failure.headline;
	const { headline } = withRecord(failure, row);
	const name = nameOf(row);
	return (name === '' || mentions(headline, name) ? headline : `${name}: ${headline}`) + mark;
}

/** Returns the number of an item as n8n writes it, from 0; nothing for the only one. */
function itemMark({ context, item }: RowContext): string {
	return context.getInputData().length === 1 ? '' : ` [item ${item}]`;
}

/** By status: the service's messages that do not name the record, and the text that does. */
const MISSING: Record<number, { message: RegExp; becomes: string }> = {
	404: { message: /^(the resource was )?not found\.?$/i, becomes: 'could not be found' },
	410: { message: /^(gone|the resource was removed)\.?$/i, becomes: 'was removed' },
};

/** Names the record if the service does not: `Feedback 999 could not be found`. */
function withRecord(failure: Failure, row: RowContext): Failure {
	const { status = 0, message } = failure;
	const missing = MISSING[status];
	const name = nameOf(row);
	const { record } = row.names ?? {};
	if (!missing?.message.test(message) || record === undefined || name === '') return failure;
	return failure.with({ message: `${record} ${name} ${missing.becomes}` });
}

/** Returns the name of a row; empty when it has none. */
export function nameOf({ names, item, apiKey }: RowContext): string {
	// Truncating comes last: it could leave a part of the key.
	return redactText(names?.nameOf(item) ?? '', apiKey).slice(0, MAX_NAME_LENGTH);
}

/** Returns whether a message names a row; `(HTTP 404)` does not name row 4. */
function mentions(message: string, name: string): boolean {
	const start = message.toLowerCase().indexOf(name.toLowerCase());
	const isPart = (character = '') => /[\p{L}\p{N}]/u.test(character);
	return start >= 0 && !isPart(message[start - 1]) && !isPart(message[start + name.length]);
}

/** Returns the details that workflows branch on. */
function detailsOf(failure: Failure, row: RowContext): IDataObject {
	const { kind, status, advice } = failure;
	const { field, value } = kind === 'run' ? {} : fieldOf(failure, row);
	const uncertain = kind === 'uncertain' || undefined;
	return { httpCode: status, field, value, advice, uncertain };
}

function known(details: IDataObject): IDataObject {
	return Object.fromEntries(Object.entries(details).filter(([, entry]) => entry !== undefined));
}

/** Returns the label and the value of the field that a failure is about, also for the service's known messages. */
function fieldOf(failure: Failure, row: RowContext) {
	const { field, value } = failure;
	if (field !== undefined) return { field, value: jsonValue(value) };
	const { service, names, item } = row;
	const known = service.knownMessages.find(({ message }) => message.test(failure.message));
	return (known && names?.fieldOf(known.parameters, item)) ?? {};
}
