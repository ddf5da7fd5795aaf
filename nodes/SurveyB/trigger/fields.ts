import type { INodeProperties } from 'n8n-workflow';

import { routeBy } from '../../shared/triggerOutputs';
import { filters } from './filterField';
import { options } from './optionsField';

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

/** The trigger's parameters. */
export const properties: INodeProperties[] = [events, routeBy, filters, options];
