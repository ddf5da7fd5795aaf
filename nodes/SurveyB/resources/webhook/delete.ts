import { z } from 'zod';

import { each } from '../../../shared/each';
import { id } from '../../../shared/input';
import { maybeEmpty } from '../../../shared/json';
import { path, remove } from '../../../shared/request';

/** `DELETE /api/v2/hooks/{id}`. The contract does not show it: the path is assumed. */
export const deleteWebhook = each({
	name: 'Delete',
	action: 'Delete webhook',
	description: 'Delete a webhook permanently',
	fields: [
		{
			displayName: 'Webhook ID',
			name: 'webhookId',
			type: 'string',
			required: true,
			default: '',
			placeholder: 'e.g. 901',
			description:
				"ID that 'Create' gave. The API documentation does not show how to delete a webhook: DELETE /api/v2/hooks/{ID} is assumed.",
		},
	],
	input: { webhookId: id },
	returns: z.object({ webhookId: z.string(), deleted: z.boolean() }),

	request: ({ webhookId }) => remove(path`/api/v2/hooks/${webhookId}`),
	answer: maybeEmpty,
	output: (_answer, { webhookId }) => ({ webhookId, deleted: true }),
});
