import { list } from '../../../shared/operations/list';
import { get } from '../../../shared/http/request';
import { templateRecord } from '../../records/template';

/** `GET /api/v2/templates`: all templates in one answer; deleted ones are left out. */
export const getAll = list({
	name: 'Get Many',
	action: 'Get many templates',
	description: 'Get survey templates with their ID, name, metric and channel',
	input: () => ({}),
	outputSchema: templateRecord,

	request: () => get('/api/v2/templates'),
	rowsKey: 'templates',
});
