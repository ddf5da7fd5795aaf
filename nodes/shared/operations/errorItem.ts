import { redactedHeaders } from 'n8n-workflow';
import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import type { Failure } from '../http/failure';
import { jsonValue } from '../http/json';
import { redactText } from '../http/redactKey';
import type { Service } from '../http/service';

// What is said of a row that failed: in the error that stops a run, and in the item of a run that goes on.

/**
 * Whether n8n takes an item with `details` beside its `error` for a failure. Before 2.36 its engine may not: there
 * such an item would leave by the success output. Nothing tells a node the version of n8n; an export that came with
 * 2.36 does.
 */
const knowsDetails = () => redactedHeaders !== undefined;

/** Names rows in messages: by an email, an ID, or the filters of a list. */
export interface RowNames {
	/** False for lists, where several rows may have the same name. */
	readonly areUnique: boolean;
	/** Returns the name of a row; empty when it has none. */
	nameOf(item: number): string;
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
 * The error item of a failure. It has no `error` of its own beside its JSON: so n8n sends it to the
 * error output together with the columns of its input row.
 */
export function errorItem(failure: Failure, place: RowPlace): INodeExecutionData {
	const { context, item } = place;
	const error = failure.wholeMessage(headlineOf(failure, place) + itemMark(place));
	const isRouted = context.getNode().onError === 'continueErrorOutput';
	const details = isRouted && !knowsDetails() ? {} : { details: detailsOf(failure, place) };
	return { json: { error, ...details }, pairedItem: { item } };
}

/** The item's place, where no name tells it from others. */
function itemMark(place: RowPlace): string {
	const { context, names, item } = place;
	const isNamed = nameOf(place) !== '' && names?.areUnique === true;
	return isNamed || context.getInputData().length === 1 ? '' : ` [item ${item}]`;
}

/** What happened, with the row's address or ID where it does not stand in the words already. */
export function headlineOf({ headline }: Failure, place: RowPlace): string {
	const name = nameOf(place);
	return name === '' || mentions(headline, name) ? headline : `${name}: ${headline}`;
}

/** The name of a row, empty where it has none. */
function nameOf({ names, item, apiKey }: RowPlace): string {
	return redactText(names?.nameOf(item) ?? '', apiKey);
}

/** Whether a message names a row; `(HTTP 404)` does not name row 4. */
function mentions(message: string, name: string): boolean {
	const start = message.toLowerCase().indexOf(name.toLowerCase());
	const isPart = (character = '') => /[\p{L}\p{N}]/u.test(character);
	return start >= 0 && !isPart(message[start - 1]) && !isPart(message[start + name.length]);
}

/** What workflows branch on. Only what is known stands in it. */
function detailsOf(failure: Failure, place: RowPlace): IDataObject {
	const { status, uncertain } = failure.details;
	const { field, value } = fieldOf(failure, place);
	const known = Object.entries({
		httpCode: status,
		field,
		value,
		advice: failure.advice,
		uncertain,
	});
	return Object.fromEntries(known.filter(([, entry]) => entry !== undefined));
}

/** The field that a failure is about, by its label, and what it holds; for the service's known messages too. */
function fieldOf({ details }: Failure, place: RowPlace) {
	if (details.field !== undefined) return { field: details.field, value: jsonValue(details.value) };
	const { service, names, item } = place;
	const known = service.advice.find(({ words }) => words.test(details.words));
	return names?.fieldOf(known?.parameters ?? [], item) ?? {};
}
