import type { INodeProperties } from 'n8n-workflow';
import { z } from 'zod';

import { date, isoTimestamp } from '../../shared/parameters/dates';
import {
	booleanOf,
	collection,
	stringList,
	optionalText,
	entries,
	text,
} from '../../shared/parameters/schemas';

// The customer as it is written: the fields, their schemas, and the service's write object.

const property: INodeProperties = {
	displayName: 'Properties',
	name: 'properties',
	type: 'fixedCollection',
	typeOptions: { multipleValues: true },
	placeholder: 'Add property',
	default: {},
	description:
		'Properties that Survey A does not know yet are created. Those without a value stay as they are.',
	options: [
		{
			displayName: 'Property',
			name: 'property',
			values: [
				{
					displayName: 'Label',
					name: 'label',
					type: 'string',
					default: '',
					placeholder: 'e.g. Renewal Date',
					description: 'Name of the property as Survey A shows it',
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
					description: 'A date may come in any usual form; a collection is text with commas',
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
		property,
		{
			displayName: 'Tags',
			name: 'tags',
			type: 'string',
			default: '',
			placeholder: 'e.g. vip, renewal',
			description: 'Tags with commas between them, or an array of tags by an expression',
		},
	],
};

/** Those that the deprecated endpoint takes: it has no properties. */
export const legacyCustomerFields: INodeProperties = {
	...customerFields,
	options: customerFields.options?.filter(({ name }) => name !== 'properties'),
};

/** A property's value. Without one the property is left out, and so stays as it is. */
function maybe<Value extends z.ZodTypeAny>(value: Value) {
	return z.preprocess(
		(given) => (String(given ?? '').trim() === '' ? undefined : given),
		value.optional(),
	);
}

const label = text;
const string = z.union([z.string(), z.number().transform(String), z.boolean().transform(String)]);
const integer = z.coerce.number({ invalid_type_error: 'must be a whole number' });
const boolean = z.boolean({ invalid_type_error: 'must be true or false' });

const propertyInput = z.discriminatedUnion('type', [
	z.object({ type: z.literal('string'), label, value: maybe(string) }),
	z.object({ type: z.literal('date'), label, value: maybe(date.transform(isoTimestamp)) }),
	z.object({
		type: z.literal('integer'),
		label,
		value: maybe(integer.int('must be a whole number')),
	}),
	z.object({
		type: z.literal('collection'),
		label,
		value: maybe(z.union([string, z.array(string)])),
	}),
	z.object({ type: z.literal('boolean'), label, value: maybe(z.preprocess(booleanOf, boolean)) }),
]);

/** The parameters of one customer, with the schema of each. */
export const customerInput = {
	email: text,
	additionalFields: collection({
		firstName: optionalText,
		lastName: optionalText,
		company: optionalText,
		tags: stringList,
		properties: entries('property', propertyInput),
	}),
};

/** What a row says of one customer. */
export type CustomerInput = z.output<z.ZodObject<typeof customerInput>>;
