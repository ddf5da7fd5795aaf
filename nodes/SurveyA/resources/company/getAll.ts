import { list } from '../../../shared/operations/list';
import { get } from '../../../shared/http/request';
import { sortBy } from '../../../shared/fields/sorting';
import { sortQuery } from '../../parameters/fields';
import { companyRecord } from '../../records/company';

const sort = sortBy([
	{ name: 'CES', value: 'cxMetrics.CES' },
	{ name: 'Company Name', value: 'companyName' },
	{ name: 'Contacts Count', value: 'contactsCount' },
	{ name: 'Created Date', value: 'createdDate' },
	{ name: 'CSAT', value: 'cxMetrics.CSAT' },
	{ name: 'Domain', value: 'domain' },
	{ name: 'Industry Name', value: 'industryName' },
	{ name: 'NPS', value: 'cxMetrics.NPS' },
	{ name: 'Star Rating', value: 'cxMetrics.STAR' },
]);

/** `GET /api/v2/companies`: the response counts rows but no pages. */
export const getAll = list({
	name: 'Get Many',
	action: 'Get many companies',
	description: 'Get companies with their scores and number of contacts',
	fields: {},
	sort,
	outputSchema: companyRecord,

	request: ({ sort }) => get('/api/v2/companies', sortQuery(sort)),
	rowsKey: 'companies',
	pageSize: 100,
	isByAge: ({ sort }) => sort === undefined || sort.field === 'createdDate',
});
