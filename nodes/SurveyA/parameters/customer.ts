import type { IDataObject, INodeProperties } from 'n8n-workflow';
import { z } from 'zod/v4';

import { once } from '../../shared/http/once';
import { typeOf } from './columns';
import { jsonObject } from '../../shared/parameters/jsonObject';
import { readDate } from '../../shared/parameters/dates';
import { readBoolean, readInteger } from '../../shared/parameters/numbers';
import {
	clearableText,
	collection,
	entries,
	id,
	optionalWord,
	readName,
	readText,
	stringList,
} from '../../shared/parameters/schemas';
import { emptied, isBlank, issueOf, optional, Unusable } from '../../shared/parameters/values';

// The customer as it is written: the fields, their schemas, and the service's write object.

const propertiesField: INodeProperties = {
	displayName: 'Properties',
	name: 'properties',
	type: 'fixedCollection',
	typeOptions: { multipleValues: true },
	placeholder: 'Add property',
	default: {},
	description:
		'Properties to set. New ones are created in Survey A; a property without a value is left unchanged.',
	options: [
		{
			displayName: 'Property',
			name: 'property',
			values: [
				{
					displayName: 'Date Format',
					name: 'dateFormat',
					type: 'options',
					displayOptions: { show: { type: ['date'] } },
					options: [
						{ name: 'ISO 8601', value: 'iso', description: '2026-11-21T00:00:00.000Z' },
						{ name: 'Month/Day/Year', value: 'monthDayYear', description: '11/21/2026' },
					],
					default: 'iso',
					description: 'Form in which the date is sent',
				},
				{
					displayName: 'Label',
					name: 'label',
					type: 'string',
					default: '',
					placeholder: 'e.g. Renewal Date',
					description: 'Name of the property, as shown in Survey A',
				},
				{
					displayName: 'Type',
					name: 'type',
					type: 'options',
					options: [
						{ name: 'Boolean', value: 'boolean' },
						{ name: 'Collection', value: 'collection' },
						{ name: 'Date', value: 'date' },
						{ name: 'Integer', value: 'integer' },
						{ name: 'String', value: 'string' },
					],
					default: 'string',
				},
				{
					displayName: 'Value',
					name: 'value',
					type: 'string',
					default: '',
					description:
						'Value in the form of the type. A collection is text with commas, or an array from an expression.',
				},
			],
		},
	],
};

/** What a customer may have besides an address (contract: Customer write object). */
export const customerFields: INodeProperties = {
	displayName: 'Additional Fields',
	name: 'additionalFields',
	type: 'collection',
	placeholder: 'Add field',
	default: {},
	options: [
		{
			displayName: 'Company',
			name: 'company',
			type: 'string',
			default: '',
			placeholder: 'e.g. Acme',
			description: 'Name of the company',
		},
		{
			displayName: 'First Name',
			name: 'firstName',
			type: 'string',
			default: '',
			placeholder: 'e.g. Nathan',
		},
		{
			displayName: 'Last Name',
			name: 'lastName',
			type: 'string',
			default: '',
			placeholder: 'e.g. Smith',
		},
		propertiesField,
		{
			displayName: 'Properties (JSON)',
			name: 'propertiesJson',
			type: 'json',
			default: '',
			placeholder: 'e.g. { "Plan": "Team", "Seats": 12 }',
			description:
				'Properties as a JSON object of labels and values. Whole numbers, true and false, ISO 8601 dates and arrays keep their type. A property that is also set above has the value from there.',
		},
		{
			displayName: 'Tags',
			name: 'tags',
			type: 'string',
			default: '',
			placeholder: 'e.g. vip, renewal',
			description: 'Tags separated by commas, or an array of tags from an expression',
		},
	],
};

/** Those that the deprecated endpoint takes: it has no properties. */
export const legacyCustomerFields: INodeProperties = {
	...customerFields,
	options: customerFields.options?.filter(({ name }) => !name.startsWith('properties')),
};

const TYPES = ['string', 'date', 'integer', 'collection', 'boolean', 'text'] as const;

const property = once(() =>
	z.object({
		label: optional(readName),
		type: optionalWord(TYPES),
		dateFormat: optionalWord(['iso', 'monthDayYear']),
		value: z.unknown().optional(),
	}),
);

type Property = z.output<ReturnType<typeof property>>;

/** Types of which an empty text is no value: such a property cannot be cleared. */
const WITHOUT_EMPTY = new Set(['integer', 'boolean']);

/** A row of Properties as the service takes it; undefined for one without a value. */
const propertyInput = once(() =>
	property().transform(({ label, type = 'string', dateFormat, value }, context) => {
		const sent = isBlank(value) && !WITHOUT_EMPTY.has(type) ? emptied(value) : undefined;
		if (isBlank(value) && sent === undefined) return undefined;
		if (label === undefined) {
			context.addIssue({ ...issueOf(new Unusable('is missing')), path: ['label'] });
			return z.NEVER;
		}
		try {
			const read = sent ?? readers[type](value, dateFormat);
			// The service answers with `text` for what it takes as `string`.
			return { label, type: type === 'text' ? 'string' : type, value: read };
		} catch (error) {
			context.addIssue({ ...issueOf(error, `of property '${label}'`), path: ['value'] });
			return z.NEVER;
		}
	}),
);

type ReadProperty = (value: unknown, dateFormat: Property['dateFormat']) => unknown;

/** How the value of each type is read. */
const readers: Record<(typeof TYPES)[number], ReadProperty> = {
	string: readAnyText,
	text: readAnyText,
	integer: readInteger,
	boolean: readBoolean,
	collection: (value) => (Array.isArray(value) ? value.map(readAnyText) : readAnyText(value)),
	date(value, format) {
		const date = readDate(value);
		return format === 'monthDayYear' ? date.monthDayYear() : date.isoTimestamp();
	},
};

/** Text, or what a spreadsheet gives in its place. */
function readAnyText(value: unknown): string {
	return typeof value === 'boolean' ? String(value) : readText(value);
}

/** The rows that a JSON object of labels and values stands for. */
function rowsOfJson(properties: IDataObject = {}): unknown[] {
	return Object.entries(properties).map(([label, value]) => ({
		label,
		type: typeOf(value),
		value,
	}));
}

/** The parameters of one customer, with the schema of each. */
export const customerInput = () => ({
	email: id,
	additionalFields: collection({
		firstName: clearableText,
		lastName: clearableText,
		company: clearableText,
		tags: stringList,
		properties: entries('property', propertyInput()),
		propertiesJson: jsonObject.transform(rowsOfJson).pipe(z.array(propertyInput())),
	}),
});

/** What a row says of one customer. */
export type CustomerInput = z.output<z.ZodObject<ReturnType<typeof customerInput>>>;
