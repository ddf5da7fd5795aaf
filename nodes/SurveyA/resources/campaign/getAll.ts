import { list } from '../../../shared/operations/list';
import { get } from '../../../shared/http/request';
import { boolean, record, string } from '../../../shared/records';

/** `GET /api/v2/campaigns`: all campaigns in one response. */
export const getAll = list({
	name: 'Get Many',
	action: 'Get many campaigns',
	description:
		'Get campaigns with their ID, name, metric, channel and whether they are active. Deleted campaigns are left out.',
	fields: {},
	outputSchema: record({
		id: string,
		name: string,
		isActive: boolean,
		templateId: string,
		metric: string,
		type: string,
		channel: string,
	}),

	request: () => get('/api/v2/campaigns'),
	rowsKey: 'campaigns',
});
