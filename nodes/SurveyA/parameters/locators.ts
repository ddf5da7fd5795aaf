import type { INodeProperties } from 'n8n-workflow';

// The fields by which one thing of Survey A is picked: from a list, or by its ID.

/** A campaign to filter by. */
export const campaignFilter: INodeProperties = {
	displayName: 'Campaign',
	name: 'campaignId',
	type: 'resourceLocator',
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

/** Any campaign. */
export const campaign: INodeProperties = { ...campaignFilter, name: 'campaign', required: true };

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

/** A customer to filter by. */
export const customerFilter: INodeProperties = {
	displayName: 'Customer',
	name: 'customerId',
	type: 'resourceLocator',
	default: { mode: 'list', value: '' },
	description: 'Enter a whole email to find any customer. The list shows the newest ones.',
	modes: [
		{
			displayName: 'From List',
			name: 'list',
			type: 'list',
			typeOptions: { searchListMethod: 'searchCustomers', searchable: true },
		},
		{
			displayName: 'By ID',
			name: 'id',
			type: 'string',
			placeholder: 'e.g. 5f3c9a2b8d1e4f6a7b0c1d2e',
		},
	],
};

/** A customer to read: by its address as well. */
export const customer: INodeProperties = {
	...customerFilter,
	required: true,
	modes: [
		{
			displayName: 'From List',
			name: 'list',
			type: 'list',
			typeOptions: { searchListMethod: 'searchCustomers', searchable: true },
		},
		{
			displayName: 'By Email',
			name: 'email',
			type: 'string',
			placeholder: 'e.g. nathan@example.com',
		},
		{
			displayName: 'By ID',
			name: 'id',
			type: 'string',
			placeholder: 'e.g. 5f3c9a2b8d1e4f6a7b0c1d2e',
		},
	],
};

export const company: INodeProperties = {
	displayName: 'Company',
	name: 'company',
	type: 'resourceLocator',
	required: true,
	default: { mode: 'list', value: '' },
	modes: [
		{
			displayName: 'From List',
			name: 'list',
			type: 'list',
			typeOptions: { searchListMethod: 'searchCompanies', searchable: true },
		},
		{
			displayName: 'By ID',
			name: 'id',
			type: 'string',
			placeholder: 'e.g. 5f3c9a2b8d1e4f6a7b0c1d2e',
		},
		{
			displayName: 'By Domain',
			name: 'domain',
			type: 'string',
			placeholder: 'e.g. acme.com',
		},
	],
};
