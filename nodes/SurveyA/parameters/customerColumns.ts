import type { FieldType, IDataObject } from 'n8n-workflow';

import { get } from '../../shared/http/request';
import { isObject, rowsOf } from '../../shared/http/json';
import { CellReader, columns } from '../../shared/parameters/columns';
import type { Cell, Column, ColumnSpec, EmptyValues } from '../../shared/parameters/columns';
import type { ReadContext } from '../../shared/parameters/context';
import { isDateObject, readDate } from '../../shared/parameters/dates';
import { choice, json } from '../../shared/parameters/fields';
import type { ReadRows } from '../../shared/parameters/parameters';
import { dateOrder, emptyValues } from '../../shared/parameters/sharedFields';
import {
	InvalidValue,
	isBlank,
	parsedJson,
	readBoolean,
	readId,
	readInteger,
	readList,
	readName,
	readText,
} from '../../shared/parameters/values';

// The columns of a customer (contract: Customer write object, Property).

/** A property as it is sent. */
export interface Property {
	label: string;
	type: string;
	value: unknown;
}

/** A customer as it is sent. */
export interface Customer {
	email: string;
	firstName?: string;
	lastName?: string;
	company?: string;
	tags?: string[];
	properties: Property[];
}

const PREFIX = 'property:';

/** The columns of every account. */
export const FIXED: Column[] = [
	{ id: 'email', displayName: 'Email', type: 'string', required: true },
	{ id: 'firstName', displayName: 'First Name', type: 'string' },
	{ id: 'lastName', displayName: 'Last Name', type: 'string' },
	{ id: 'company', displayName: 'Company', type: 'string', aliases: ['companyName'] },
	{ id: 'tags', displayName: 'Tags', type: 'string' },
];

/** The service's types, how n8n's editor calls them, and how hints do. */
const TYPES: Array<{ type: string; field: FieldType; name: string }> = [
	{ type: 'string', field: 'string', name: 'text' },
	{ type: 'date', field: 'dateTime', name: 'date' },
	{ type: 'integer', field: 'number', name: 'integer' },
	{ type: 'boolean', field: 'boolean', name: 'boolean' },
	{ type: 'collection', field: 'array', name: 'collection' },
];

const valueOptions = {
	dateFormat: choice({
		displayName: 'Date Format',
		options: [
			{ name: 'ISO 8601', value: 'iso', description: '2026-11-21T00:00:00.000Z' },
			{ name: 'Month/Day/Year', value: 'monthDayYear', description: '11/21/2026' },
		],
		default: 'iso',
		description: 'Form in which dates are sent',
	}),
	dateOrder,
	emptyValues: emptyValues('names, companies and properties'),
};

const propertyOptions = {
	...valueOptions,
	additionalProperties: json({
		displayName: 'Additional Properties (JSON)',
		placeholder: 'e.g. { "Plan": "Team", "Seats": 12 }',
		description:
			'Properties as a JSON object of labels and values, such as those that the account does not have yet. Whole numbers, true and false, ISO 8601 dates and arrays keep their type. A mapped column with the same label wins.',
	}),
};

interface ValueOptions {
	dateFormat?: 'iso' | 'monthDayYear';
	emptyValues?: EmptyValues;
}

const base = {
	fixed: FIXED,
	/** The names that the service writes into a customer. */
	ownNames: (row: IDataObject) => (isCustomer(row) ? ['id', 'companyId', 'createdDate'] : []),
};

const withProperties: ColumnSpec<ValueOptions & { additionalProperties?: IDataObject }, Customer> =
	{
		...base,
		extra: {
			idOf: (name) => PREFIX + name,
			plural: 'Properties',
			typeOf,
			isAmbiguous: (values) =>
				values.some((value) => typeof value === 'string' && LOOKS_TYPED.test(value)),
			typeOfField: (field) => TYPES.find((type) => type.field === field)?.type ?? 'string',
			typeName: (type) => TYPES.find((known) => known.type === type)?.name ?? type,
			read: accountProperties,
		},
		expand: propertiesIn,
		options: propertyOptions,
		read(cells, options, context) {
			const reader = new CellReader(cells, options.emptyValues);
			const own = cells.filter(({ id }) => id.startsWith(PREFIX));
			const labels = new Set(own.map(({ id }) => id));
			const more = Object.entries(options.additionalProperties ?? {})
				.map(([label, value]) => ({ id: PREFIX + label, label, value, type: typeOf([value]) }))
				.filter(({ id }) => !labels.has(id));
			const properties = [...more, ...own].map((cell) =>
				reader.read(cell, () => propertyOf(cell, reader, options, context)),
			);
			const customer = { ...customerOf(reader), properties: properties.filter(isSent) };
			reader.finish();
			return customer;
		},
	};

function isSent(property: Property | undefined): property is Property {
	return property !== undefined;
}

/** The columns of a customer with its properties. */
export const customerColumns = columns('Survey A', withProperties);

/** The columns that the deprecated endpoint takes: it has no properties. */
export const legacyCustomerColumns = columns('Survey A', {
	...base,
	expand: () => undefined,
	options: { emptyValues: valueOptions.emptyValues },
	read(cells, { emptyValues }: ValueOptions): Customer {
		const reader = new CellReader(cells, emptyValues);
		const customer = { ...customerOf(reader), properties: [] };
		reader.finish();
		return customer;
	},
});

/** Reads the properties that the newest 1,000 customers have (contract: GET customers). */
export async function accountProperties(readRows: ReadRows): Promise<Column[]> {
	const rows = await readRows(get('/api/v2/nps/customers', { limit: 1000 }), 'subscribers');
	const found = new Map<string, Column>();
	for (const { label, name, type } of rows.flatMap((row) => rowsOf(row.properties) ?? [])) {
		const displayName = String(label || name || '');
		const field = TYPES.find((known) => known.type === type)?.field ?? 'string';
		if (displayName) found.set(displayName, { id: PREFIX + displayName, displayName, type: field });
	}
	return [...found.values()].sort((a, b) => (a.displayName < b.displayName ? -1 : 1));
}

function customerOf(reader: CellReader): Omit<Customer, 'properties'> {
	return {
		email: reader.fixed('email', readId) ?? '',
		firstName: reader.text('firstName'),
		lastName: reader.text('lastName'),
		company: reader.text('company'),
		tags: reader.fixed('tags', readList),
	};
}

/** Types that no empty text can clear. */
const WITHOUT_EMPTY = new Set(['integer', 'boolean']);

/** Reads a property; undefined for one without a value. */
function propertyOf(
	{ id, value, type = 'string' }: Cell,
	reader: CellReader,
	options: ValueOptions,
	context: ReadContext,
): Property | undefined {
	const label = readName(id.slice(PREFIX.length));
	if (!isBlank(value)) return { label, type, value: readAs(type, value, options, context) };
	const cleared = WITHOUT_EMPTY.has(type) ? undefined : reader.cleared(value);
	return cleared === undefined ? undefined : { label, type, value: cleared };
}

const AS_TEXT = "or map it as text with 'Additional Properties (JSON)'";

function readAs(type: string, value: unknown, options: ValueOptions, context: ReadContext) {
	switch (type) {
		case 'integer':
			return orAsText('Use a whole number', () => readInteger(value));
		case 'boolean':
			return orAsText('Use true or false', () => readBoolean(value));
		case 'date':
			return orAsText('Correct the date', () => dateText(value, options, context));
		case 'collection':
			return entriesOf(value)?.map(anyText) ?? anyText(value);
		default:
			return isDateObject(value) ? dateText(value, options, context) : anyText(value);
	}
}

/** Returns the entries of an array, or of its JSON as the editor keeps it. */
function entriesOf(value: unknown): unknown[] | undefined {
	const isJson = typeof value === 'string' && /^\s*\[.*\]\s*$/s.test(value);
	const read = isJson ? parsedJson(value) : value;
	return Array.isArray(read) ? read : undefined;
}

function dateText(value: unknown, { dateFormat }: ValueOptions, context: ReadContext): string {
	const date = readDate(value, context);
	return dateFormat === 'monthDayYear' ? date.monthDayYear() : date.isoTimestamp();
}

/** Adds to the problem of a value how to send it all the same. */
function orAsText<Value>(hint: string, read: () => Value): Value {
	let problem: InvalidValue;
	try {
		return read();
	} catch (error) {
		problem = error instanceof InvalidValue ? error : new InvalidValue('cannot be used');
	}
	throw new InvalidValue(problem.message, `${problem.hint ?? hint}, ${AS_TEXT}`);
}

/** Reads text, or a value that spreadsheets return in its place. */
function anyText(value: unknown): string {
	return typeof value === 'boolean' ? String(value) : readText(value);
}

const DAY = /(19\d\d|20\d\d|2100)-\d\d-\d\d/;
const TIME = /([01]\d|2[0-3]):[0-5]\d(:[0-5]\d([.,]\d+)?)?/;
const ZONE = /Z|[+-]([01]\d|2[0-3])(:?[0-5]\d)?/;
const ISO_DATE = new RegExp(`^${DAY.source}([T ]${TIME.source}\\s?(${ZONE.source})?)?$`, 'i');

/** Text that the account may know as a number, a boolean, or a date. */
const LOOKS_TYPED =
	/^\s*([+-]?\d+(\.\d+)?|true|false|yes|no|\d{1,4}[./-]\d{1,2}[./-]\d{1,4}.*)\s*$/i;

/** Decides the type of a new property from all its values: what they do not share is text. */
function typeOf(values: unknown[]): string {
	const filled = values.filter((value) => !isBlank(value));
	const all = (test: (value: unknown) => boolean) => filled.length > 0 && filled.every(test);
	if (all((value) => typeof value === 'boolean')) return 'boolean';
	if (all(Number.isSafeInteger)) return 'integer';
	if (all(Array.isArray)) return 'collection';
	return all(isDay) ? 'date' : 'string';
}

/** Returns whether a value is a date in ISO 8601 form, on a day that the calendar has. */
function isDay(value: unknown): boolean {
	if (isDateObject(value)) return true;
	if (typeof value !== 'string' || !ISO_DATE.test(value.trim())) return false;
	const day = value.trim().slice(0, 10);
	const date = new Date(`${day}T00:00:00Z`);
	return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(day);
}

/** The ID of a customer has 24 hex digits; the response of an upsert has properties and no ID. */
function isCustomer(row: IDataObject): boolean {
	const hasProperties = propertiesIn('properties', row.properties) !== undefined;
	return hasProperties || ('createdDate' in row && /^[0-9a-f]{24}$/i.test(String(row.id)));
}

/** Returns the cells of the `properties` array that the service's own records have. */
function propertiesIn(name: string, value: unknown): Cell[] | undefined {
	const properties = name === 'properties' ? rowsOf(value) : undefined;
	if (!properties?.every(isProperty)) return undefined;
	return properties.map(({ label, name: key, type, value: inside }) => {
		const title = String(label || key);
		// The service returns `text` for what it takes as `string`.
		const known = type === 'text' ? 'string' : String(type ?? typeOf([inside]));
		return { id: PREFIX + title, label: title, value: inside, type: known };
	});
}

function isProperty(entry: unknown): boolean {
	return isObject(entry) && 'value' in entry && ('label' in entry || 'name' in entry);
}
