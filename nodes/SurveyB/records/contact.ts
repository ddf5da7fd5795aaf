import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod/v4';

import { Failure } from '../../shared/base/failure';
import { isObject, maybeEmpty, wholeNumber } from '../../shared/base/json';
import { normalizeEmail } from '../../shared/fields/values';
import { isRefused, isTrue, quoted } from '../../shared/http/response';
import { namedPeople } from '../../shared/operations/namedPeople';
import type { NamedPeople } from '../../shared/operations/namedPeople';
import {
	unchanged,
	anyFields,
	boolean,
	fields,
	numeric,
	record,
	string,
} from '../../shared/records';
import type { RecordForms } from '../../shared/records';

/** Contract: Feedback, `contact`; Events, contact.unsubscribed. */
export const feedbackContactRecord = record({
	attributes: anyFields,
	first_name: string,
	last_name: string,
	id: numeric,
	email: string,
});

/** The contact of a contact.unsubscribed event. */
export const eventContact: RecordForms = {
	raw: feedbackContactRecord,
	simplified: unchanged('id', 'email', 'first_name', 'last_name', 'attributes'),
	answers: ({ attributes }) => Object.entries(isObject(attributes) ? attributes : {}),
	answerFields: ['attributes'],
};

/** Contract: Contact. */
export const contactRecord = record({
	id: z.number,
	email: z.string,
	...fields(string, 'first_name', 'last_name', 'created_date'),
	unsubscribed: boolean,
	attributes: anyFields,
});

/** Returns whether a contact is unsubscribed, which some responses write as text; undefined if they do not say it. */
export function isUnsubscribed({ unsubscribed }: IDataObject): IDataObject[string] {
	return typeof unsubscribed === 'string' ? isTrue(unsubscribed) : unsubscribed;
}

/** Returns the failure of a response that has another contact than the one that was sent. */
export function otherContact(contact: unknown, email: string): Failure | undefined {
	const named = isObject(contact) ? contact.email : undefined;
	if (typeof named !== 'string' || normalizeEmail(named) === normalizeEmail(email))
		return undefined;
	return new Failure('unconfirmed', `Survey B confirmed ${named} instead of this contact`);
}

/** Reads the envelope of a list, or nothing. */
export const maybeEnvelope = maybeEmpty.refine(
	(body) => 'results' in body || Object.keys(body).length === 0,
);

/** Reads the response to unsubscribing: the contract does not show whether `results` holds contacts or addresses. */
export const unsubscribedContacts = maybeEnvelope.transform(({ results, count }) => {
	const items = Array.isArray(results) ? results : [];
	const contacts = items.map((item) => (isObject(item) ? item : { email: item }));
	return namedPeople(contacts, wholeNumber(count));
});

/** Returns the output for an unsubscribed contact. If the response names contacts, all of them must be named. */
export function unsubscribedContact(named: NamedPeople, email: string): IDataObject | Failure {
	const contact = named.of(email);
	if (!contact && named.isPartial) return { email, confirmed: false };
	const isDone =
		contact && Boolean(isUnsubscribed({ unsubscribed: true, ...contact })) && !isRefused(contact);
	if (isDone) return { email, unsubscribed: true, confirmed: true };
	const message = `${email}: Survey B did not confirm this contact${quoted(contact)}`;
	return new Failure('unconfirmed', message);
}
