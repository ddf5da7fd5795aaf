import { each } from '../../../shared/operations/each';
import { maybeEmpty } from '../../../shared/http/json';
import { id } from '../../../shared/fields/fields';
import { path, post } from '../../../shared/http/request';
import { boolean, record, string } from '../../../shared/records';
import { feedbackId, fromUser } from '../../parameters/fields';

/** `POST /api/v2/feedback/{feedback_id}/forward/`. */
export const forward = each({
	name: 'Forward',
	action: 'Forward feedback',
	description:
		'Forward a feedback response to one person by email. This cannot be undone. It is refused once there is a reply, or when the feedback has been marked complete. Returns the feedback ID.',
	irreversible: true,
	fields: {
		feedbackId,
		fromUser,
		to: id({
			displayName: 'To',
			required: true,
			placeholder: 'e.g. nathan@example.com',
			description: 'Email of the recipient',
		}),
	},
	writes: true,
	outputSchema: record({ feedbackId: string, forwarded: boolean }),

	serializeBy: ({ feedbackId }) => feedbackId,
	request: ({ feedbackId, fromUser, to }) =>
		post('notIdempotent', path`/api/v2/feedback/${feedbackId}/forward/`, {
			from_user: fromUser,
			to,
		}),
	responseSchema: maybeEmpty,
	output: (response, { feedbackId }) => ({ feedbackId, forwarded: true, ...response }),
});
