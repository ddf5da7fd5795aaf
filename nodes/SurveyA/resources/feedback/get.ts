import { each } from '../../../shared/operations/each';
import { id } from '../../../shared/parameters/schemas';
import { get as read, path } from '../../../shared/http/request';
import { onlyRecord, recordsIn } from '../../records/answers';
import { feedbackId } from '../../parameters/feedback';
import { simplifyFeedback, simplifiedFeedbackRecord } from '../../records/feedback';

/** `GET /api/v2/feedback/{feedbackId}`: the shape of the list. A campaign's ID lists its feedback. */
export const get = each({
	name: 'Get',
	action: 'Get feedback',
	description: 'Get a feedback response by ID, with score, comment, customer and campaign',
	fields: [feedbackId],
	input: () => ({ feedbackId: id }),
	outputSchema: simplifiedFeedbackRecord,
	simplify: simplifyFeedback,

	request: ({ feedbackId }) => read(path`/api/v2/feedback/${feedbackId}`),
	responseSchema: recordsIn('responses'),
	output: (responses, { feedbackId }) => {
		const own = responses.filter(({ campaignId }) => campaignId !== feedbackId);
		return onlyRecord(own, 'Feedback record not found.');
	},
});
