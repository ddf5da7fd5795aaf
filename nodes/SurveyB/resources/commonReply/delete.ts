import { each } from '../../../shared/operations/each';
import { maybeEmpty } from '../../../shared/http/json';
import { path, remove } from '../../../shared/http/request';
import { boolean, record, string } from '../../../shared/records';
import { commonReplyId } from '../../parameters/fields';

/** `DELETE /api/v2/replies/{common_reply_id}/`. */
export const deleteCommonReply = each({
	name: 'Delete',
	action: 'Delete common reply',
	description: 'Delete a common reply permanently. This cannot be undone.',
	irreversible: true,
	fields: { commonReplyId },
	writes: true,
	outputSchema: record({ commonReplyId: string, deleted: boolean }),

	request: ({ commonReplyId }) => remove(path`/api/v2/replies/${commonReplyId}/`),
	responseSchema: maybeEmpty,
	output: (_response, { commonReplyId }) => ({ commonReplyId, deleted: true }),
});
