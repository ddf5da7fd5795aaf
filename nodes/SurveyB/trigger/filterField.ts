import type { INodeProperties } from 'n8n-workflow';

/** Which of the events start a run. */
export const filters: INodeProperties = {
	displayName: 'Filters',
	name: 'filters',
	type: 'collection',
	placeholder: 'Add filter',
	description: 'Events that do not have what a filter looks at are let through',
	default: {},
	options: [
		{
			displayName: 'Campaign IDs',
			name: 'campaignIds',
			type: 'string',
			default: '',
			placeholder: 'e.g. 101, 102',
			description: 'Only events of these campaigns. IDs with commas between them.',
		},
		{
			displayName: 'Max Score',
			name: 'maxScore',
			type: 'number',
			typeOptions: { minValue: 0, maxValue: 10 },
			default: 10,
			description: 'Only feedback with this score or a lower one',
		},
		{
			displayName: 'Min Score',
			name: 'minScore',
			type: 'number',
			typeOptions: { minValue: 0, maxValue: 10 },
			default: 0,
			description: 'Only feedback with this score or a higher one',
		},
		{
			displayName: 'Score Types',
			name: 'scoreTypes',
			type: 'multiOptions',
			options: [
				{ name: 'Detractor', value: 'detractor', description: 'Scores 0 to 6' },
				{ name: 'Passive', value: 'passive', description: 'Scores 7 and 8' },
				{ name: 'Promoter', value: 'promoter', description: 'Scores 9 and 10' },
			],
			default: ['detractor'],
			description: 'Only feedback of these score types',
		},
		{
			displayName: 'Statuses',
			name: 'statuses',
			type: 'multiOptions',
			options: [
				{ name: 'Closed', value: 'CLOSED' },
				{ name: 'Open', value: 'OPEN' },
			],
			default: ['OPEN'],
			description: 'Only feedback with these statuses',
		},
	],
};
