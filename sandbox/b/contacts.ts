import type { Contact, ContactList, EmbeddedContact } from './records';
import { ok, type Answer } from '../core/answer';
import type { Call } from '../core/routes';
import { sorted } from '../core/sorted';
import { wholeFilter } from './filters';
import { contactInput, emailsInput, isEmail, read, removeInput, type ContactInput } from './input';
import { envelope, pageAnswer } from './pages';
import { brokenPolicy } from './policy';
import { invalid, notFound, refusal, type Messages } from './refusals';
import { findContact, nextId, type StateB, type WorldB } from './state';

/** A contact as feedback and events embed it. */
export function embedded(contact: Contact): EmbeddedContact {
	const { attributes, first_name, last_name, id, email } = contact;
	return { attributes, first_name, last_name, id, email };
}

/** The list that contacts without one are put on. */
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

/** Puts a contact in place without counting it as an effect of a call. */
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
	state.contacts.set(email.toLowerCase(), contact);
	if (first_name !== undefined) contact.first_name = first_name;
	if (last_name !== undefined) contact.last_name = last_name;
	contact.attributes = { ...contact.attributes, ...attributes };
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

function unsubscribe({ state, emit }: WorldB, contact: Contact): void {
	if (contact.unsubscribed) return;
	contact.unsubscribed = true;
	state.unsubscribed.push({ email: contact.email, at: Date.now() });
	emit('contact.unsubscribed', () => embedded(contact));
}

function subscribe(world: WorldB, contact: Contact, given: ContactInput['unsubscribed']): void {
	if (given === undefined) return;
	if (String(given) === 'true') unsubscribe(world, contact);
	else contact.unsubscribed = false;
}

/** POST /api/v2/contacts/ */
export function upsertContact(world: WorldB, call: Call): Answer {
	const { state, settings } = world;
	const input = read(contactInput, call.body);
	const broken = brokenPolicy(input.attributes, settings);
	if (broken) throw invalid({ attributes: [broken] });
	const lists = listIds(state, input.contact_list);
	const known = findContact(state, input.email);
	const contact = placeContact(state, input, state.clock.now(), lists);
	subscribe(world, contact, input.unsubscribed);
	state.upserted.push({ email: input.email, at: Date.now() });
	return { status: known ? 200 : 201, body: contact };
}

/** GET /api/v2/contacts/ */
export function getContacts(world: WorldB, call: Call): Answer {
	const { state } = world;
	const email = call.query.get('email')?.toLowerCase();
	const list = wholeFilter(call, 'contact_list__id');
	const found = [...state.contacts.values()].filter(
		(contact) =>
			(!email || contact.email.toLowerCase() === email) &&
			(list === undefined || state.memberships.get(contact.id)?.has(list)),
	);
	return pageAnswer(
		world,
		call,
		sorted(found, ({ id }) => id, 'up'),
		{ mayBeBare: true },
	);
}

/** GET /api/v2/contacts/{id}/ */
export function getContact({ state }: WorldB, { params, path }: Call): Answer {
	if (state.gone.has(path)) throw refusal(410, 'Gone');
	const contact = [...state.contacts.values()].find(({ id }) => String(id) === params.id);
	if (!contact) throw notFound();
	return ok(contact);
}

function refuseAddresses(emails: string[]): void {
	const bad: Messages = {};
	emails.forEach((email, index) => {
		if (!isEmail(email)) bad[String(index)] = ['Enter a valid email address.'];
	});
	if (Object.keys(bad).length > 0) throw invalid({ emails: bad });
}

/** POST /api/v2/contacts/unsubscribe/: addresses of nobody are passed over. */
export function unsubscribeContacts(world: WorldB, call: Call): Answer {
	const { emails } = read(emailsInput, call.body);
	if (world.settings.strictEmails) refuseAddresses(emails);
	const contacts = emails.flatMap((email) => findContact(world.state, email) ?? []);
	for (const contact of contacts) unsubscribe(world, contact);
	return ok(envelope(contacts));
}

/** POST /api/contacts/remove/: the contact and all its history. */
export function removeContact({ state }: WorldB, call: Call): Answer {
	const { email } = read(removeInput, call.body);
	const contact = findContact(state, email);
	if (contact) forget(state, contact, email.toLowerCase());
	state.removed.push({ email, at: Date.now() });
	return ok(envelope([]));
}

function forget(state: StateB, { id }: Contact, key: string): void {
	state.contacts.delete(key);
	state.memberships.delete(id);
	state.lastSurveyed.delete(key);
	state.gone.add(`/api/v2/contacts/${id}/`);
	state.surveys = state.surveys.filter(({ email }) => email.toLowerCase() !== key);
	state.feedback = state.feedback.filter(({ contact }) => contact.id !== id);
}

/** GET /api/lists/ */
export function getLists(world: WorldB, call: Call): Answer {
	return pageAnswer(world, call, world.state.lists, { mayBeBare: true });
}
