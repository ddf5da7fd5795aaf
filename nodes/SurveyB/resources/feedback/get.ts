import { each } from '../../../shared/each';
import { id } from '../../../shared/input';
import { objectWith } from '../../../shared/json';
import { get as read, path } from '../../../shared/request';
import { feedbackId } from '../../fields';
import { feedbackFromAnswer, simpleFeedback, simpleFeedbackRecord } from '../../feedback';

/** `GET /api/v2/feedback/{feedback_id}/`. */
export const get = each({
	name: 'Get',
	action: 'Get feedback',
	description: 'Retrieve a feedback',
	fields: [feedbackId],
	input: { feedbackId: id },
	returns: simpleFeedbackRecord,
	simplify: simpleFeedback,

	request: ({ feedbackId }) => read(path`/api/v2/feedback/${feedbackId}/`),
	answer: objectWith('id'),
	output: feedbackFromAnswer,
});
