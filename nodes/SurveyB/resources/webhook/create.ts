import { each } from '../../../shared/each';
import { text } from '../../../shared/input';
import { objectWith } from '../../../shared/json';
import { post } from '../../../shared/request';
import { webhookRecord } from '../../records';

/** `POST /api/v2/hooks`: without a slash at its end. */
export const create = each({
	name: 'Create',
	action: 'Create webhook',
	description: 'Create a new webhook, by which Survey B tells an address of an event',
	fields: [
		{
			displayName: 'Event',
			name: 'event',
			type: 'options',
			options: [
				{ name: 'Contact Unsubscribed', value: 'contact.unsubscribed' },
				{ name: 'Feedback Added or Changed', value: 'feedback.added_or_changed' },
				{ name: 'Feedback Removed', value: 'feedback.removed' },
				{ name: 'Feedback Status Changed', value: 'feedback.status_changed' },
				{ name: 'Feedback Tags Added or Changed', value: 'feedback.tags_added_or_changed' },
				{ name: 'Score Changed', value: 'metric.score_changed' },
				{ name: 'Tag Merged', value: 'tag.merged' },
				{ name: 'Tag Removed', value: 'tag.removed' },
				{ name: 'Tag Renamed', value: 'tag.renamed' },
			],
			default: 'feedback.added_or_changed',
		},
		{
			displayName: 'Target',
			name: 'target',
			type: 'string',
			required: true,
			default: '',
			placeholder: 'e.g. https://example.com/hook',
			description: 'Web address that Survey B calls',
		},
	],
	input: { event: text, target: text },
	returns: webhookRecord,

	request: ({ event, target }) => post('once', '/api/v2/hooks', { event, target }),
	answer: objectWith('id'),
	output: (webhook) => webhook,
});
