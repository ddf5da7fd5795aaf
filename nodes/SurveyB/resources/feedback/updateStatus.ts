import { each } from '../../../shared/operations/each';
import { objectWith } from '../../../shared/http/json';
import { path, put } from '../../../shared/http/request';
import { feedback, feedbackFromResponse } from '../../records/feedback';
import { feedbackId, status } from '../../parameters/fields';

/** `PUT /api/v2/feedback/{feedback_id}/`. */
export const updateStatus = each({
	name: 'Update Status',
	action: 'Update feedback status',
	description: 'Close or reopen a feedback response. Returns the feedback response.',
	fields: { feedbackId, status },
	writes: true,
	record: feedback,

	serializeBy: ({ feedbackId }) => feedbackId,
	request: ({ feedbackId, status }) => put(path`/api/v2/feedback/${feedbackId}/`, { status }),
	responseSchema: objectWith('id'),
	output: feedbackFromResponse,
});
