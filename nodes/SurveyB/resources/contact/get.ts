import { each } from '../../../shared/operations/each';
import { id } from '../../../shared/parameters/schemas';
import { objectWith } from '../../../shared/http/json';
import { get as read, path } from '../../../shared/http/request';
import { contactFromAnswer, simplifyContact, simplifiedContactRecord } from '../../records/contact';

/** `GET /api/v2/contacts/{contact_id}/`. */
export const get = each({
	name: 'Get',
	action: 'Get contact',
	description: 'Retrieve a contact',
	fields: [
		{
			displayName: 'Contact ID',
			name: 'contactId',
			type: 'string',
			required: true,
			default: '',
			placeholder: 'e.g. 501',
			description: "Number of the contact in Survey B. 'Get Many' finds it by the address.",
		},
	],
	input: { contactId: id },
	outputSchema: simplifiedContactRecord,
	simplify: simplifyContact,

	request: ({ contactId }) => read(path`/api/v2/contacts/${contactId}/`),
	responseSchema: objectWith('id', 'email'),
	output: contactFromAnswer,
});
