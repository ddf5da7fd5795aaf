import { list } from '../../../shared/operations/list';
import { get } from '../../../shared/http/request';
import { record, string } from '../../../shared/records';

/** `GET /api/v2/templates`: all templates in one response. */
export const getAll = list({
	name: 'Get Many',
	action: 'Get many templates',
	description:
		'Get survey templates with their ID, name, metric and channel. Deleted templates are left out.',
	fields: {},
	outputSchema: record({ id: string, name: string, channel: string, metric: string }),

	request: () => get('/api/v2/templates'),
	rowsKey: 'templates',
});
