import type {
	IDataObject,
	IExecuteFunctions,
	INodeExecutionData,
	INodeProperties,
} from 'n8n-workflow';

import type { Failure } from '../http/failure';
import { isObject, jsonValue } from '../http/json';
import { redactData, redactText } from '../http/redactKey';
import type { Service } from '../http/service';
import { markAsFailed } from '../n8nInternals';
import type { ReadColumns } from '../parameters/columns';
import { isToolOfAgent } from './agentTool';
import { labelsByName, rowOf, valueOf } from '../parameters/reader';
import { optionalLocator } from '../parameters/schemas';

// What is said of a row that failed: in the error that stops a run, and in the item of a run that goes on.

const LONGEST_NAME = 100;

/** What an operation says of where its rows come from. */
export interface RowSource {
	fields: INodeProperties[];
	/**
	 * The parameters that name a row in messages: its address or ID, or what a list is asked for. All that
	 * hold something do.
	 */
	rowNames: () => string[];
	/** True where rows may have one name: then messages tell their place in the input, too. */
	sharesNames?: boolean;
	/** What it makes of an item's columns; offers Map Automatically. */
	columns?: ReadColumns;
}

/** Where a row stands: the run's parameters, and the operation that they are of. */
export interface RowPlace {
	context: IExecuteFunctions;
	service: Service;
	operation: RowSource;
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
	const error = failure.wholeMessage(headlineOf(failure, place) + itemMark(place));
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

/** The item's place, where no name tells it from others. */
function itemMark(place: RowPlace): string {
	const { context, operation, item } = place;
	const isNamed = nameOf(place) !== '' && !operation.sharesNames;
	return isNamed || context.getInputData().length === 1 ? '' : ` [item ${item}]`;
}

/** What happened, with the row's address or ID where it does not stand in the words already. */
export function headlineOf({ headline }: Failure, place: RowPlace): string {
	const name = nameOf(place);
	return name === '' || mentions(headline, name) ? headline : `${name}: ${headline}`;
}

/** The name of a row, empty where it has none. */
function nameOf(place: RowPlace): string {
	const names = place.operation.rowNames().map((name) => idOf(place, name)?.slice(0, LONGEST_NAME));
	return names.filter((name) => name !== undefined).join(', ');
}

/** Whether a message names a row; `(HTTP 404)` does not name row 4. */
function mentions(message: string, name: string): boolean {
	const start = message.toLowerCase().indexOf(name.toLowerCase());
	const isPart = (character = '') => /[\p{L}\p{N}]/u.test(character);
	return start >= 0 && !isPart(message[start - 1]) && !isPart(message[start + name.length]);
}

/** Returns what workflows branch on. */
function detailsOf(failure: Failure, place: RowPlace): IDataObject {
	const { status, uncertain } = failure.details;
	const { field, value } = fieldOf(failure, place);
	return { httpCode: status, field, value, advice: failure.advice, uncertain };
}

function known(details: IDataObject): IDataObject {
	return Object.fromEntries(Object.entries(details).filter(([, entry]) => entry !== undefined));
}

/** The field that a failure is about, by its label, and what it holds; for the service's known messages too. */
function fieldOf({ details }: Failure, place: RowPlace) {
	if (details.field !== undefined) return { field: details.field, value: jsonValue(details.value) };
	const { service, operation } = place;
	const known = service.advice.find(({ words }) => words.test(details.words));
	const labels = labelsByName(operation.fields);
	const name = known?.parameters?.find((parameter) => labels.has(parameter));
	if (name === undefined) return {};
	return { field: labels.get(name), value: idOf(place, name) ?? idOf(place, `filters.${name}`) };
}

/** An address or an ID among the parameters; undefined where it has none that can be read. */
function idOf(
	{ context, operation, item, apiKey }: RowPlace,
	parameter: string,
): string | undefined {
	try {
		const row = operation.columns && rowOf(context, item, operation.columns);
		const value = row?.parameters[parameter] ?? valueOf(context, parameter, item);
		const read = optionalLocator.safeParse(value);
		return read.data === undefined ? undefined : redactText(read.data, apiKey);
	} catch {
		return undefined;
	}
}
