import { each } from '../../../shared/each';
import { id } from '../../../shared/input';
import { objectWith } from '../../../shared/json';
import { get as read, path } from '../../../shared/request';
import { contactFromAnswer, simpleContact, simpleContactRecord } from '../../contact';

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
	returns: simpleContactRecord,
	simplify: simpleContact,

	request: ({ contactId }) => read(path`/api/v2/contacts/${contactId}/`),
	answer: objectWith('id', 'email'),
	output: contactFromAnswer,
});
