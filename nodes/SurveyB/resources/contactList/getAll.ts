import { list } from '../../../shared/operations/list';
import { get } from '../../../shared/http/request';
import { contactListRecord } from '../../records/contactList';

/** `GET /api/lists/`: without a version in its path. */
export const getAll = list({
	name: 'Get Many',
	action: 'Get many contact lists',
	description: 'Retrieve a list of contact lists',
	input: {},
	outputSchema: contactListRecord,

	request: () => get('/api/lists/'),
	rowsKey: 'results',
	pageSize: 100,
});
