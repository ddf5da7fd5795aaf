import { list } from '../../../shared/operations/list';
import { get } from '../../../shared/http/request';
import { record, string } from '../../../shared/records';
import { BARE_LIST } from '../../service';

/** `GET /api/v2/nps/campaigns`: a bare array of the active transactional campaigns; 404 for none. */
export const getAllLegacy = list({
	name: 'Get Many (Deprecated)',
	action: 'Get many campaigns by deprecated endpoint',
	description:
		'Get the active transactional campaigns from the deprecated endpoint, each with its ID and name only',
	notice: "Survey A replaced this operation. Use 'Get Many' instead.",
	fields: {},
	outputSchema: record({ id: string, value: string }),

	request: () => get('/api/v2/nps/campaigns'),
	rowsKey: BARE_LIST,
});
