import { each } from '../../../shared/each';
import { id } from '../../../shared/input';
import { get as read, path } from '../../../shared/request';
import { only, records } from '../../answers';
import { feedbackId, shortFeedback, shortFeedbackRecord } from '../../feedback';

/** `GET /api/v2/feedback/{feedbackId}`: the shape of the list. A campaign's ID lists its feedback. */
export const get = each({
	name: 'Get',
	action: 'Get feedback',
	description: 'Retrieve a feedback by its ID',
	fields: [feedbackId],
	input: { feedbackId: id },
	returns: shortFeedbackRecord,
	simplify: shortFeedback,

	request: ({ feedbackId }) => read(path`/api/v2/feedback/${feedbackId}`),
	answer: records('responses'),
	output: (responses, { feedbackId }) => {
		const own = responses.filter(({ campaignId }) => campaignId !== feedbackId);
		return only(own, 'Feedback record not found.');
	},
});
