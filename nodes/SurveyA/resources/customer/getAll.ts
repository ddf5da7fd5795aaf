import { collection, optionalText } from '../../../shared/parameters/schemas';
import { list } from '../../../shared/operations/list';
import { get } from '../../../shared/http/request';
import { emailFilter, filters, sortByDate, sortInput } from '../../parameters/fields';
import { customerRecord } from '../../records/customer';

/** `GET /api/v2/nps/customers`. */
export const getAll = list({
	name: 'Get Many',
	action: 'Get many customers',
	description: 'Retrieve a list of customers, or find one by its address',
	fields: [filters([emailFilter])],
	options: [sortByDate],
	input: { filters: collection({ email: optionalText }), options: sortInput },
	outputSchema: customerRecord,

	request: ({ filters: { email }, options: { sort } }) =>
		get('/api/v2/nps/customers', { email, sort }),
	rowsKey: 'subscribers',
	pageSize: 1000,
});
