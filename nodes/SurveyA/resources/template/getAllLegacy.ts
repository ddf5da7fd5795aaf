import { list } from '../../../shared/operations/list';
import { get } from '../../../shared/http/request';
import { record, string } from '../../../shared/records';
import { BARE_LIST } from '../../service';

/** `GET /api/v2/nps/templates`: a bare array. */
export const getAllLegacy = list({
	name: 'Get Many (Deprecated)',
	action: 'Get many templates by deprecated endpoint',
	description: 'Get survey templates from the deprecated endpoint, each with its ID and name only',
	notice: "Survey A replaced this operation. Use 'Get Many' instead.",
	fields: {},
	outputSchema: record({ id: string, value: string }),

	request: () => get('/api/v2/nps/templates'),
	rowsKey: BARE_LIST,
});
