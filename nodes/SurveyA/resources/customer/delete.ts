import { batched } from '../../../shared/operations/batched';
import { Failure } from '../../../shared/http/failure';
import { id } from '../../../shared/parameters/schemas';
import { remove } from '../../../shared/http/request';
import { namedCustomers, customerResult } from '../../records/answers';
import { email } from '../../parameters/fields';
import { deletedCustomerRecord } from '../../records/customer';

/** `DELETE /api/v2/nps/customers`: the customers stand in the body. */
export const deleteCustomers = batched({
	name: 'Delete',
	action: 'Delete customer',
	description: 'Delete customers permanently. This cannot be undone. Returns each email.',
	fields: [email],
	input: () => ({ email: id }),
	outputSchema: deletedCustomerRecord,

	size: 1000,
	key: ({ email }) => email,
	request: (customers) =>
		remove('/api/v2/nps/customers', { subscribers: customers.map(({ email }) => ({ email })) }),
	responseSchema: namedCustomers,
	output: (named, { email }) => {
		const outcome = customerResult(named, email, 'deleted');
		return outcome instanceof Failure ? outcome : { ...outcome, email, deleted: true };
	},
});
