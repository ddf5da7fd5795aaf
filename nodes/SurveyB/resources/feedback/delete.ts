import { each } from '../../../shared/operations/each';
import { maybeEmpty } from '../../../shared/http/json';
import { path, remove } from '../../../shared/http/request';
import { boolean, record, string } from '../../../shared/records';
import { feedbackId } from '../../parameters/fields';

/** `DELETE /api/v2/feedback/{feedback_id}/`. */
export const deleteFeedback = each({
	name: 'Delete',
	action: 'Delete feedback',
	description: 'Delete a feedback response permanently. This cannot be undone.',
	irreversible: true,
	fields: { feedbackId },
	writes: true,
	outputSchema: record({ feedbackId: string, deleted: boolean }),

	request: ({ feedbackId }) => remove(path`/api/v2/feedback/${feedbackId}/`),
	responseSchema: maybeEmpty,
	output: (_response, { feedbackId }) => ({ feedbackId, deleted: true }),
});
