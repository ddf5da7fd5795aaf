import type { IDataObject } from 'n8n-workflow';

import { Failure } from '../../shared/base/failure';
import { maybeEmpty, objectWith } from '../../shared/base/json';
import { filters, locator } from '../../shared/fields/kinds';
import { hasEmail, isAddress } from '../../shared/fields/values';
import { get, path, post } from '../../shared/http/request';
import {
	askedFor,
	differs,
	existing,
	isTrue,
	notRemoved,
	notSaved,
} from '../../shared/http/response';
import { recordsIn } from '../../shared/http/service';
import { list } from '../../shared/operations/list';
import type { Resource } from '../../shared/operations/operation';
import { single, write } from '../../shared/operations/write';
import { boolean, record, string } from '../../shared/records';
import { idOnly } from '../../surveys/people';
import { contactColumns, withSkipped } from '../parameters/contactColumns';
import { basic } from '../parameters/common';
import { contactRecord, savedContact } from '../records';
import { otherEmail, unsubscribedContacts } from '../responses';
import { surveyB } from '../service';

const { email, emailFilter } = basic;

function contactWith(email: string, contacts: IDataObject[]): IDataObject {
	const none = `No contact has the email ${email}`;
	return existing(surveyB, contacts.find(hasEmail(email)), none);
}

export const contactResource: Resource = {
	upsert: write({
		action: 'Create or update contact',
		description: 'Create a new contact, or update the current one if it already exists (upsert)',
		details:
			'Sends no survey. An update applies to all lists and campaigns. Only unsubscribed unsubscribes',
		fields: { columns: contactColumns },
		outputSchema: savedContact,

		request: ({ columns }) => post('idempotent', '/api/v2/contacts/', columns.contact),
		readBody: objectWith('id', 'email'),
		output(response, { columns: { email, contact, skippedAttributes } }) {
			const { unsubscribed = null } = contactRecord.typed(response);
			const confirm = contact.unsubscribed === true ? differs : notSaved;
			return (
				otherEmail(email, response) ??
				confirm('Unsubscribed', contact.unsubscribed, unsubscribed) ??
				withSkipped(response, skippedAttributes)
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
				by: { email: 'nathan@example.com', id: '501' },
				description: 'Enter a whole email to find any contact',
			}),
		},
		outputSchema: contactRecord,

		request: ({ contactId }) =>
			isAddress(contactId)
				? get('/api/v2/contacts/', { email: contactId })
				: get(path`/api/v2/contacts/${contactId}/`),
		readBody: recordsIn(surveyB, ['id', 'email']),
		output(contacts, { contactId }) {
			return isAddress(contactId)
				? contactWith(contactId, contacts)
				: askedFor(surveyB, contacts, contactId, ['id'], 'Not found.');
		},
	}),

	/** `GET /api/v2/contacts/`: 100 a page. */
	getAll: list({
		action: 'Get many contacts',
		description: 'Get contacts by email or list',
		fields: {
			filters: filters({
				contactListId: idOnly(
					locator({
						displayName: 'Contact List',
						search: 'searchContactLists',
						by: { id: '11' },
					}),
				),
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
		description: 'Unsubscribe a contact',
		details:
			'Its scheduled surveys are canceled, which cannot be undone. An unknown contact fails (unknownContact)',
		irreversible: true,
		fields: { email },
		outputSchema: record({ email: string, unsubscribed: boolean }),

		size: Infinity,
		request: (_, contacts) =>
			post('idempotent', '/api/v2/contacts/unsubscribe/', {
				emails: contacts.map(({ email }) => email),
			}),
		readBody: unsubscribedContacts,
		output(named, { email }) {
			const result = named.marked(email, 'unsubscribed');
			return result instanceof Failure ? result : { email, unsubscribed: true };
		},
		// The contract shows the envelope, and not whether its `results` name anybody.
		lookUp: {
			isFor: ({ kind }) => kind === 'unconfirmed',
			request: ({ email }) => get('/api/v2/contacts/', { email }),
			readBody: recordsIn(surveyB, ['id', 'email']),
			output(contacts, { email }) {
				const contact = contactWith(email, contacts);
				return isTrue(contact.unsubscribed) ? { email, unsubscribed: true } : undefined;
			},
		},
	}),

	delete: write({
		action: 'Delete contact',
		description: 'Delete a contact with all its data',
		details:
			'This also deletes that it unsubscribed, and cannot be undone. Survey B may also confirm an unknown person',
		irreversible: true,
		fields: { email },
		outputSchema: record({ email: string, deleted: boolean }),

		request: ({ email }) => post('idempotent', '/api/contacts/remove/', { email }),
		readBody: maybeEmpty,
		output: (body, { email }) =>
			notRemoved(surveyB, body) ?? otherEmail(email, body) ?? { email, deleted: true },
		removed: ({ email }) => ({ email, deleted: true }),
	}),
};
