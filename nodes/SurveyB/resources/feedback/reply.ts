import { z } from 'zod/v4';

import { each } from '../../../shared/operations/each';
import {
	collection,
	id,
	stringList,
	optionalLocator,
	optionalId,
	optionalText,
} from '../../../shared/parameters/schemas';
import { maybeEmpty } from '../../../shared/http/json';
import { path, post } from '../../../shared/http/request';
import { commonReplyText } from '../commonReply/text';
import { commonReplyId, feedbackId, fromUser } from '../../parameters/fields';

const ADDRESSES = 'Email addresses separated by commas, or an array from an expression';

/** `POST /api/v2/feedback/{feedback_id}/reply/`: one reply a feedback, ever. */
export const reply = each({
	name: 'Reply',
	action: 'Reply to feedback',
	description:
		'Reply by email to the contact who gave the feedback. Each feedback response takes one reply, which cannot be undone.',
	fields: [
		feedbackId,
		fromUser,
		{
			displayName: 'Message From',
			name: 'messageFrom',
			type: 'options',
			noDataExpression: true,
			options: [
				{ name: 'Common Reply', value: 'commonReply', description: 'A text saved in Survey B' },
				{ name: 'Text', value: 'text', description: 'A text that you enter here' },
			],
			default: 'text',
		},
		{
			displayName: 'Message',
			name: 'message',
			type: 'string',
			typeOptions: { rows: 4 },
			required: true,
			displayOptions: { show: { messageFrom: ['text'] } },
			default: '',
		},
		{
			...commonReplyId,
			displayOptions: { show: { messageFrom: ['commonReply'] } },
			description: 'The text is fetched from Survey B when the node runs',
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
					placeholder: 'e.g. nathan@example.com',
					description: ADDRESSES,
				},
				{
					displayName: 'CC',
					name: 'cc',
					type: 'string',
					default: '',
					placeholder: 'e.g. nathan@example.com',
					description: ADDRESSES,
				},
			],
		},
	],
	input: () => ({
		feedbackId: id,
		fromUser: id,
		messageFrom: optionalId,
		message: optionalText,
		commonReplyId: optionalLocator,
		additionalFields: collection({ cc: stringList, bcc: stringList }),
	}),
	refine(input, context) {
		const needed = input.messageFrom === 'commonReply' ? 'commonReplyId' : 'message';
		if (input[needed] !== undefined) return;
		context.addIssue({ code: 'custom', path: [needed], message: 'is missing' });
	},
	writes: true,
	outputSchema: () => z.object({ feedbackId: z.string(), replied: z.boolean() }),

	serializeBy: ({ feedbackId }) => feedbackId,
	async complete(input, run) {
		if (input.messageFrom !== 'commonReply' || input.commonReplyId === undefined) return input;
		return { ...input, message: await commonReplyText(run, input.commonReplyId) };
	},
	request: ({ feedbackId, fromUser, message, additionalFields: { cc, bcc } }) =>
		post('notIdempotent', path`/api/v2/feedback/${feedbackId}/reply/`, {
			from_user: fromUser,
			message,
			cc,
			bcc,
		}),
	responseSchema: maybeEmpty,
	output: (answer, { feedbackId }) => ({ feedbackId, replied: true, ...answer }),
});
