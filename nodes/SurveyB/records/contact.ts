import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod/v4';

import { Failure } from '../../shared/base/failure';
import { isObject, wholeNumber } from '../../shared/base/json';
import { normalizeEmail } from '../../shared/fields/values';
import type { RecordForms } from '../../shared/records';
import {
	unchanged,
	anyFields,
	boolean,
	fields,
	numeric,
	record,
	string,
} from '../../shared/records';

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

/** Returns a contact with `unsubscribed` as a boolean: some responses write it as text. */
export function contactFromResponse(response: IDataObject): IDataObject {
	const { unsubscribed } = response;
	if (typeof unsubscribed !== 'string') return response;
	return { ...response, unsubscribed: unsubscribed.toLowerCase() === 'true' };
}

/** Returns the failure of a response that has another contact than the one that was sent. */
export function otherContact(contact: unknown, email: string): Failure | undefined {
	const named = isObject(contact) ? contact.email : undefined;
	if (typeof named !== 'string' || normalizeEmail(named) === normalizeEmail(email))
		return undefined;
	const message = `Survey B confirmed ${named} instead of this contact`;
	return new Failure('uncertain', message);
}

/**
 * Returns the output for an unsubscribed contact. The contract does not show what `results` holds: if it names contacts,
 * all of them must be named; if it names none, nothing says that the contact exists and is unsubscribed.
 */
export function unsubscribedContact(
	{ results, count }: IDataObject,
	email: string,
): IDataObject | Failure {
	const rows = Array.isArray(results) ? results : [];
	const named = new Map(rows.flatMap((row) => addressOf(row) ?? []));
	const isOpen = named.size === 0 || (wholeNumber(count) ?? 0) > rows.length;
	const isDone = named.get(normalizeEmail(email));
	if (isDone) return { email, unsubscribed: true, confirmed: true };
	if (isDone === undefined && isOpen) return { email, confirmed: false };
	return new Failure('uncertain', `${email}: Survey B did not confirm this contact`);
}

function addressOf(row: unknown): [[string, boolean]] | undefined {
	const { email, unsubscribed } = isObject(row)
		? contactFromResponse(row)
		: { email: row, unsubscribed: true };
	return typeof email === 'string' ? [[normalizeEmail(email), unsubscribed !== false]] : undefined;
}
