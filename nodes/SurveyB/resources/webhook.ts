import { objectWith } from '../../shared/base/json';
import { id, openChoice } from '../../shared/fields/kinds';
import { path, post, remove } from '../../shared/http/request';
import { notSaved } from '../../shared/http/response';
import type { Resource } from '../../shared/operations/operation';
import { write } from '../../shared/operations/write';
import { numeric, record, string } from '../../shared/records';
import { hookEvents } from '../events';
import { ASSUMED } from '../parameters/common';
import { removalBy } from '../responses';

export const webhookResource: Resource = {
	/** `POST /api/v2/hooks`: without a slash at its end. */
	create: write({
		action: 'Create webhook',
		description: 'Create a webhook for an event',
		fields: {
			event: openChoice({
				displayName: 'Event',
				required: true,
				options: hookEvents,
				default: 'feedback.added_or_changed',
			}),
			target: id({
				displayName: 'Target',
				required: true,
				placeholder: 'e.g. https://example.com/hook',
				description: 'URL that Survey B calls',
			}),
		},
		outputSchema: record({ id: numeric, event: string, target: string }),

		request: ({ event, target }) =>
			post('notIdempotent', '/api/v2/hooks', { event, target }, 'the webhook settings of Survey B'),
		readBody: objectWith('id'),
		output: (webhook, { event, target }) =>
			notSaved('Event', event, webhook.event) ??
			notSaved('Target', target, webhook.target) ??
			webhook,
	}),

	/** `DELETE /api/v2/hooks/{id}`. The contract does not show it: the path is assumed. */
	delete: write({
		action: 'Delete webhook',
		description: 'Delete a webhook by ID',
		details: 'This cannot be undone',
		notice: ASSUMED,
		fields: {
			webhookId: id({
				displayName: 'Webhook ID',
				required: true,
				placeholder: 'e.g. 901',
				description: "ID that 'Create' returned",
			}),
		},
		...removalBy('webhookId'),

		request: ({ webhookId }) => remove(path`/api/v2/hooks/${webhookId}`),
	}),
};
