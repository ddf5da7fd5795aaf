import { each } from '../../../shared/operations/each';
import { maybeEmpty } from '../../../shared/http/json';
import { id } from '../../../shared/fields/fields';
import { path, remove } from '../../../shared/http/request';
import { boolean, record, string } from '../../../shared/records';

/** `DELETE /api/v2/hooks/{id}`. The contract does not show it: the path is assumed. */
export const deleteWebhook = each({
	name: 'Delete',
	action: 'Delete webhook',
	description: 'Delete a webhook by ID. This cannot be undone.',
	notice:
		'The API documentation does not describe how to delete a webhook. DELETE /api/v2/hooks/{ID} is assumed.',
	irreversible: true,
	fields: {
		webhookId: id({
			displayName: 'Webhook ID',
			required: true,
			placeholder: 'e.g. 901',
			description: "ID that 'Create' returned",
		}),
	},
	writes: true,
	outputSchema: record({ webhookId: string, deleted: boolean }),

	request: ({ webhookId }) => remove(path`/api/v2/hooks/${webhookId}`),
	responseSchema: maybeEmpty,
	output: (_response, { webhookId }) => ({ webhookId, deleted: true }),
});
