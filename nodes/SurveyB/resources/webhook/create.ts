import { each } from '../../../shared/operations/each';
import { objectWith } from '../../../shared/http/json';
import { id, openChoice } from '../../../shared/fields/fields';
import { post } from '../../../shared/http/request';
import { numeric, record, string } from '../../../shared/records';
import { events } from '../../parameters/fields';

/** `POST /api/v2/hooks`: without a slash at its end. */
export const create = each({
	name: 'Create',
	action: 'Create webhook',
	description: 'Create a webhook that calls a URL when an event occurs. Returns its ID.',
	fields: {
		event: openChoice({
			displayName: 'Event',
			required: true,
			options: events,
			default: 'feedback.added_or_changed',
			description: 'Event to subscribe to. Use an expression for an event that is not in the list.',
		}),
		target: id({
			displayName: 'Target',
			required: true,
			placeholder: 'e.g. https://example.com/hook',
			description: 'URL that Survey B calls',
		}),
	},
	rowName: 'target',
	writes: true,
	outputSchema: record({ id: numeric, event: string, target: string }),

	request: ({ event, target }) => post('notIdempotent', '/api/v2/hooks', { event, target }),
	responseSchema: objectWith('id'),
	output: (webhook) => webhook,
});
