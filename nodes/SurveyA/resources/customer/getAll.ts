import { collection, optionalId } from '../../../shared/parameters/schemas';
import { list } from '../../../shared/operations/list';
import { get } from '../../../shared/http/request';
import { emailFilter, filters, sortByDate, sortInput } from '../../parameters/fields';
import { customerRecord } from '../../records/customer';

/** `GET /api/v2/nps/customers`. */
export const getAll = list({
	name: 'Get Many',
	action: 'Get many customers',
	description: 'Get customers with company, tags and properties, or find one by email',
	fields: [filters([emailFilter])],
	options: [sortByDate],
	input: () => ({ filters: collection({ email: optionalId }), options: sortInput }),
	outputSchema: customerRecord,

	request: ({ filters: { email }, options: { sort } }) =>
		get('/api/v2/nps/customers', { email, sort }),
	rowsKey: 'subscribers',
	pageSize: 1000,
});
