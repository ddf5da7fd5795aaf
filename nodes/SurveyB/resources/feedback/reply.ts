import { z } from 'zod';

import { each } from '../../../shared/each';
import { collection, id, list, text } from '../../../shared/input';
import { maybeEmpty } from '../../../shared/json';
import { path, post } from '../../../shared/request';
import { feedbackId, fromUser } from '../../fields';

/** `POST /api/v2/feedback/{feedback_id}/reply/`: one reply a feedback, ever. */
export const reply = each({
	name: 'Reply',
	action: 'Reply to feedback',
	description: 'Answer the contact who gave a feedback, by e-mail',
	fields: [
		feedbackId,
		fromUser,
		{
			displayName: 'Message',
			name: 'message',
			type: 'string',
			typeOptions: { rows: 4 },
			required: true,
			default: '',
		},
		{
			displayName: 'Additional Fields',
			name: 'additionalFields',
			type: 'collection',
			placeholder: 'Add field',
			default: {},
			options: [
				{
					displayName: 'BCC',
					name: 'bcc',
					type: 'string',
					default: '',
					description: 'Addresses with commas between them, or an array by an expression',
				},
				{
					displayName: 'CC',
					name: 'cc',
					type: 'string',
					default: '',
					description: 'Addresses with commas between them, or an array by an expression',
				},
			],
		},
	],
	input: {
		feedbackId: id,
		fromUser: text,
		message: text,
		additionalFields: collection({ cc: list, bcc: list }),
	},
	returns: z.object({ feedbackId: z.string(), replied: z.boolean() }),

	request: ({ feedbackId, fromUser, message, additionalFields: { cc, bcc } }) =>
		post('once', path`/api/v2/feedback/${feedbackId}/reply/`, {
			from_user: fromUser,
			message,
			cc,
			bcc,
		}),
	answer: maybeEmpty,
	output: (answer, { feedbackId }) => ({ feedbackId, replied: true, ...answer }),
});
