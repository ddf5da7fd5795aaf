import { each } from '../../../shared/operations/each';
import { normalizeEmail } from '../../../shared/fields/emails';
import { objectWith } from '../../../shared/http/json';
import { post } from '../../../shared/http/request';
import { contactColumns } from '../../parameters/contactColumns';
import { numericId } from '../../parameters/fields';
import { contactFromResponse, contactRecord } from '../../records/contact';

/** `POST /api/v2/contacts/`. */
export const upsert = each({
	name: 'Create or Update',
	action: 'Create or update contact',
	description: 'Create a new contact, or update the current one if it already exists (upsert)',
	effect:
		'Sends no survey. An update applies to all lists and campaigns. Returns the saved contact.',
	fields: { columns: contactColumns },
	writes: true,
	outputSchema: contactRecord,

	serializeBy: ({ columns }) => normalizeEmail(columns.email),
	request: ({ columns }) =>
		post('idempotent', '/api/v2/contacts/', {
			email: columns.email,
			first_name: columns.firstName,
			last_name: columns.lastName,
			unsubscribed: columns.unsubscribed,
			attributes: columns.attributes,
			contact_list: columns.contactLists?.length ? columns.contactLists.map(numericId) : undefined,
		}),
	responseSchema: objectWith('id', 'email'),
	output: contactFromResponse,
});
