import { objectWith } from '../../shared/base/json';
import { id, locator, text } from '../../shared/fields/kinds';
import { notSaved } from '../../shared/http/response';
import { get, path, post, remove } from '../../shared/http/request';
import { list } from '../../shared/operations/list';
import type { Resource } from '../../shared/operations/operation';
import { write } from '../../shared/operations/write';
import { requiredNumber, numeric, record, optional, string } from '../../shared/records';
import { removalBy } from '../responses';

/** Contract: Common reply. */
const commonReplyRecord = record({
	id: requiredNumber,
	title: string,
	reply: string,
	category: optional({ id: numeric, name: string }),
});

export const commonReplyResource: Resource = {
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
			categoryName: id({
				displayName: 'Category Name',
				required: true,
				placeholder: 'e.g. Detractors',
				description: 'A new category is created',
			}),
		},
		outputSchema: commonReplyRecord,

		request: ({ title, reply, categoryName }) =>
			post(
				'notIdempotent',
				'/api/v2/replies/',
				{ title, reply, category: { name: categoryName } },
				'the common replies of Survey B',
			),
		readBody: objectWith('id'),
		output: (reply, { title }) => notSaved('Title', title, reply.title) ?? reply,
	}),

	delete: write({
		action: 'Delete common reply',
		description: 'Delete a common reply',
		details: 'This cannot be undone',
		fields: {
			commonReplyId: locator({
				displayName: 'Common Reply',
				required: true,
				search: 'searchCommonReplies',
				by: { id: '301' },
			}),
		},
		...removalBy('commonReplyId'),

		request: ({ commonReplyId }) => remove(path`/api/v2/replies/${commonReplyId}/`),
	}),
};
