import { z } from 'zod/v4';

import type { Failure } from '../../shared/base/failure';
import { isObject, maybeEmpty } from '../../shared/base/json';
import { hasEmail } from '../../shared/fields/values';
import { notSaved } from '../../shared/http/response';
import { NamedPeople } from '../../surveys/namedPeople';
import {
	unchanged,
	anyFields,
	boolean,
	fields,
	requiredNumber,
	numeric,
	record,
	string,
	strings,
} from '../../shared/records';
import type { RecordForms } from '../../shared/records';
import { surveyB } from '../service';

/** Contract: Feedback, `contact`; Events, contact.unsubscribed. */
export const feedbackContactRecord = record({
	attributes: anyFields,
	first_name: string,
	last_name: string,
	id: numeric,
	email: string,
});

export const eventContact: RecordForms = {
	raw: feedbackContactRecord,
	simplified: unchanged('id', 'email', 'first_name', 'last_name', 'attributes'),
	answers: ({ attributes }) => Object.entries(isObject(attributes) ? attributes : {}),
	answerFields: ['attributes'],
};

const contactShape = {
	id: requiredNumber,
	email: z.string,
	...fields(string, 'first_name', 'last_name', 'created_date'),
	unsubscribed: boolean,
	attributes: anyFields,
};

/** Contract: Contact. */
export const contactRecord = record(contactShape);

export const savedContact = record({ ...contactShape, skippedAttributes: strings });

export function otherEmail(email: string, contact: unknown): Failure | undefined {
	const saved = isObject(contact) ? contact.email : undefined;
	return hasEmail(email)({ email: saved }) ? undefined : notSaved('Email', email, saved);
}

/** Reads the response to unsubscribing: the contract does not show whether `results` holds contacts or addresses. */
export function unsubscribedContacts(body: unknown): NamedPeople | undefined {
	const read = maybeEmpty(body);
	if (!read || !('results' in read || Object.keys(read).length === 0)) return undefined;
	const items = Array.isArray(read.results) ? read.results : [];
	return new NamedPeople(
		surveyB,
		items.map((item) => (isObject(item) ? item : { email: item })),
	);
}
