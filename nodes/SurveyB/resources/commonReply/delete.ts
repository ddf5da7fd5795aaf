import { z } from 'zod';

import { each } from '../../../shared/each';
import { locator } from '../../../shared/input';
import { maybeEmpty } from '../../../shared/json';
import { path, remove } from '../../../shared/request';
import { commonReplyId } from '../../fields';

/** `DELETE /api/v2/replies/{common_reply_id}/`. */
export const deleteCommonReply = each({
	name: 'Delete',
	action: 'Delete common reply',
	description: 'Delete a common reply permanently',
	fields: [commonReplyId],
	input: { commonReplyId: locator },
	returns: z.object({ commonReplyId: z.string(), deleted: z.boolean() }),

	request: ({ commonReplyId }) => remove(path`/api/v2/replies/${commonReplyId}/`),
	answer: maybeEmpty,
	output: (_answer, { commonReplyId }) => ({ commonReplyId, deleted: true }),
});
