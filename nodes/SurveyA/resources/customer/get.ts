import { each } from '../../../shared/operations/each';
import { locator } from '../../../shared/parameters/schemas';
import { get as read, path } from '../../../shared/http/request';
import { onlyRecord, recordsIn } from '../../records/answers';
import { customer } from '../../parameters/locators';
import { customerRecord } from '../../records/customer';

/** `GET /api/v2/nps/customers/{customerId}`: the shape of the list, with one customer. */
export const get = each({
	name: 'Get',
	action: 'Get customer',
	description: 'Retrieve a customer by its ID',
	fields: [customer],
	input: { customerId: locator },
	outputSchema: customerRecord,

	request: ({ customerId }) => read(path`/api/v2/nps/customers/${customerId}`),
	responseSchema: recordsIn('subscribers'),
	output: (customers) => onlyRecord(customers, 'Customer not found.'),
});
