import { list } from '../../../shared/list';
import { get } from '../../../shared/request';
import { deprecated } from '../../fields';
import { legacyCampaignRecord } from '../../records';
import { BARE } from '../../service';

/** `GET /api/v2/nps/campaigns`: a bare array of the active transactional campaigns; 404 for none. */
export const getAllLegacy = list({
	name: 'Get Many (Deprecated)',
	action: 'Get many campaigns by deprecated endpoint',
	description: 'Retrieve a list of active transactional campaigns in the earlier form',
	fields: [deprecated("Survey A replaced this operation. Use 'Get Many' instead.")],
	input: {},
	returns: legacyCampaignRecord,

	request: () => get('/api/v2/nps/campaigns'),
	rows: BARE,
});
