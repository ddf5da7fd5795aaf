import type { FieldType, GenericValue, IDataObject } from 'n8n-workflow';

import { Failure } from '../../shared/base/failure';
import { isObject, objectsIn, recordsOf } from '../../shared/base/json';
import { compareTexts } from '../../shared/base/text';
import { columns, mappingOptions } from '../../shared/fields/columns';
import { isDateObject, readDate } from '../../shared/fields/dates';
import type { ReadContext, ReadRecords } from '../../shared/fields/field';
import { choice, json } from '../../shared/fields/fields';
import type { Cell, Column, MappedItem } from '../../shared/fields/mappedItem';
import { dateOrder, personColumns, unsubscribed } from '../../shared/fields/sharedFields';
import {
	entriesIn,
	readBoolean,
	readEmail,
	readInteger,
	readList,
	readName,
	readText,
} from '../../shared/fields/values';
import { get } from '../../shared/http/request';

// The columns of a customer (contract: Customer write object, Property).

const PREFIX = 'property:';

/** The columns that every account has. */
export const FIXED: Column[] = [
	...personColumns,
	{ id: 'company', displayName: 'Company', type: 'string', aliases: ['companyName'] },
	{ id: 'tags', displayName: 'Tags', type: 'string' },
];

/** The editor's types by the service's; all others are `string`, for which the service also returns `text`. */
const EDITOR_TYPES = new Map<string, FieldType>([
	['date', 'dateTime'],
	['integer', 'number'],
	['collection', 'array'],
	['boolean', 'boolean'],
]);

const SERVICE_TYPES = Object.fromEntries(
	[...EDITOR_TYPES].map(([name, type]) => [type, name] as const),
);

/** The names that the service writes in its own records. */
const OWN_NAMES = new Set(['id', 'companyId', 'createdDate']);

const idsOf = (fixed: Column[]) => fixed.map(({ id }) => id).join(', ');

const CLEARED = 'names, companies, tags and properties';

const base = {
	isLeftOut: (name: string, item: IDataObject) => OWN_NAMES.has(name) && isCustomer(item),
};

const dateFormat = choice({
	displayName: 'Date Format',
	options: [
		{ name: 'ISO 8601', value: 'iso', description: '2026-11-21T00:00:00.000Z' },
		{ name: 'Month/Day/Year', value: 'monthDayYear', description: '11/21/2026' },
	],
	default: 'iso',
	description: 'Form in which dates are sent. Without this option, it is ISO 8601.',
});

/** The columns of a survey: an item that says that the person unsubscribed is skipped, and the request has no such field. */
const surveyFixed = [...FIXED, { ...unsubscribed, isNotSent: true }];

/** Returns the columns of a customer with its properties. */
const customerWith = (fixed: Column[]) =>
	columns('Survey A', {
		...base,
		fixed,
		example: `Column IDs: ${idsOf(fixed)}, and property:<label> for each property; a new label creates it.
columns: { mappingMode: 'defineBelow', value: { email: expr('{{ $json.email }}'), firstName: expr('{{ $json.first_name }}'), 'property:Plan': 'Team' } }`,
		extra: {
			idOf: (name) => PREFIX + name,
			prefixes: { additionalProperties: PREFIX },
			typed: statedValue,
			isNumber: Number.isSafeInteger,
			typeNames: { ...SERVICE_TYPES, string: 'text' },
			read: accountProperties,
			hasAliases: true,
		},
		expand: propertyCells,
		options: {
			...mappingOptions('Properties', CLEARED),
			dateFormat,
			dateOrder,
			additionalProperties: json({
				displayName: 'Additional Properties (JSON)',
				placeholder: 'e.g. { "Plan": "Team", "Seats": 12 }',
				description:
					'More properties as a JSON object of labels and values. A value such as { "type": "string", "value": "2027-03-04" } states its type. A mapped column with the same label wins. Without this option, there are none.',
			}),
		},
		read(item, options) {
			const properties = item.extras(PREFIX, (label, value, type) => ({
				label: readName(label),
				type: SERVICE_TYPES[type] ?? 'string',
				value: value === '' ? value : valueOf(value, type, label, item.context, options.dateFormat),
			}));
			return { ...customerOf(item), properties: properties.length > 0 ? properties : undefined };
		},
	});

export const customerColumns = customerWith(FIXED);

export const surveyedColumns = customerWith(surveyFixed);

/** The columns that the deprecated endpoint takes: it has no properties. */
export const legacyCustomerColumns = columns('Survey A', {
	...base,
	fixed: surveyFixed,
	example: `Column IDs: ${idsOf(surveyFixed)}.`,
	options: mappingOptions('Columns', CLEARED),
	read: customerOf,
});

/** Reads the properties that the newest 1,000 customers have (contract: GET customers). */
export async function accountProperties(readRecords: ReadRecords): Promise<Column[]> {
	const records = await readRecords(get('/api/v2/nps/customers'), 'subscribers', 1000);
	const properties = new Map<string, Column>();
	for (const { label, name, type } of records.flatMap((one) => objectsIn(one.properties))) {
		const displayName = String(label || name || '');
		properties.set(displayName, {
			id: PREFIX + displayName,
			displayName,
			type: EDITOR_TYPES.get(String(type)) ?? 'string',
			aliases: name ? [String(name)] : undefined,
			isUnlabeled: !label,
		});
	}
	properties.delete('');
	return [...properties.values()].sort((a, b) => compareTexts(a.displayName, b.displayName));
}

/** Returns the value of `{ "type": "string", "value": "2027-03-04" }`, in the service's types. */
function statedValue(given: unknown): Pick<Cell, 'value' | 'type'> | undefined {
	if (!isObject(given) || Object.keys(given).sort().join() !== 'type,value') return undefined;
	return { value: given.value, type: EDITOR_TYPES.get(String(given.type)) ?? 'string' };
}

/** Returns the service's write object of a customer, without properties. */
function customerOf(item: MappedItem) {
	return {
		email: item.fixed('email', readEmail) ?? '',
		first_name: item.text('firstName'),
		last_name: item.text('lastName'),
		company: item.text('company'),
		tags: item.list('tags', readList),
		unsubscribed: item.fixed('unsubscribed', readBoolean) || undefined,
	};
}

function valueOf(
	value: unknown,
	type: FieldType,
	label: string,
	context: ReadContext,
	dateFormat?: 'iso' | 'monthDayYear',
): unknown {
	if (type === 'number') return readInteger(value);
	if (type === 'boolean') return readBoolean(value);
	if (type === 'array') return collectionOf(value);
	if (type !== 'dateTime' && !isDateObject(value)) return anyText(value);
	const date = readDate(value, context);
	if (date.isInWorkflowZone && /\b(?:UTC|GMT)\b/i.test(label)) {
		context.warn(`Times without a zone that were sent as times in ${context.zone}`, label);
	}
	return dateFormat === 'monthDayYear' ? date.monthDayYear() : date.isoTimestamp();
}

/** Reads the entries of a list, which keep their types. Text has commas between them. */
function collectionOf(value: unknown): GenericValue[] | undefined {
	if (isObject(value)) throw Failure.value('must be a list');
	return entriesIn(value).map((entry) => {
		return typeof entry === 'number' || typeof entry === 'boolean' ? entry : anyText(entry);
	});
}

/** Reads text, or a value that spreadsheets return in its place. */
function anyText(value: unknown): string {
	return typeof value === 'boolean' ? String(value) : readText(value);
}

/**
 * The ID of a customer has 24 hex digits, as has that of feedback and of a company; the response of an upsert has properties
 * and no ID.
 */
function isCustomer(item: IDataObject): boolean {
	if (propertyCells('properties', item) !== undefined) return true;
	const isOther = ['score', 'domain'].some((name) => name in item);
	return !isOther && 'createdDate' in item && /^[0-9a-f]{24}$/i.test(String(item.id));
}

/** Returns the cells of the `properties` array that the service's own records have. */
function propertyCells(column: string, item: IDataObject): Cell[] | undefined {
	const properties = column === 'properties' ? recordsOf(item.properties) : undefined;
	const isProperty = (one: IDataObject) => 'value' in one && ('label' in one || 'name' in one);
	if (!properties?.every(isProperty)) return undefined;
	return properties.map(({ label, name, type, value }) => {
		const title = String(label || name || '');
		const stated = EDITOR_TYPES.get(String(type)) ?? (type ? 'string' : undefined);
		return { id: PREFIX + title, label: title || column, value, type: stated, source: 'record' };
	});
}
