import { Failure } from '../../shared/base/failure';
import { objectWith } from '../../shared/base/json';
import { filters, locator } from '../../shared/fields/fields';
import { hasEmail, isAddress } from '../../shared/fields/values';
import { wasRemoved } from '../../shared/http/outcome';
import { get, path, post } from '../../shared/http/request';
import { notSaved } from '../../shared/http/response';
import { recordsIn } from '../../shared/http/service';
import { list } from '../../shared/operations/list';
import type { Resource } from '../../shared/operations/operation';
import { single, write } from '../../shared/operations/write';
import { boolean, record, string } from '../../shared/records';
import { contactColumns } from '../parameters/contactColumns';
import { email, emailFilter } from '../parameters/fields';
import {
	contactRecord,
	isUnsubscribed,
	maybeEnvelope,
	otherContact,
	unsubscribedContact,
	unsubscribedContacts,
} from '../records/contact';
import { surveyB } from '../service';

export const contactResource: Resource = {
	/** `POST /api/v2/contacts/`. */
	upsert: write({
		action: 'Create or update contact',
		description: 'Create a new contact, or update the current one if it already exists (upsert)',
		details: 'Sends no survey. An update applies to all lists and campaigns',
		fields: { columns: contactColumns },
		outputSchema: contactRecord,

		request: ({ columns }) => post('idempotent', '/api/v2/contacts/', columns),
		responseSchema: objectWith('id', 'email'),
		output(response, { columns: { email, unsubscribed } }) {
			return (
				otherContact(response, email) ??
				notSaved('Unsubscribed', unsubscribed, isUnsubscribed(response)) ??
				response
			);
		},
	}),

	/** `GET /api/v2/contacts/{contact_id}/`, or `GET /api/v2/contacts/?email=` by address. */
	get: single({
		action: 'Get contact',
		description: 'Get a contact by email or ID',
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
				? get('/api/v2/contacts/', { email: contactId })
				: get(path`/api/v2/contacts/${contactId}/`),
		responseSchema: recordsIn(surveyB, ['id', 'email']),
		output(contacts, { contactId }) {
			const contact = isAddress(contactId) ? contacts.find(hasEmail(contactId)) : contacts[0];
			if (contact) return contact;
			throw new Failure('failed', `No contact has the email ${contactId}`, {
				status: 404,
				hint: 'Check the email, or create the contact first',
			});
		},
	}),

	/** `GET /api/v2/contacts/`: 100 a page. */
	getAll: list({
		action: 'Get many contacts',
		description: 'Get contacts by email or list',
		fields: {
			filters: filters({
				contactListId: locator({
					displayName: 'Contact List',
					search: 'searchContactLists',
					by: [{ displayName: 'By ID', name: 'id', placeholder: 'e.g. 11' }],
					description: 'Only return contacts of this list. Without this option, all are returned.',
				}),
				email: emailFilter,
			}),
		},
		outputSchema: contactRecord,

		request: ({ filters: { email, contactListId } }) =>
			get('/api/v2/contacts/', { email, contact_list__id: contactListId }),
		pageSize: 100,
	}),

	/** `POST /api/v2/contacts/unsubscribe/`: any number of addresses; their pending surveys are cancelled. */
	unsubscribe: write({
		action: 'Unsubscribe contact',
		description: 'Unsubscribe a contact, cancel its surveys',
		details:
			'Its scheduled surveys are canceled, which cannot be undone. confirmed is true if Survey B names the contact in its response',
		irreversible: true,
		fields: { email },
		outputSchema: record({ email: string, unsubscribed: boolean, confirmed: boolean }),

		size: Infinity,
		request: (_, contacts) =>
			post('idempotent', '/api/v2/contacts/unsubscribe/', {
				emails: contacts.map(({ email }) => email),
			}),
		responseSchema: unsubscribedContacts,
		output: (named, { email }) => unsubscribedContact(named, email),
	}),

	/** `POST /api/contacts/remove/`. */
	delete: write({
		action: 'Delete contact',
		description: 'Delete a contact with all its data',
		details: 'This cannot be undone. Also confirms a person whom Survey B does not know',
		irreversible: true,
		fields: { email },
		outputSchema: record({ email: string, deleted: boolean }),

		request: ({ email }) => post('idempotent', '/api/contacts/remove/', { email }),
		responseSchema: maybeEnvelope,
		output: (_response, { email }) => ({ email, deleted: true }),
		alreadyDone: (refusal, { email }) =>
			wasRemoved(refusal) ? { email, deleted: true } : undefined,
	}),
};
