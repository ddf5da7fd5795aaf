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
			name: 'Company Created',
			value: 'company.created',
			description: 'A company was added',
		},
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
		{
			name: 'Survey Sent',
			value: 'survey.sent',
			description: 'A survey was sent to a customer',
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
	description:
		'Only trigger on matching events. A filter does not apply to events that lack its field: customers and companies always trigger.',
	options: [
		{
			displayName: 'Campaign Names or IDs',
			name: 'campaignIds',
			type: 'multiOptions',
			typeOptions: { loadOptionsMethod: 'getCampaigns' },
			default: [],
			description:
				'Only trigger on feedback and sent surveys of these campaigns. Choose from the list, or specify IDs using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.',
		},
		{
			displayName: 'Max Score',
			name: 'maxScore',
			type: 'number',
			default: 10,
			description:
				'Only trigger on feedback with this score or lower, such as 6 for the detractors of an NPS survey',
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
			description: 'Only trigger on feedback to surveys that measure this',
		},
		{
			displayName: 'Min Score',
			name: 'minScore',
			type: 'number',
			default: 0,
			description:
				'Only trigger on feedback with this score or higher, such as 9 for the promoters of an NPS survey',
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
				'Trigger on everything created since this date when the workflow is published for the first time. If empty, only what is created from then on triggers.',
		},
	],
};

export const properties: INodeProperties[] = [events, routeBy, filters, options];

/** The campaigns to choose from. */
export async function getCampaigns(this: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
	const { results } = await listSearch.searchCampaigns.call(this);
	return results.map(({ name, value }) => ({ name, value }));
}
