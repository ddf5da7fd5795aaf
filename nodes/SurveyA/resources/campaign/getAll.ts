import { list } from '../../../shared/list';
import { get } from '../../../shared/request';
import { campaignRecord } from '../../records';

/** `GET /api/v2/campaigns`: all campaigns in one answer; deleted ones are left out. */
export const getAll = list({
	name: 'Get Many',
	action: 'Get many campaigns',
	description: 'Retrieve a list of campaigns',
	input: {},
	returns: campaignRecord,

	request: () => get('/api/v2/campaigns'),
	rows: 'campaigns',
});
