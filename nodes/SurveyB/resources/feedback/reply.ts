import { each } from '../../../shared/operations/each';
import { InvalidFields } from '../../../shared/fields/field';
import {
	choice,
	collection,
	list,
	locator,
	requiredIfShown,
	text,
} from '../../../shared/fields/fields';
import { maybeEmpty } from '../../../shared/http/json';
import { path, post } from '../../../shared/http/request';
import { boolean, record, string } from '../../../shared/records';
import { commonReply, feedbackId, fromUser } from '../../parameters/fields';
import { commonReplyText } from '../commonReply/text';

const addresses = {
	placeholder: 'e.g. nathan@example.com',
	description: 'Email addresses separated by commas, or an array from an expression',
};

/** `POST /api/v2/feedback/{feedback_id}/reply/`. */
export const reply = each({
	name: 'Reply',
	action: 'Reply to feedback',
	description:
		'Reply by email to the contact who gave the feedback. Each feedback response takes one reply, which cannot be undone. Returns the feedback ID.',
	irreversible: true,
	fields: {
		feedbackId,
		fromUser,
		messageFrom: choice({
			displayName: 'Message From',
			noDataExpression: true,
			options: [
				{ name: 'Common Reply', value: 'commonReply', description: 'A text saved in Survey B' },
				{ name: 'Text', value: 'text', description: 'A text that you enter here' },
			],
			default: 'text',
		}),
		message: requiredIfShown(
			text({
				displayName: 'Message',
				required: true,
				typeOptions: { rows: 4 },
				displayOptions: { show: { messageFrom: ['text'] } },
			}),
		),
		commonReplyId: requiredIfShown(
			locator({
				...commonReply,
				required: true,
				displayOptions: { show: { messageFrom: ['commonReply'] } },
				description: 'The text is fetched from Survey B when the node runs',
			}),
		),
		additionalFields: collection('Additional Fields', {
			bcc: list({ displayName: 'BCC', ...addresses }),
			cc: list({ displayName: 'CC', ...addresses }),
		}),
	},
	check(input) {
		const isCommon = input.messageFrom === 'commonReply';
		const [label, value] = isCommon
			? ['Common Reply', input.commonReplyId]
			: ['Message', input.message];
		if (value === undefined) throw new InvalidFields([{ label, value, message: 'is missing' }]);
	},
	writes: true,
	outputSchema: record({ feedbackId: string, replied: boolean }),

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
	output: (response, { feedbackId }) => ({ feedbackId, replied: true, ...response }),
});
