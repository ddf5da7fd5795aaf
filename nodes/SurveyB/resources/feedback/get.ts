import { each } from '../../../shared/operations/each';
import { objectWith } from '../../../shared/http/json';
import { get as read, path } from '../../../shared/http/request';
import { feedbackId } from '../../parameters/fields';
import { feedback, feedbackFromResponse } from '../../records/feedback';

/** `GET /api/v2/feedback/{feedback_id}/`. */
export const get = each({
	name: 'Get',
	action: 'Get feedback',
	description: 'Get a feedback response by ID, with score, comment, contact, campaign and tags',
	fields: { feedbackId },
	record: feedback,

	request: ({ feedbackId }) => read(path`/api/v2/feedback/${feedbackId}/`),
	responseSchema: objectWith('id'),
	output: feedbackFromResponse,
});
