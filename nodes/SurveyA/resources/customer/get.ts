import { each } from '../../../shared/each';
import { locator } from '../../../shared/input';
import { get as read, path } from '../../../shared/request';
import { only, records } from '../../answers';
import { customer } from '../../locators';
import { customerRecord } from '../../records';

/** `GET /api/v2/nps/customers/{customerId}`: the shape of the list, with one customer. */
export const get = each({
	name: 'Get',
	action: 'Get customer',
	description: 'Retrieve a customer by its ID',
	fields: [customer],
	input: { customerId: locator },
	returns: customerRecord,

	request: ({ customerId }) => read(path`/api/v2/nps/customers/${customerId}`),
	answer: records('subscribers'),
	output: (customers) => only(customers, 'Customer not found.'),
});
