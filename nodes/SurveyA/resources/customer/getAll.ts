import { list } from '../../../shared/operations/list';
import { collection } from '../../../shared/fields/fields';
import { get } from '../../../shared/http/request';
import { emailFilter, sortByDate, sortQuery } from '../../parameters/fields';
import { customerRecord } from '../../records/customer';

/** `GET /api/v2/nps/customers`. */
export const getAll = list({
	name: 'Get Many',
	action: 'Get many customers',
	description: 'Get customers with company, tags and properties, or find one by email',
	fields: { filters: collection('Filters', { email: emailFilter }) },
	sort: sortByDate,
	outputSchema: customerRecord,

	request: ({ filters: { email }, sort }) =>
		get('/api/v2/nps/customers', { email, ...sortQuery(sort) }),
	rowsKey: 'subscribers',
	pageSize: 1000,
});
