import { list } from '../../../shared/list';
import { get } from '../../../shared/request';
import { templateRecord } from '../../records';

/** `GET /api/v2/templates`: all templates in one answer; deleted ones are left out. */
export const getAll = list({
	name: 'Get Many',
	action: 'Get many templates',
	description: 'Retrieve a list of survey templates',
	input: {},
	returns: templateRecord,

	request: () => get('/api/v2/templates'),
	rows: 'templates',
});
