import type { FieldType, GenericValue, IDataObject } from 'n8n-workflow';

import { Failure } from '../../shared/base/failure';
import { isObject, objectsIn, recordsOf } from '../../shared/base/json';
import { compareTexts } from '../../shared/base/text';
import { isDateObject, readDate } from '../../shared/fields/dates';
import type { ReadContext, ReadRecords } from '../../shared/fields/field';
import { choice } from '../../shared/fields/kinds';
import { dateOrder } from '../../shared/fields/common';
import { idsOf, personColumns, unsubscribed } from '../../surveys/people';
import {
	entriesIn,
	readBoolean,
	readInteger,
	readList,
	readName,
	readNumber,
	readText,
} from '../../shared/fields/values';
import { get } from '../../shared/http/request';
import { columns, jsonOption, mappingOptions } from '../../shared/mapping/columns';
import type { MappedItem } from '../../shared/mapping/mappedItem';
import type { Cell, Column } from '../../shared/mapping/shape';
import { isOptOutName, objectionOf, readUnsubscribed } from '../../surveys/optOut';

// The columns of a customer (contract: Customer write object, Property).

const PREFIX = 'property:';

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

const CLEARED = 'names, companies, tags and properties';

/** No request has a field for Unsubscribed: Create or Update fails where it is true, and Send skips the person. */
export const SURVEY_FIXED = [...FIXED, unsubscribed];

const base = {
	fixed: SURVEY_FIXED,
	ownRecord: {
		isOwn: isCustomer,
		systemColumns: ['id', 'companyId', 'createdDate'],
		column: 'properties',
		cells: propertyCells,
	},
};

const dateFormat = choice({
	displayName: 'Date Format',
	options: [
		{ name: 'ISO 8601', value: 'iso', description: '2026-11-21T00:00:00.000Z' },
		{ name: 'Month/Day/Year', value: 'monthDayYear', description: '11/21/2026' },
	],
	description: 'Form in which dates are sent. Without this option, it is ISO 8601.',
});

export interface MappedCustomer {
	email: string;
	customer: IDataObject;
	objection?: ReturnType<typeof objectionOf>;
}

const customerWith = (isSurvey: boolean) =>
	columns('Survey A', {
		...base,
		isGuard: isSurvey ? isOptOutName : undefined,
		example: `Column IDs: ${idsOf(isSurvey ? SURVEY_FIXED : FIXED)}, and property:<label> for each property.`,
		properties: {
			idOf: (name) => PREFIX + name,
			prefixes: { additionalProperties: PREFIX },
			isNumber: Number.isSafeInteger,
			typeNames: { ...SERVICE_TYPES, string: 'text' },
			read: accountProperties,
			hasAliases: true,
		},
		options: {
			...mappingOptions('Properties', CLEARED),
			dateFormat,
			dateOrder,
			additionalProperties: jsonOption(
				'Additional Properties (JSON)',
				'e.g. { "Plan": "Team", "Seats": 12 }',
				'More properties',
				'label',
			),
		},
		read(item, options): MappedCustomer {
			const { context } = item;
			const properties = item.properties(PREFIX, (label, value, type, isOwn) => ({
				label: readName(label),
				type: SERVICE_TYPES[type] ?? 'string',
				value:
					value === '' || (isOwn && type === 'dateTime')
						? String(value)
						: valueOf(value, type, context, options.dateFormat),
			}));
			const customer = customerOf(item, properties.length > 0 ? properties : undefined);
			if (isSurvey) return surveyed(item, customer);
			item.fixed(unsubscribed.id, failUnsubscribed);
			return customer;
		},
	});

export const customerColumns = customerWith(false);

export const surveyedColumns = customerWith(true);

/** The columns that the deprecated endpoint takes: it has no properties. */
export const columnsWithoutProperties = columns('Survey A', {
	...base,
	isGuard: isOptOutName,
	example: `Column IDs: ${idsOf(SURVEY_FIXED)}.`,
	options: mappingOptions('Columns', CLEARED),
	read: (item): MappedCustomer => surveyed(item, customerOf(item)),
});

function surveyed(item: MappedItem, customer: MappedCustomer): MappedCustomer {
	return { ...customer, objection: objectionOf(item, customer.email) };
}

/** The endpoint for customers has no field for an opt-out. */
function failUnsubscribed(value: unknown): void {
	if (!readUnsubscribed(value)) return;
	throw Failure.value(
		'says that the person unsubscribed, which Create or Update cannot save',
		'Send this row to Customer → Unsubscribe, for example with an IF node before this one',
	);
}

export async function accountProperties(readRecords: ReadRecords): Promise<Column[]> {
	const records = await readRecords(get('/api/v2/nps/customers'), 'subscribers', 100);
	const properties = new Map<string, Column>();
	for (const { label, name, type } of records.flatMap((record) => objectsIn(record.properties))) {
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

function customerOf(item: MappedItem, properties?: IDataObject[]): MappedCustomer {
	const email = item.email();
	const customer = {
		email,
		first_name: item.text('firstName'),
		last_name: item.text('lastName'),
		company: item.text('company'),
		tags: item.list('tags', readList),
		properties,
	};
	return { email, customer };
}

function valueOf(
	value: unknown,
	type: FieldType,
	context: ReadContext,
	dateFormat?: 'iso' | 'monthDayYear',
): GenericValue | GenericValue[] {
	if (type === 'number') return readInteger(value);
	if (type === 'boolean') return readBoolean(value);
	if (type === 'array') return collectionOf(value);
	if (type !== 'dateTime' && !isDateObject(value)) return anyText(value);
	const date = readDate(value, context);
	return dateFormat === 'monthDayYear' ? date.monthDayYear() : date.isoTimestamp();
}

/** Reads the entries of a list, which keep their types. Text has commas between them. */
function collectionOf(value: unknown): GenericValue[] | undefined {
	if (isObject(value)) throw Failure.value('must be a list');
	return entriesIn(value).map((entry) => {
		if (typeof entry === 'number') return readNumber(entry);
		if (typeof entry === 'string' || typeof entry === 'boolean') return entry;
		throw Failure.value('must be a list of texts, numbers, or true and false');
	});
}

/** Spreadsheets return numbers and booleans in place of text. */
function anyText(value: unknown): string {
	return typeof value === 'boolean' ? String(value) : readText(value);
}

/**
 * The ID of a customer has 24 hex digits, as has that of feedback and of a company; the response of an upsert has properties,
 * perhaps none, and no ID.
 */
function isCustomer(row: IDataObject): boolean {
	const { id, properties } = row;
	if (isPropertyList(properties)) return true;
	const isOther = ['score', 'domain'].some((name) => name in row);
	const isOne = Array.isArray(properties) || /^[0-9a-f]{24}$/i.test(String(id));
	return !isOther && 'createdDate' in row && isOne;
}

function isPropertyList(value: unknown): boolean {
	const isProperty = (entry: IDataObject) =>
		'value' in entry && ('label' in entry || 'name' in entry);
	const records = recordsOf(value) ?? [];
	return records.length > 0 && records.every(isProperty);
}

/** The service's own records have a `properties` array. */
function propertyCells({ properties }: IDataObject): Cell[] | undefined {
	if (!isPropertyList(properties)) return undefined;
	return objectsIn(properties).map(({ label, name, type, value }) => {
		const title = String(label || name || '');
		const stated = EDITOR_TYPES.get(String(type)) ?? (type ? 'string' : undefined);
		return {
			id: PREFIX + title,
			label: title || 'properties',
			value,
			type: stated,
			source: 'record',
		};
	});
}
