import { batched } from '../../../shared/operations/batched';
import { text } from '../../../shared/fields/fields';
import { post } from '../../../shared/http/request';
import { boolean, record, string } from '../../../shared/records';
import { confirmedCustomer, namedCustomers } from '../../records/responses';
import { email } from '../../parameters/fields';

/** `POST /api/v2/nps/customers/unsubscribe`: one message for all customers of a request. */
export const unsubscribe = batched({
	name: 'Unsubscribe',
	action: 'Unsubscribe customer',
	description: 'Unsubscribe a customer from all surveys. Returns the email.',
	fields: { email },
	options: {
		message: text({
			displayName: 'Reason',
			placeholder: 'e.g. Asked for it on the phone',
			description: 'Opt-out text, shown in Survey A',
		}),
	},
	outputSchema: record({ email: string, unsubscribed: boolean }),

	size: 1000,
	group: ({ options }) => options.message,
	key: ({ email }) => email,
	request: (customers, { options: { message } }) =>
		post('idempotent', '/api/v2/nps/customers/unsubscribe', {
			message,
			subscribers: customers.map(({ email }) => ({ email })),
		}),
	responseSchema: namedCustomers,
	output: (named, { email }) => confirmedCustomer(named, email, 'unsubscribed'),
});
