import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { Failure } from '../http/failure';
import { isDateObject } from './dates';
import { isBlank } from './values';

// Map Automatically: the item's own JSON is the row. What each column becomes is the service's to say;
// here stands how columns are found, and what every service says of them in the same words.

/** The parameter that tells where a row's values come from, and its value for Map Automatically. */
export const DATA_MODE = 'dataMode';
export const AUTOMATIC = 'autoMapInputData';

/** What the user set about columns. */
export interface ColumnSettings {
	/** The column that holds the address. */
	emailColumn: string;
	/** Columns to leave out. */
	ignoredColumns: string[];
}

/** A row's columns, sorted. */
export interface SortedColumns {
	/** Those that the service has a field for: the column and its value, by the field's name. */
	known: Map<string, Column>;
	/** All others, in the row's order. */
	others: Column[];
	/** Columns that do not go out since another one of the same meaning does. */
	repeated: string[];
}

export interface Column {
	name: string;
	value: IDataObject[string];
}

/** A row as parameters, as if its fields had been filled in by hand. */
export interface RowParameters {
	parameters: Record<string, unknown>;
	/** The columns that the service has no place for. */
	leftOut: string[];
	/** The column that gave the parameter at a path; undefined where no column did. */
	columnAt(path: PropertyKey[]): string | undefined;
}

/**
 * What a service makes of an item's columns. It may look at other parameters by their names.
 *
 * @throws Failure for a row without the column that holds the address
 */
export type ReadColumns = (
	row: IDataObject,
	settings: ColumnSettings,
	valueFor: (name: string) => unknown,
) => RowParameters;

/** The form in which names of columns are compared: `First Name`, `first_name`, `firstName` are one. */
export function columnKey(name: string): string {
	return name.toLowerCase().replace(/[\s_-]+/g, '');
}

/**
 * Sorts a row's columns into those that the service has a field for and all others.
 *
 * @param fields the names of the service's fields, by the key of a column
 */
export function sortColumns(
	row: IDataObject,
	fields: ReadonlyMap<string, string>,
	{ emailColumn, ignoredColumns }: ColumnSettings,
): SortedColumns {
	const ignored = new Set(ignoredColumns.map(columnKey));
	const emailKey = columnKey(emailColumn);
	const sorted: SortedColumns = { known: new Map(), others: [], repeated: [] };
	for (const [name, value] of Object.entries(row)) {
		const key = columnKey(name);
		const field = key === emailKey ? 'email' : fields.get(key);
		const column = { name, value };
		if (ignored.has(key) && field !== 'email') continue;
		if (field === undefined) sorted.others.push(column);
		else sortKnown(sorted, field, column, emailColumn);
	}
	if (!sorted.known.has('email')) throw withoutEmail(emailColumn, Object.keys(row));
	return sorted;
}

function withoutEmail(emailColumn: string, columns: string[]): Failure {
	const there = columns.length > 0 ? ` This row has: ${columns.join(', ')}` : '';
	return new Failure({
		words: `The row has no column '${emailColumn}'`,
		advice: `Set 'Email Column' to the column with the email address.${there}`,
		field: emailColumnField.displayName,
		value: emailColumn,
	});
}

/** Of several columns for one field, the one that is spelled as asked goes out, else the first with a value. */
function sortKnown(
	{ known, repeated }: SortedColumns,
	field: string,
	column: Column,
	emailColumn: string,
): void {
	const earlier = known.get(field);
	const isAsked = field === 'email' && column.name === emailColumn;
	if (earlier === undefined || isAsked || isBlank(earlier.value)) known.set(field, column);
	const passedOver = known.get(field) === column ? earlier : column;
	if (passedOver && !isBlank(passedOver.value)) repeated.push(passedOver.name);
}

/** True for what no single field can hold: objects, and arrays with objects in them. Dates are values. */
export function isNested(value: unknown): boolean {
	if (Array.isArray(value))
		return value.some((entry) => typeof entry === 'object' && entry !== null);
	return typeof value === 'object' && value !== null && !isDateObject(value);
}

/** The choice between the fields of the editor and the columns of the item. */
export const dataModeField: INodeProperties = {
	displayName: 'Data Mode',
	name: DATA_MODE,
	type: 'options',
	noDataExpression: true,
	options: [
		{
			name: 'Map Automatically',
			value: AUTOMATIC,
			description: 'Use the columns of each input item, matched by name',
		},
		{
			name: 'Map Each Field Below',
			value: 'defineBelow',
			description: 'Set the value of each field here',
		},
	],
	default: 'defineBelow',
};

/** Which column holds the address. */
export const emailColumnField: INodeProperties = {
	displayName: 'Email Column',
	name: 'emailColumn',
	type: 'string',
	default: 'email',
	description:
		'Name of the input column with the email address. Uppercase, spaces and underscores do not matter.',
};

/** Which columns are left out. */
export const ignoredColumnsField: INodeProperties = {
	displayName: 'Ignored Columns',
	name: 'ignoredColumns',
	type: 'string',
	default: '',
	placeholder: 'e.g. row_number, notes',
	description: 'Names of input columns to leave out, separated by commas',
	displayOptions: { show: { [`/${DATA_MODE}`]: [AUTOMATIC] } },
};

/**
 * The fields of a row: mapped automatically, or each by hand.
 *
 * @param byHand the fields to map by hand
 * @param automatic what else there is to say of columns
 */
export function rowFields(
	byHand: INodeProperties[],
	automatic: INodeProperties[] = [],
): INodeProperties[] {
	return [
		dataModeField,
		...[emailColumnField, ...automatic].map((field) => shownWhere(AUTOMATIC, field)),
		...byHand.map((field) => shownWhere('defineBelow', field)),
	];
}

function shownWhere(mode: string, field: INodeProperties): INodeProperties {
	return { ...field, displayOptions: { show: { [DATA_MODE]: [mode] } } };
}
