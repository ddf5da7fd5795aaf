import { batched } from '../../../shared/operations/batched';
import { Failure } from '../../../shared/http/failure';
import { collection, id, optionalText } from '../../../shared/parameters/schemas';
import { post } from '../../../shared/http/request';
import { namedCustomers, customerResult } from '../../records/answers';
import { email } from '../../parameters/fields';
import { unsubscribedCustomerRecord } from '../../records/customer';

/** `POST /api/v2/nps/customers/unsubscribe`: one message for all customers of a request. */
export const unsubscribe = batched({
	name: 'Unsubscribe',
	action: 'Unsubscribe customer',
	description: 'Unsubscribe a customer from all surveys. Returns the email.',
	fields: [email],
	options: [
		{
			displayName: 'Message',
			name: 'message',
			type: 'string',
			default: '',
			placeholder: 'e.g. Asked for it on the phone',
			description: 'Opt-out text',
		},
	],
	input: () => ({ email: id, options: collection({ message: optionalText }) }),
	outputSchema: unsubscribedCustomerRecord,

	size: 1000,
	group: ({ options }) => options.message,
	key: ({ email }) => email,
	request: (customers, { options: { message } }) =>
		post('idempotent', '/api/v2/nps/customers/unsubscribe', {
			message,
			subscribers: customers.map(({ email }) => ({ email })),
		}),
	responseSchema: namedCustomers,
	output: (named, { email }) => {
		const outcome = customerResult(named, email, 'unsubscribed');
		return outcome instanceof Failure ? outcome : { ...outcome, unsubscribed: true };
	},
});
