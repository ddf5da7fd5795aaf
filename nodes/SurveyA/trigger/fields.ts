import type { ILoadOptionsFunctions, INodeProperties, INodePropertyOptions } from 'n8n-workflow';

import { routeBy } from '../../shared/triggerOutputs';
import { listSearch } from '../dropDowns';

const events: INodeProperties = {
	displayName: 'Trigger On',
	name: 'events',
	type: 'multiOptions',
	required: true,
	options: [
		{
			name: 'Customer Created',
			value: 'customer.created',
			description: 'A customer was added',
		},
		{
			name: 'Feedback Created',
			value: 'feedback.created',
			description: 'A customer answered a survey',
		},
	],
	default: ['feedback.created'],
};

const filters: INodeProperties = {
	displayName: 'Filters',
	name: 'filters',
	type: 'collection',
	placeholder: 'Add filter',
	default: {},
	description: 'Which feedback starts the workflow. Customers always do.',
	options: [
		{
			displayName: 'Campaign Names or IDs',
			name: 'campaignIds',
			type: 'multiOptions',
			typeOptions: { loadOptionsMethod: 'getCampaigns' },
			default: [],
			description:
				'Choose from the list, or specify IDs using an <a href="https://docs.n8n.io/code/expressions/">expression</a>',
		},
		{
			displayName: 'Max Score',
			name: 'maxScore',
			type: 'number',
			default: 10,
			description:
				'The highest score to let through, such as 6 for the detractors of an NPS survey',
		},
		{
			displayName: 'Metrics',
			name: 'metrics',
			type: 'multiOptions',
			options: [
				{ name: 'CES', value: 'CES' },
				{ name: 'CSAT', value: 'CSAT' },
				{ name: 'NPS', value: 'NPS' },
				{ name: 'Star Rating', value: 'STAR' },
			],
			default: [],
			description: 'What the survey measures',
		},
		{
			displayName: 'Min Score',
			name: 'minScore',
			type: 'number',
			default: 0,
			description: 'The lowest score to let through, such as 9 for the promoters of an NPS survey',
		},
	],
};

const options: INodeProperties = {
	displayName: 'Options',
	name: 'options',
	type: 'collection',
	placeholder: 'Add option',
	default: {},
	options: [
		{
			displayName: 'Start Date',
			name: 'startDate',
			type: 'dateTime',
			default: '',
			description:
				'Where to begin when the workflow is published for the first time. If empty, it begins with what comes in from then on.',
		},
	],
};

export const properties: INodeProperties[] = [events, routeBy, filters, options];

/** The campaigns to choose from. */
export async function getCampaigns(this: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
	const { results } = await listSearch.searchCampaigns.call(this);
	return results.map(({ name, value }) => ({ name, value }));
}
