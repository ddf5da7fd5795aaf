import type { IDataObject } from 'n8n-workflow';

import type { Failure } from '../shared/base/failure';
import { emptyBody, isObject, maybeEmpty, objectThat } from '../shared/base/json';
import { hasEmail } from '../shared/fields/values';
import { notRemoved, notSaved } from '../shared/http/response';
import { boolean, numeric, record } from '../shared/records';
import { NamedPeople } from '../surveys/namedPeople';
import { numericId } from './parameters/common';
import { surveyB } from './service';

export function otherEmail(email: string, contact: unknown): Failure | undefined {
	const saved = isObject(contact) ? contact.email : undefined;
	return hasEmail(email)({ email: saved }) ? undefined : notSaved('Email', email, saved);
}

/** Reads the response to unsubscribing: the contract does not show whether `results` holds contacts or addresses. */
export function unsubscribedContacts(body: unknown): NamedPeople | undefined {
	const read = emptyBody(body) ?? objectThat(({ results }) => results !== undefined)(body);
	if (!read) return undefined;
	const items = Array.isArray(read.results) ? read.results : [];
	return new NamedPeople(
		surveyB,
		items.map((item) => (isObject(item) ? item : { email: item })),
	);
}

export function removalBy<Field extends string>(field: Field) {
	type Input = Record<Field, string>;
	const deleted = (input: Input) => ({ id: numericId(input[field]), deleted: true });
	return {
		irreversible: true,
		outputSchema: record({ id: numeric, deleted: boolean }),
		readBody: maybeEmpty,
		output: (body: IDataObject, input: Input) =>
			notRemoved(surveyB, body) ?? notSaved('ID', input[field], body.id) ?? deleted(input),
		removed: deleted,
	};
}
