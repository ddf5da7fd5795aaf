import { each } from '../../../shared/operations/each';
import { hasEmail, isAddress } from '../../../shared/fields/emails';
import { get as read, path } from '../../../shared/http/request';
import { customer } from '../../parameters/fields';
import { onlyRecord, recordsIn } from '../../records/responses';
import { customerRecord } from '../../records/customer';

/**
 * `GET /api/v2/nps/customers/{customerId}`: the shape of the list, with one customer. By email it is
 * `GET /api/v2/nps/customers?email=`.
 */
export const get = each({
	name: 'Get',
	action: 'Get customer',
	description: 'Get a customer by email or ID, with company, tags and properties',
	fields: { customerId: customer },
	outputSchema: customerRecord,

	request: ({ customerId }) =>
		isAddress(customerId)
			? read('/api/v2/nps/customers', { email: customerId })
			: read(path`/api/v2/nps/customers/${customerId}`),
	responseSchema: recordsIn('subscribers'),
	output: (customers, { customerId }) =>
		onlyRecord(
			isAddress(customerId) ? customers.filter(hasEmail(customerId)) : customers,
			'Customer not found.',
		),
});
