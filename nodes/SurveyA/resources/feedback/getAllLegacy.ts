import { collection } from '../../../shared/parameters/schemas';
import { list } from '../../../shared/operations/list';
import { get } from '../../../shared/http/request';
import {
	deprecated,
	filters,
	periodFilters,
	periodInput,
	sortByDate,
	sortInput,
} from '../../parameters/fields';
import { legacyFeedbackRecord } from '../../records/feedback';
import { dateOrderField } from '../../../shared/parameters/fields';

/** `GET /api/v2/nps/customers/response`: its rows have no ID. */
export const getAllLegacy = list({
	name: 'Get Many (Deprecated)',
	action: 'Get many feedback by deprecated endpoint',
	description: 'Get feedback responses from the deprecated endpoint, without IDs',
	fields: [
		deprecated("Survey A replaced this operation. Use 'Get Many' instead."),
		filters(periodFilters),
	],
	options: [dateOrderField, sortByDate],
	input: () => ({ filters: collection(periodInput), options: sortInput }),
	outputSchema: legacyFeedbackRecord,

	request: ({ filters, options: { sort } }) =>
		get('/api/v2/nps/customers/response', { ...filters, sort }),
	rowsKey: 'responses',
	pageSize: 1000,
	identity: ({ email, createdDate, score, comment }) => [email, createdDate, score, comment],
});
