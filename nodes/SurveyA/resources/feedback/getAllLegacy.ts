import { list } from '../../../shared/operations/list';
import { collection } from '../../../shared/parameters/fields';
import { dateOrder } from '../../../shared/parameters/sharedFields';
import { get } from '../../../shared/http/request';
import { legacyFeedbackRecord } from '../../records/feedback';
import { endDate, sortByDate, sortQuery, startDate } from '../../parameters/fields';

/** `GET /api/v2/nps/customers/response`: its rows have no ID. */
export const getAllLegacy = list({
	name: 'Get Many (Deprecated)',
	action: 'Get many feedback by deprecated endpoint',
	description: 'Get feedback responses from the deprecated endpoint, without IDs',
	notice: "Survey A replaced this operation. Use 'Get Many' instead.",
	fields: { filters: collection('Filters', { startDate, endDate }) },
	options: { dateOrder },
	sort: sortByDate,
	outputSchema: legacyFeedbackRecord,

	request: ({ filters: { startDate, endDate }, sort }) =>
		get('/api/v2/nps/customers/response', {
			startDate: startDate?.unixSeconds(),
			endDate: endDate?.lastUnixSecond(),
			...sortQuery(sort),
		}),
	rowsKey: 'responses',
	pageSize: 1000,
	identity: ({ email, createdDate, score, comment }) => [email, createdDate, score, comment],
});
