import { list } from '../../../shared/list';
import { get } from '../../../shared/request';
import { contactListRecord } from '../../records';

/** `GET /api/lists/`: without a version in its path. */
export const getAll = list({
	name: 'Get Many',
	action: 'Get many contact lists',
	description: 'Retrieve a list of contact lists',
	input: {},
	returns: contactListRecord,

	request: () => get('/api/lists/'),
	rows: 'results',
	pageSize: 100,
});
