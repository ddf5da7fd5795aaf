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
			description: 'A contact unsubscribed from surveys',
		},
		{
			name: 'Feedback Added or Changed',
			value: 'feedback.added_or_changed',
			description: 'A survey was answered, or its answer changed; sent 15 minutes after the change',
		},
		{
			name: 'Feedback Removed',
			value: 'feedback.removed',
			description: 'A feedback response was deleted',
		},
		{
			name: 'Feedback Status Changed',
			value: 'feedback.status_changed',
			description: 'A feedback response was closed or reopened',
		},
		{
			name: 'Feedback Tags Added or Changed',
			value: 'feedback.tags_added_or_changed',
			description: 'A tag on a feedback response was added, updated or removed',
		},
		{
			name: 'Score Changed',
			value: 'metric.score_changed',
			description: 'The NPS of a campaign changed',
		},
		{
			name: 'Tag Merged',
			value: 'tag.merged',
			description: 'A tag was merged into another tag in a campaign',
		},
		{
			name: 'Tag Removed',
			value: 'tag.removed',
			description: 'A tag was deleted from a campaign',
		},
		{
			name: 'Tag Renamed',
			value: 'tag.renamed',
			description: 'A tag was renamed in a campaign',
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
	description:
		'Only trigger on matching events. A filter does not apply to events that lack its field.',
	default: {},
	options: [
		{
			displayName: 'Campaign Names or IDs',
			name: 'campaignIds',
			type: 'multiOptions',
			typeOptions: { loadOptionsMethod: 'getCampaigns' },
			default: [],
			description:
				'Only trigger on events of these campaigns. The list shows those that have feedback or metrics. Choose from the list, or specify IDs using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.',
		},
		{
			displayName: 'Max Score',
			name: 'maxScore',
			type: 'number',
			typeOptions: { minValue: 0, maxValue: 10 },
			default: 10,
			description: 'Only trigger on feedback with this score or a lower one',
		},
		{
			displayName: 'Min Score',
			name: 'minScore',
			type: 'number',
			typeOptions: { minValue: 0, maxValue: 10 },
			default: 0,
			description: 'Only trigger on feedback with this score or a higher one',
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
			description: 'Only trigger on feedback of these score types',
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
			description: 'Only trigger on feedback with these statuses',
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
				'Whether to fetch the feedback response from Survey B before the workflow starts, and output that instead of the delivered data. If it no longer exists, the output has its ID and "removed": true.',
		},
		{
			displayName: 'Custom Events',
			name: 'customEvents',
			type: 'string',
			noDataExpression: true,
			default: '',
			placeholder: 'e.g. survey.response_added_or_changed',
			description:
				'Names of events that are not in the list, as Survey B calls them. Comma-separated.',
		},
		{
			displayName: 'Ignore Repeats',
			name: 'ignoreRepeats',
			type: 'boolean',
			default: true,
			description: 'Whether to skip a delivery that repeats one already received',
		},
		{
			displayName: 'Require Token',
			name: 'requireToken',
			type: 'boolean',
			default: true,
			description:
				'Whether to reject requests that lack the secret token in the webhook URL. Turn off only if a proxy in front of n8n strips query parameters.',
		},
		{
			displayName: 'Sample on Test',
			name: 'sampleOnTest',
			type: 'boolean',
			default: true,
			description:
				'Whether to output the newest feedback response as a sample as soon as you listen for a test event. Turn off to wait for a real event.',
		},
	],
};

/** The trigger's parameters. */
export const properties: INodeProperties[] = [events, routeBy, filters, options];
