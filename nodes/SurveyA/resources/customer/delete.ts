import { batched } from '../../../shared/batched';
import { Failure } from '../../../shared/failure';
import { text } from '../../../shared/input';
import { remove } from '../../../shared/request';
import { namedCustomers, outcomeOf } from '../../answers';
import { email } from '../../fields';
import { deletedCustomerRecord } from '../../records';

/** `DELETE /api/v2/nps/customers`: the customers stand in the body. */
export const deleteCustomers = batched({
	name: 'Delete',
	action: 'Delete customer',
	description: 'Delete a customer permanently',
	fields: [email],
	input: { email: text },
	returns: deletedCustomerRecord,

	size: 1000,
	key: ({ email }) => email,
	request: (customers) =>
		remove('/api/v2/nps/customers', { subscribers: customers.map(({ email }) => ({ email })) }),
	answer: namedCustomers,
	output: (named, { email }) => {
		const outcome = outcomeOf(named, email, 'deleted');
		return outcome instanceof Failure ? outcome : { email, deleted: true };
	},
});
