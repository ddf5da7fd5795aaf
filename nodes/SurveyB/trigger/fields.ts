import type { INodeProperties } from 'n8n-workflow';

import { routeBy } from '../../shared/triggerOutputs';

const events: INodeProperties = {
	displayName: 'Trigger On',
	name: 'events',
	type: 'multiOptions',
	required: true,
	options: [
		{
			name: 'Contact Unsubscribed',
			value: 'contact.unsubscribed',
			description: 'A contact does not want surveys any more',
		},
		{
			name: 'Feedback Added or Changed',
			value: 'feedback.added_or_changed',
			description: 'A survey was answered, or an answer changed; told 15 minutes later',
		},
		{
			name: 'Feedback Removed',
			value: 'feedback.removed',
			description: 'A feedback was deleted',
		},
		{
			name: 'Feedback Status Changed',
			value: 'feedback.status_changed',
			description: 'A feedback was opened or closed',
		},
		{
			name: 'Feedback Tags Added or Changed',
			value: 'feedback.tags_added_or_changed',
			description: 'A tag of a feedback was added, updated or removed',
		},
		{
			name: 'Score Changed',
			value: 'metric.score_changed',
			description: 'The NPS of a campaign changed',
		},
		{
			name: 'Tag Merged',
			value: 'tag.merged',
			description: 'A tag was merged into another one in a campaign',
		},
		{
			name: 'Tag Removed',
			value: 'tag.removed',
			description: 'A tag was deleted from a campaign',
		},
		{
			name: 'Tag Renamed',
			value: 'tag.renamed',
			description: 'A tag got another name in a campaign',
		},
	],
	default: ['feedback.added_or_changed'],
};

/** Which of the events start a run. */
const filters: INodeProperties = {
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

/** How the trigger goes about its deliveries. */
const options: INodeProperties = {
	displayName: 'Options',
	name: 'options',
	type: 'collection',
	placeholder: 'Add option',
	default: {},
	options: [
		{
			displayName: 'Confirm',
			name: 'confirm',
			type: 'boolean',
			default: false,
			description:
				"Whether to fetch each feedback from Survey B and hand on that instead of what was delivered. A feedback that is gone meanwhile comes out with its ID only and 'removed' true.",
		},
		{
			displayName: 'Custom Events',
			name: 'customEvents',
			type: 'string',
			noDataExpression: true,
			default: '',
			placeholder: 'e.g. survey.response_added_or_changed',
			description:
				'Events of your account that are not in the list, by the names that Survey B gives them. Names with commas between them.',
		},
		{
			displayName: 'Ignore Repeats',
			name: 'ignoreRepeats',
			type: 'boolean',
			default: true,
			description: 'Whether to start one run only when Survey B delivers the same change twice',
		},
		{
			displayName: 'Require Token',
			name: 'requireToken',
			type: 'boolean',
			default: true,
			description:
				'Whether to refuse calls without the secret that this node gave Survey B. Switch it off only if something between Survey B and n8n takes the query off the web address.',
		},
	],
};

/** The trigger's parameters. */
export const properties: INodeProperties[] = [events, routeBy, filters, options];
