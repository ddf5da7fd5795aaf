import type { IDataObject } from 'n8n-workflow';

import { get } from '../../shared/http/request';
import { rowsOf } from '../../shared/http/json';
import { columns, sharedType } from '../../shared/fields/columns';
import type { Cell, Column, MappedRow } from '../../shared/fields/columns';
import type { ReadContext } from '../../shared/fields/context';
import type { ReadRows } from '../../shared/fields/mapping';
import { isCalendarDay, isDateObject, readDate } from '../../shared/fields/dates';
import { choice, json } from '../../shared/fields/fields';
import { dateOrder, emptyValues } from '../../shared/fields/sharedFields';
import {
	parsedJson,
	readBoolean,
	readId,
	readInteger,
	readList,
	readName,
	readOrSuggest,
	readText,
} from '../../shared/fields/values';

// The columns of a customer (contract: Customer write object, Property).

interface Property {
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

/** The columns that every account has. */
export const FIXED: Column[] = [
	{
		id: 'email',
		displayName: 'Email',
		type: 'string',
		required: true,
		aliases: ['emailAddress'],
	},
	{ id: 'firstName', displayName: 'First Name', type: 'string' },
	{ id: 'lastName', displayName: 'Last Name', type: 'string' },
	{ id: 'company', displayName: 'Company', type: 'string', aliases: ['companyName'] },
	{ id: 'tags', displayName: 'Tags', type: 'string' },
];

/** The service's types by those of n8n's editor that differ. */
const TYPES = new Map([
	['dateTime', 'date'],
	['number', 'integer'],
	['array', 'collection'],
	['object', 'string'],
]);

function serviceType(type: string): string {
	return TYPES.get(type) ?? type;
}

const base = {
	fixed: FIXED,
	ownNames: (row: IDataObject) => (isCustomer(row) ? ['id', 'companyId', 'createdDate'] : []),
};

const emptyValuesOption = emptyValues('names, companies and properties');

const dateFormat = choice({
	displayName: 'Date Format',
	options: [
		{ name: 'ISO 8601', value: 'iso', description: '2026-11-21T00:00:00.000Z' },
		{ name: 'Month/Day/Year', value: 'monthDayYear', description: '11/21/2026' },
	],
	default: 'iso',
	description: 'Form in which dates are sent',
});

/** The columns of a customer with its properties. */
export const customerColumns = columns('Survey A', {
	...base,
	extra: {
		idOf: (name) => PREFIX + name,
		plural: 'Properties',
		typeOf,
		isAmbiguous: (value) => typeof value === 'string' && LOOKS_TYPED.test(value),
		typeName: (type) => (type === 'string' ? 'text' : serviceType(type)),
		read: accountProperties,
	},
	expand: propertiesIn,
	options: {
		dateFormat,
		dateOrder,
		emptyValues: emptyValuesOption,
		additionalProperties: json({
			displayName: 'Additional Properties (JSON)',
			placeholder: 'e.g. { "Plan": "Team", "Seats": 12 }',
			description:
				'Properties as a JSON object of labels and values, such as those that the account does not have yet. Whole numbers, true and false, ISO 8601 dates and arrays keep their type. A mapped column with the same label wins.',
		}),
	},
	read(row, { additionalProperties, dateFormat }): Customer {
		const context = { ...row.context, dateFormat };
		const properties = row.extras(
			PREFIX,
			additionalProperties,
			(label) => label,
			(label, value, type = typeOf([value])) =>
				propertyOf(label, value, serviceType(type), context),
		);
		return { ...customerOf(row), properties };
	},
});

/** The columns that the deprecated endpoint takes: it has no properties. */
export const legacyCustomerColumns = columns('Survey A', {
	...base,
	options: { emptyValues: emptyValuesOption },
	read: customerOf,
});

/** Reads the properties that the newest 1,000 customers have (contract: GET customers). */
export async function accountProperties(readRows: ReadRows): Promise<Column[]> {
	const rows = await readRows(get('/api/v2/nps/customers', { limit: 1000 }), 'subscribers');
	const types = new Map<string, unknown>();
	const add = ({ label, name, type }: IDataObject) => types.set(String(label || name || ''), type);
	for (const { properties } of rows) rowsOf(properties)?.forEach(add);
	types.delete('');
	const names = [...types.keys()].sort();
	return names.map((displayName) => ({
		id: PREFIX + displayName,
		displayName,
		type: fieldType(types.get(displayName)),
	}));
}

function fieldType(type: unknown): Column['type'] {
	if (type === 'date') return 'dateTime';
	if (type === 'integer') return 'number';
	if (type === 'collection') return 'array';
	return type === 'boolean' ? type : 'string';
}

function customerOf(row: MappedRow): Omit<Customer, 'properties'> {
	return {
		email: row.fixed('email', readId) ?? '',
		firstName: row.text('firstName'),
		lastName: row.text('lastName'),
		company: row.text('company'),
		tags: row.fixed('tags', readList),
	};
}

type DateContext = ReadContext & { dateFormat: ReturnType<typeof dateFormat.read> };

/** Reads a property; undefined when an empty text would have to clear a number or a boolean. */
function propertyOf(
	name: string,
	value: unknown,
	type: string,
	context: DateContext,
): Property | undefined {
	const label = readName(name);
	if (value !== '') return { label, type, value: valueOf(value, type, context) };
	return type === 'integer' || type === 'boolean' ? undefined : { label, type, value };
}

const AS_TEXT = "or map it as text with 'Additional Properties (JSON)'";

function valueOf(value: unknown, type: string, context: DateContext): unknown {
	switch (type) {
		case 'integer':
			return readOrSuggest(AS_TEXT, 'Use a whole number', () => readInteger(value));
		case 'boolean':
			return readOrSuggest(AS_TEXT, 'Use true or false', () => readBoolean(value));
		case 'date':
			return readOrSuggest(AS_TEXT, 'Correct the date', () => dateText(value, context));
		case 'collection':
			return entriesOf(value)?.map(anyText) ?? anyText(value);
		default:
			return isDateObject(value) ? dateText(value, context) : anyText(value);
	}
}

/** Returns the entries of an array, or of its JSON as the editor keeps it. */
function entriesOf(value: unknown): unknown[] | undefined {
	const isJson = typeof value === 'string' && /^\s*\[.*\]\s*$/s.test(value);
	const read = isJson ? parsedJson(value) : value;
	return Array.isArray(read) ? read : undefined;
}

function dateText(value: unknown, context: DateContext): string {
	const date = readDate(value, context);
	return context.dateFormat === 'monthDayYear' ? date.monthDayYear() : date.isoTimestamp();
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

function typeOf(values: unknown[]): Column['type'] {
	return sharedType(values, Number.isSafeInteger, isIsoDate);
}

function isIsoDate(value: unknown): boolean {
	if (typeof value !== 'string' || !ISO_DATE.test(value.trim())) return false;
	return isCalendarDay(value.trim().slice(0, '2026-11-21'.length));
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

function isProperty(entry: IDataObject): boolean {
	return 'value' in entry && ('label' in entry || 'name' in entry);
}
