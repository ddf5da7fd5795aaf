import { list } from '../../../shared/list';
import { get } from '../../../shared/request';
import { commonReplyRecord } from '../../records';

/** `GET /api/v2/replies/`. */
export const getAll = list({
	name: 'Get Many',
	action: 'Get many common replies',
	description: 'Retrieve a list of common replies',
	input: {},
	returns: commonReplyRecord,

	request: () => get('/api/v2/replies/'),
	rows: 'results',
	pageSize: 100,
});
