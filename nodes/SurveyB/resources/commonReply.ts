import { z } from 'zod/v4';

import { Failure } from '../../shared/base/failure';
import { objectWith } from '../../shared/base/json';
import { locator, text } from '../../shared/fields/kinds';
import { notSaved } from '../../shared/http/proof';
import { get, path, post, remove } from '../../shared/http/request';
import { list } from '../../shared/operations/list';
import type { Resource } from '../../shared/operations/operation';
import { oncePerRun } from '../../shared/operations/run';
import type { Run } from '../../shared/operations/run';
import { write } from '../../shared/operations/write';
import { readAll } from '../../shared/paging/readAll';
import { numeric, record, optional, string } from '../../shared/records';
import { commonReplyId } from '../parameters/fields';
import { removalBy } from '../records/confirmation';

/** Contract: Common reply. */
const commonReplyRecord = record({
	id: z.number,
	title: string,
	reply: string,
	category: optional({ id: numeric, name: string }),
});

const commonReplies = oncePerRun(async ({ client }) => {
	return await readAll(client, { request: get('/api/v2/replies/') });
});

/** Returns the text of a common reply, which only the list has. @throws Failure when there is none, or it is empty */
export async function commonReplyText(run: Run, id: string): Promise<string> {
	const replies = await commonReplies(run);
	const found = replies.find((one) => String(one.id) === id);
	if (typeof found?.reply === 'string' && found.reply !== '') return found.reply;
	throw new Failure(
		'failed',
		found ? `The common reply ${id} has no text` : `There is no common reply ${id}`,
		{ hint: 'Choose another common reply from the list' },
	);
}

export const commonReplyResource: Resource = {
	/** `GET /api/v2/replies/`. */
	getAll: list({
		action: 'Get many common replies',
		description: 'Get the common replies',
		outputSchema: commonReplyRecord,

		request: () => get('/api/v2/replies/'),
	}),

	/** `POST /api/v2/replies/`: a category that does not exist is created. */
	create: write({
		action: 'Create common reply',
		description: 'Create a common reply; sends nothing',
		fields: {
			title: text({ displayName: 'Title', required: true, placeholder: 'e.g. Thank you' }),
			reply: text({
				displayName: 'Reply',
				typeOptions: { rows: 4 },
				required: true,
				description: 'Text of the reply',
			}),
			categoryName: locator({
				displayName: 'Category Name',
				required: true,
				search: 'searchReplyCategories',
				by: [{ displayName: 'By Name', name: 'name', placeholder: 'e.g. Detractors' }],
				description: 'Category of the reply. It is created if it does not exist yet.',
			}),
		},
		outputSchema: commonReplyRecord,

		label: ({ title }) => title,
		request: ({ title, reply, categoryName }) =>
			post(
				'notIdempotent',
				'/api/v2/replies/',
				{ title, reply, category: { name: categoryName } },
				'the common replies of Survey B',
			),
		responseSchema: objectWith('id'),
		output: (reply, { title }) => notSaved('Title', title, reply.title) ?? reply,
	}),

	/** `DELETE /api/v2/replies/{common_reply_id}/`. */
	delete: write({
		action: 'Delete common reply',
		description: 'Delete a common reply',
		details: 'This cannot be undone',
		fields: { commonReplyId },
		...removalBy('commonReplyId'),

		request: ({ commonReplyId }) => remove(path`/api/v2/replies/${commonReplyId}/`),
	}),
};
