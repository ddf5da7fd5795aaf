import { list } from '../../../shared/operations/list';
import { get } from '../../../shared/http/request';
import { commonReplyRecord } from '../../records/commonReply';

/** `GET /api/v2/replies/`. */
export const getAll = list({
	name: 'Get Many',
	action: 'Get many common replies',
	description: 'Get the common replies with their ID, title, text and category',
	fields: {},
	sortHere: [
		{ name: 'Category', value: 'category.name' },
		{ name: 'Title', value: 'title' },
	],
	outputSchema: commonReplyRecord,

	request: () => get('/api/v2/replies/'),
	rowsKey: 'results',
	pageSize: 100,
});
