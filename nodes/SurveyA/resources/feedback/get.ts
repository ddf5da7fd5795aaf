import { each } from '../../../shared/operations/each';
import { get as read, path } from '../../../shared/http/request';
import { feedbackId } from '../../parameters/fields';
import { onlyRecord, recordsIn } from '../../records/responses';
import { feedback } from '../../records/feedback';

/** `GET /api/v2/feedback/{feedbackId}`: the shape of the list. A campaign's ID lists its feedback. */
export const get = each({
	name: 'Get',
	action: 'Get feedback',
	description: 'Get a feedback response by ID, with score, comment, customer and campaign',
	fields: { feedbackId },
	record: feedback,

	request: ({ feedbackId }) => read(path`/api/v2/feedback/${feedbackId}`),
	responseSchema: recordsIn('responses'),
	output: (responses, { feedbackId }) => {
		const own = responses.filter(({ campaignId }) => campaignId !== feedbackId);
		return onlyRecord(own, 'Feedback record not found.');
	},
});
