import { list } from '../../../shared/operations/list';
import { collection } from '../../../shared/fields/fields';
import { dateOrder } from '../../../shared/fields/sharedFields';
import { get } from '../../../shared/http/request';
import { numeric, record, string, strings } from '../../../shared/records';
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
	outputSchema: record({
		email: string,
		firstName: string,
		lastName: string,
		companyName: string,
		tags: strings,
		createdDate: string,
		score: numeric,
		comment: string,
		feedbackTags: strings,
	}),

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
