import { batched } from '../../../shared/operations/batched';
import { remove } from '../../../shared/http/request';
import { boolean, record, string } from '../../../shared/records';
import { confirmedCustomer, namedCustomers } from '../../records/responses';
import { email } from '../../parameters/fields';

/** `DELETE /api/v2/nps/customers`: the customers are in the body. */
export const deleteCustomers = batched({
	name: 'Delete',
	action: 'Delete customer',
	description: 'Delete customers permanently. This cannot be undone. Returns each email.',
	irreversible: true,
	fields: { email },
	outputSchema: record({ email: string, deleted: boolean }),

	size: 1000,
	key: ({ email }) => email,
	request: (customers) =>
		remove('/api/v2/nps/customers', { subscribers: customers.map(({ email }) => ({ email })) }),
	responseSchema: namedCustomers,
	output: (named, { email }) => confirmedCustomer(named, email, 'deleted'),
});
