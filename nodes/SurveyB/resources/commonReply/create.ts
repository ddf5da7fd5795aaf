import { each } from '../../../shared/operations/each';
import { id, text } from '../../../shared/parameters/schemas';
import { objectWith } from '../../../shared/http/json';
import { post } from '../../../shared/http/request';
import { commonReplyRecord } from '../../records/commonReply';

/** `POST /api/v2/replies/`: a category that does not exist is created. */
export const create = each({
	name: 'Create',
	action: 'Create common reply',
	description: 'Create a common reply for later use. Sends nothing. Returns its ID.',
	fields: [
		{
			displayName: 'Title',
			name: 'title',
			type: 'string',
			required: true,
			default: '',
			placeholder: 'e.g. Thank you',
		},
		{
			displayName: 'Reply',
			name: 'reply',
			type: 'string',
			typeOptions: { rows: 4 },
			required: true,
			default: '',
			description: 'Text of the reply',
		},
		{
			displayName: 'Category Name',
			name: 'categoryName',
			type: 'string',
			required: true,
			default: '',
			placeholder: 'e.g. Detractors',
			description: 'Category of the reply. It is created if it does not exist yet.',
		},
	],
	input: () => ({ title: text, reply: text, categoryName: id }),
	writes: true,
	outputSchema: commonReplyRecord,

	request: ({ title, reply, categoryName }) =>
		post('notIdempotent', '/api/v2/replies/', { title, reply, category: { name: categoryName } }),
	responseSchema: objectWith('id'),
	output: (reply) => reply,
});
