import { each } from '../../../shared/each';
import { id, text } from '../../../shared/input';
import { objectWith } from '../../../shared/json';
import { path, put } from '../../../shared/request';
import { feedbackFromAnswer, simpleFeedback, simpleFeedbackRecord } from '../../feedback';
import { feedbackId, status } from '../../fields';

/** `PUT /api/v2/feedback/{feedback_id}/`: closes a feedback, or opens it again. */
export const updateStatus = each({
	name: 'Update Status',
	action: 'Update feedback status',
	description: 'Close a feedback, or open it again',
	fields: [feedbackId, status],
	input: { feedbackId: id, status: text },
	returns: simpleFeedbackRecord,
	simplify: simpleFeedback,

	request: ({ feedbackId, status }) => put(path`/api/v2/feedback/${feedbackId}/`, { status }),
	answer: objectWith('id'),
	output: feedbackFromAnswer,
});
