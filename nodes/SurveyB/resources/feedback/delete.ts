import { z } from 'zod';

import { each } from '../../../shared/each';
import { id } from '../../../shared/input';
import { maybeEmpty } from '../../../shared/json';
import { path, remove } from '../../../shared/request';
import { feedbackId } from '../../fields';

/** `DELETE /api/v2/feedback/{feedback_id}/`. */
export const deleteFeedback = each({
	name: 'Delete',
	action: 'Delete feedback',
	description: 'Delete a feedback permanently',
	fields: [feedbackId],
	input: { feedbackId: id },
	returns: z.object({ feedbackId: z.string(), deleted: z.boolean() }),

	request: ({ feedbackId }) => remove(path`/api/v2/feedback/${feedbackId}/`),
	answer: maybeEmpty,
	output: (_answer, { feedbackId }) => ({ feedbackId, deleted: true }),
});
