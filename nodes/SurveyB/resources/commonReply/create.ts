import { each } from '../../../shared/operations/each';
import { objectWith } from '../../../shared/http/json';
import { locator, text } from '../../../shared/fields/fields';
import { post } from '../../../shared/http/request';
import { commonReplyRecord } from '../../records/commonReply';

/** `POST /api/v2/replies/`: a category that does not exist is created. */
export const create = each({
	name: 'Create',
	action: 'Create common reply',
	description: 'Create a common reply for later use. Sends nothing. Returns its ID.',
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
	writes: true,
	outputSchema: commonReplyRecord,

	request: ({ title, reply, categoryName }) =>
		post('notIdempotent', '/api/v2/replies/', { title, reply, category: { name: categoryName } }),
	responseSchema: objectWith('id'),
	output: (reply) => reply,
});
