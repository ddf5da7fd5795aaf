import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod/v4';

import { each } from '../../../shared/operations/each';
import { locator } from '../../../shared/fields/fields';
import { hasEmail, isAddress } from '../../../shared/fields/emails';
import { SurveyError } from '../../../shared/http/surveyError';
import { objectWith } from '../../../shared/http/json';
import { get as read, path } from '../../../shared/http/request';
import { contactFromResponse, contactRecord } from '../../records/contact';
import { surveyB } from '../../service';

const oneContact = objectWith('id', 'email').transform((contact) => [contact]);

/** Reads the list of one contact or none that the service returns for an email. */
const contactsIn = z.unknown().transform((body, context): IDataObject[] => {
	const rows = surveyB.readPage(body, 'results')?.rows;
	if (rows === undefined) context.addIssue({ code: 'custom', message: 'no list' });
	return rows ?? z.NEVER;
});

/** `GET /api/v2/contacts/{contact_id}/`, or `GET /api/v2/contacts/?email=` by address. */
export const get = each({
	name: 'Get',
	action: 'Get contact',
	description: 'Get a contact by email or ID, with its attributes',
	fields: {
		contactId: locator({
			displayName: 'Contact',
			required: true,
			search: 'searchContacts',
			by: [
				{ displayName: 'By Email', name: 'email', placeholder: 'e.g. nathan@example.com' },
				{ displayName: 'By ID', name: 'id', placeholder: 'e.g. 501' },
			],
			description: 'Type a whole email address to find any contact in the list',
		}),
	},
	outputSchema: contactRecord,

	request: ({ contactId }) =>
		isAddress(contactId)
			? read('/api/v2/contacts/', { email: contactId })
			: read(path`/api/v2/contacts/${contactId}/`),
	responseSchema: ({ contactId }) => (isAddress(contactId) ? contactsIn : oneContact),
	output(contacts, { contactId }) {
		const contact = isAddress(contactId) ? contacts.find(hasEmail(contactId)) : contacts[0];
		if (contact) return contactFromResponse(contact);
		throw new SurveyError({
			message: `No contact has the email ${contactId}`,
			status: 404,
			hint: 'Check the email, or create the contact first',
		});
	},
});
