import { list } from '../../../shared/operations/list';
import { get } from '../../../shared/http/request';
import { campaignRecord } from '../../records/campaign';

/** `GET /api/v2/campaigns`: all campaigns in one response. */
export const getAll = list({
	name: 'Get Many',
	action: 'Get many campaigns',
	description:
		'Get campaigns with their ID, name, metric, channel and whether they are active. Deleted campaigns are left out.',
	fields: {},
	outputSchema: campaignRecord,

	request: () => get('/api/v2/campaigns'),
	rowsKey: 'campaigns',
});
