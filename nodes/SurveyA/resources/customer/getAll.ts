import { collection, optionalText } from '../../../shared/input';
import { list } from '../../../shared/list';
import { get } from '../../../shared/request';
import { emailFilter, filters, sortByDate, sortInput } from '../../fields';
import { customerRecord } from '../../records';

/** `GET /api/v2/nps/customers`. */
export const getAll = list({
	name: 'Get Many',
	action: 'Get many customers',
	description: 'Retrieve a list of customers, or find one by its address',
	fields: [filters([emailFilter])],
	options: [sortByDate],
	input: { filters: collection({ email: optionalText }), options: sortInput },
	returns: customerRecord,

	request: ({ filters: { email }, options: { sort } }) =>
		get('/api/v2/nps/customers', { email, sort }),
	rows: 'subscribers',
	pageSize: 1000,
});
