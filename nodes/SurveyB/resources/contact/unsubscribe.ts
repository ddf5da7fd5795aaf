import { batched } from '../../../shared/operations/batched';
import { maybeEmpty } from '../../../shared/http/json';
import { post } from '../../../shared/http/request';
import { boolean, record, string } from '../../../shared/records';
import { email } from '../../parameters/fields';
import { unsubscribedContact } from '../../records/contact';

/** `POST /api/v2/contacts/unsubscribe/`: any number of addresses; their pending surveys are cancelled. */
export const unsubscribe = batched({
	name: 'Unsubscribe',
	action: 'Unsubscribe contact',
	description: 'Unsubscribe a contact and cancel its scheduled surveys. Returns the email.',
	fields: { email },
	outputSchema: record({ email: string, unsubscribed: boolean }),

	size: Infinity,
	key: ({ email }) => email,
	request: (contacts) =>
		post('idempotent', '/api/v2/contacts/unsubscribe/', {
			emails: contacts.map(({ email }) => email),
		}),
	responseSchema: maybeEmpty,
	output: (response, { email }) => unsubscribedContact(response, email),
});
