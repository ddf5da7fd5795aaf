import type { INodeProperties } from 'n8n-workflow';
import { z } from 'zod';

import { date, isoTimestamp } from '../shared/dates';
import { collection, list, optionalText, rows, text } from '../shared/input';

// The fields that several operations of Survey A share.

export const email: INodeProperties = {
	displayName: 'Email',
	name: 'email',
	type: 'string',
	placeholder: 'e.g. nathan@example.com',
	required: true,
	default: '',
	description: 'Address of the customer. It identifies the customer in Survey A.',
};

/** Any campaign. */
export const campaign: INodeProperties = {
	displayName: 'Campaign',
	name: 'campaign',
	type: 'resourceLocator',
	required: true,
	default: { mode: 'list', value: '' },
	modes: [
		{
			displayName: 'From List',
			name: 'list',
			type: 'list',
			typeOptions: { searchListMethod: 'searchCampaigns', searchable: true },
		},
		{
			displayName: 'By ID',
			name: 'id',
			type: 'string',
			placeholder: 'e.g. 5f3c9a2b8d1e4f6a7b0c1d2e',
		},
	],
};

/** A campaign that surveys can be sent for: transactional and active. */
export const sendableCampaign: INodeProperties = {
	...campaign,
	description: 'The survey to send. The list shows transactional campaigns that are active.',
	modes: campaign.modes?.map((mode) =>
		mode.type === 'list'
			? { ...mode, typeOptions: { searchListMethod: 'searchSendableCampaigns', searchable: true } }
			: mode,
	),
};

const property: INodeProperties = {
	displayName: 'Properties',
	name: 'properties',
	type: 'fixedCollection',
	typeOptions: { multipleValues: true },
	placeholder: 'Add property',
	default: {},
	description: 'Properties that the service does not know yet are created',
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

const label = text;

const propertyInput = z.discriminatedUnion('type', [
	z.object({ type: z.literal('string'), label, value: z.coerce.string() }),
	z.object({ type: z.literal('date'), label, value: date.transform(isoTimestamp) }),
	z.object({ type: z.literal('integer'), label, value: z.coerce.number().int('must be a whole number') }),
	z.object({ type: z.literal('collection'), label, value: z.union([z.string(), z.array(z.string())]) }),
	z.object({ type: z.literal('boolean'), label, value: z.preprocess(booleanOf, z.boolean()) }),
]);

function booleanOf(value: unknown): unknown {
	const words: Record<string, boolean> = { true: true, false: false, yes: true, no: false };
	return typeof value === 'string' ? (words[value.trim().toLowerCase()] ?? value) : value;
}

/** The parameters of one customer, with the schema of each. */
export const customerInput = {
	email: text,
	additionalFields: collection({
		firstName: optionalText,
		lastName: optionalText,
		company: optionalText,
		tags: list,
		properties: rows('property', propertyInput),
	}),
};

/** The service's write object of a customer. Fields that are not given are left out. */
export function customerBody({
	email,
	additionalFields: { firstName, lastName, company, tags, properties },
}: z.output<z.ZodObject<typeof customerInput>>) {
	return {
		email,
		first_name: firstName,
		last_name: lastName,
		company,
		tags,
		properties: properties.length > 0 ? properties : undefined,
	};
}
