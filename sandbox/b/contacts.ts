import { embeddedContact, type Contact, type ContactList } from './records';
import { ok, type ApiResponse } from '../core/apiResponse';
import type { Call, Handlers } from '../core/routes';
import { sorted } from '../core/sorted';
import { filtersOf, requireKnown } from './filters';
import {
	contactInput,
	emailsInput,
	read,
	removeInput,
	strictEmailsInput,
	type ContactInput,
} from './input';
import { envelope, otherPageResponse, pageResponse } from './pages';
import { invalid, notFound, refusal } from './refusals';
import { findContact, nextId, type StateB, type ContextB } from './state';

/** Some examples of the contract show `unsubscribed` as a string. */
function contactRow({ settings }: ContextB, contact: Contact): object {
	const row: Record<string, unknown> = { ...contact };
	if (settings.unsubscribedAsText) row.unsubscribed = String(contact.unsubscribed);
	if (settings.blanks === 'stored') return row;
	const blank = settings.blanks === 'null' ? null : undefined;
	const { first_name, last_name, attributes } = contact;
	const held = Object.keys(attributes).length > 0;
	return {
		...row,
		first_name: first_name || blank,
		last_name: last_name || blank,
		attributes: held ? attributes : blank,
	};
}

/** Returns the list for contacts without one; creates it if necessary. */
function defaultList(state: StateB): ContactList {
	const name = `Default List for ${state.organization}`;
	const known = state.lists.find((list) => list.name === name);
	if (known) return known;
	const list: ContactList = { id: nextId(state), name };
	state.lists.push(list);
	return list;
}

interface Person {
	email: string;
	first_name?: string;
	last_name?: string;
	attributes?: Record<string, unknown>;
}

/** Creates or updates a contact without logging an effect. */
export function placeContact(
	state: StateB,
	person: Person,
	created_date: string,
	lists: number[] = [],
): Contact {
	const { email, first_name, last_name, attributes } = person;
	const contact = findContact(state, email) ?? {
		id: nextId(state),
		email,
		first_name: '',
		last_name: '',
		created_date,
		unsubscribed: false,
		attributes: {},
	};
	state.contacts.set(state.keyOf(email), contact);
	if (first_name !== undefined) contact.first_name = first_name;
	if (last_name !== undefined) contact.last_name = last_name;
	const { attributesOfUpdate } = state.settings;
	const kept = attributesOfUpdate === 'merged' || !attributes ? contact.attributes : {};
	contact.attributes = { ...kept, ...attributes };
	const known = state.memberships.get(contact.id) ?? [];
	const joined = new Set([...known, ...lists]);
	state.memberships.set(contact.id, joined.size > 0 ? joined : new Set([defaultList(state).id]));
	return contact;
}

function listIds(state: StateB, given: ContactInput['contact_list']): number[] {
	if (given === undefined) return [];
	const ids = (Array.isArray(given) ? given : [given]).map(Number);
	const unknown = ids.find((id) => !state.lists.some((list) => list.id === id));
	if (unknown === undefined) return ids;
	throw invalid({ contact_list: [`Invalid pk "${unknown}" - object does not exist.`] });
}

/** Returns the contact with an email. The settings say what is done if there is none. */
function knownContact({ state, settings }: ContextB, email: string): Contact[] {
	const known = findContact(state, email);
	if (known) return [known];
	if (settings.unknownUnsubscribed === 'ignored') return [];
	if (settings.unknownUnsubscribed === 'created') {
		return [placeContact(state, { email }, state.clock.now())];
	}
	throw invalid({ emails: [`Contact ${email} does not exist.`] });
}

function unsubscribe(context: ContextB, contact: Contact): void {
	if (contact.unsubscribed) return;
	contact.unsubscribed = true;
	context.state.unsubscribed.push({ email: contact.email, at: Date.now() });
	context.emit('contact.unsubscribed', embeddedContact(contact));
}

function subscribe(context: ContextB, contact: Contact, given: ContactInput['unsubscribed']): void {
	const { savedUnsubscribed } = context.settings;
	if (given === undefined && savedUnsubscribed === 'subscribed') contact.unsubscribed = false;
	if (given === undefined) return;
	if (String(given) === 'true') unsubscribe(context, contact);
	else contact.unsubscribed = false;
}

function upsertContact(context: ContextB, call: Call): ApiResponse {
	const { state } = context;
	const input = read(contactInput(context.settings), call.body);
	const lists = listIds(state, input.contact_list);
	const known = findContact(state, input.email);
	const contact = placeContact(state, input, state.clock.now(), lists);
	subscribe(context, contact, input.unsubscribed);
	return { status: known ? 200 : 201, body: contactRow(context, contact) };
}

function getContacts(context: ContextB, call: Call): ApiResponse {
	const { state } = context;
	const { email, contact_list__id: list } = filtersOf(call);
	if (list !== undefined) requireKnown(context, state.lists, list);
	const found = [...state.contacts.values()].filter(
		(contact) =>
			(!email || state.keyOf(contact.email) === state.keyOf(email)) &&
			(list === undefined || state.memberships.get(contact.id)?.has(list)),
	);
	const rows = sorted(found, ({ id }) => id, 'up').map((contact) => contactRow(context, contact));
	return pageResponse(context, call, rows);
}

function removeHistory(state: StateB, { id }: Contact, key: string): void {
	state.contacts.delete(key);
	state.memberships.delete(id);
	state.lastSurveyed.delete(key);
	state.gone.add(`/api/v2/contacts/${id}/`);
	state.surveys = state.surveys.filter(({ email }) => state.keyOf(email) !== key);
	if (state.settings.historyOfRemoved === 'stays') return;
	state.feedback = state.feedback.filter(({ contact }) => contact.id !== id);
}

export const contactsRoutes: Handlers<ContextB> = {
	'POST /api/v2/contacts/': upsertContact,

	/** Ignores unknown emails. */
	'POST /api/v2/contacts/unsubscribe/': (context, call) => {
		const input = context.settings.strictEmails ? strictEmailsInput : emailsInput;
		const { emails } = read(input, call.body);
		const contacts = emails.flatMap((email) => knownContact(context, email));
		for (const contact of contacts) unsubscribe(context, contact);
		const results: Record<string, unknown[]> = {
			contacts: contacts.map((contact) => contactRow(context, contact)),
			emails: contacts.map(({ email }) => email),
			none: [],
		};
		const { unsubscribeResults: shown } = context.settings;
		return ok({ ...envelope(results[shown] ?? []), count: contacts.length });
	},

	'GET /api/v2/contacts/': getContacts,

	'GET /api/v2/contacts/{id}/': (context, { params, path }) => {
		const { state } = context;
		if (state.gone.has(path)) throw refusal(context.settings.removedRecord, 'Gone');
		const contact = [...state.contacts.values()].find(({ id }) => String(id) === params.id);
		if (!contact) throw notFound();
		return ok(contactRow(context, contact));
	},

	/** Removes the contact and its history. */
	'POST /api/contacts/remove/': ({ state, settings }, call) => {
		const { email } = read(removeInput, call.body);
		const contact = findContact(state, email);
		if (!contact && settings.unknownRemoved === 404) throw notFound();
		if (!contact && settings.unknownRemoved === 400) {
			throw invalid({ email: ['Contact does not exist.'] });
		}
		if (contact) removeHistory(state, contact, state.keyOf(email));
		return ok(envelope([]));
	},

	'GET /api/lists/': (context, call) => otherPageResponse(context, call, context.state.lists),
};
