import { batched } from '../../../shared/batched';
import { post } from '../../../shared/request';
import { namedCustomers, outcomeOf } from '../../answers';
import { customerBody, customerFields, customerInput } from '../../customer';
import { email } from '../../fields';
import { writtenCustomerRecord } from '../../records';

/** `POST /api/v2/nps/customers`: at most 1,000 customers a request. */
export const upsert = batched({
	name: 'Create or Update',
	action: 'Create or update customer',
	description: 'Create a new customer, or update the current one if it already exists (upsert)',
	fields: [email, customerFields],
	input: customerInput,
	returns: writtenCustomerRecord,

	size: 1000,
	key: ({ email }) => email,
	request: (customers) =>
		post('harmless', '/api/v2/nps/customers', { subscribers: customers.map(customerBody) }),
	answer: namedCustomers,
	output: (named, { email }) => outcomeOf(named, email),
});
