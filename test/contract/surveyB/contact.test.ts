import type { IDataObject } from 'n8n-workflow';

import { onItsOwnClock } from '../../support/clock.mts';
import { mapped } from '../../support/columns';
import { useRunner } from './runner';
import { limitRowsInFlight, restoreLimits } from '../../support/limits';

afterEach(restoreLimits);

const runner = useRunner();

const ada = () => runner.service.state.contacts.get('ada@acme.example');

test('Create or Update sends exactly the mapped columns and returns the contact', async () => {
	const columns = mapped(
		{
			...{ email: 'nathan@example.com', firstName: 'Nathan', lastName: 'Smith' },
			...{
				unsubscribed: true,
				'attribute:since': '2026-01-02',
				contactLists: '={{ ["11", 12] }}',
			},
		},
		[{ id: 'attribute:since', type: 'dateTime' }],
	);
	const item = await runner.one('contact.upsert', columns);
	runner.expectSent('POST /api/v2/contacts/', {
		email: 'nathan@example.com',
		first_name: 'Nathan',
		last_name: 'Smith',
		unsubscribed: true,
		attributes: { since: '2026-01-02' },
		contact_list: [11, 12],
	});
	expect(item).toEqual({
		id: expect.any(Number),
		email: 'nathan@example.com',
		first_name: 'Nathan',
		last_name: 'Smith',
		unsubscribed: true,
		created_date: expect.any(String),
		attributes: { since: '2026-01-02' },
	});
});

test.each([
	['counts as done if an older server leaves unsubscribed out of its response', {}, undefined],
	['fails if the response has the contact as unsubscribed', { unsubscribed: true }, 'is true'],
])('subscribing a contact again %s', async (_, state, says) => {
	const email = 'unsubscribed@example.com';
	runner.respond(200, { id: 504, email, ...state });
	const parameters = mapped({ email, unsubscribed: false });
	const { error } = await runner.run('contact.upsert', {
		...parameters,
		options: { resubscribe: true },
	});
	expect(runner.bodies()).toEqual([{ email, unsubscribed: false }]);
	expect(error?.message.includes(`'Unsubscribed' ${says}`)).toBe(says && true);
});

test('Get requests a contact by its ID and returns it', async () => {
	const { id } = ada() ?? {};
	const item = await runner.one('contact.get', { contactId: id });
	runner.expectSent(`GET /api/v2/contacts/${id}/`);
	expect(item).toEqual(ada());
});

test('a contact has true or false in unsubscribed, also if the service writes text', async () => {
	runner.service.settings.unsubscribedAsText = true;
	const [all] = await runner.all('contact.getAll', { filters: { email: 'ada@acme.example' } });
	expect(all).toMatchObject({ unsubscribed: false });
	const one = await runner.one('contact.get', { contactId: 'unsubscribed@example.com' });
	expect(one).toMatchObject({ unsubscribed: true });
	const saved = await runner.one('contact.upsert', mapped({ email: 'ada@acme.example' }));
	expect(saved).toMatchObject({ unsubscribed: false });
});

test('Get Many sends its filters under the names of the contract', async () => {
	const contactListId = { __rl: true, mode: 'list', value: '12' };
	const filters = { email: 'ada@acme.example', contactListId };
	expect(await runner.all('contact.getAll', { filters })).toEqual([]);
	runner.expectSent('GET /api/v2/contacts/?email=ada%40acme.example&contact_list__id=12');
	const found = await runner.run('contact.getAll', { filters: { email: 'ada@acme.example' } });
	expect(found.items).toMatchObject([{ email: 'ada@acme.example', unsubscribed: false }]);
});

test('Get Many refuses the name of a contact list: a service that ignores it would return all contacts', async () => {
	const filters = { contactListId: '={{ "VIP" }}' };
	expect(await runner.failure('contact.getAll', { filters })).toContain(
		`'Contact List' must be an ID, not a name: "VIP" | Choose it from the list, or enter its ID`,
	);
	expect(runner.service.requests).toEqual([]);
});

test('Unsubscribe sends all rows in one request', async () => {
	runner.service.seedContacts(300);
	const input = Array.from({ length: 300 }, (_, i) => ({ email: `contact${i + 1}@example.com` }));
	const parameters = { email: '={{ $json.email }}' };
	const { items } = await runner.run('contact.unsubscribe', parameters, { input });
	runner.expectSent('POST /api/v2/contacts/unsubscribe/', {
		emails: input.map(({ email }) => email),
	});
	expect(items).toEqual(input.map(({ email }) => ({ email, unsubscribed: true })));
	expect(runner.service.state.unsubscribed).toHaveLength(300);
});

test('Unsubscribe fails only the email that the service names', async () => {
	runner.service.settings.strictEmails = true;
	const { items } = await runner.rows('contact.unsubscribe', { email: '={{ $json.email }}' }, [
		{ email: 'ada@acme.example' },
		{ email: 'nobody.@acme.example' },
		{ email: 'grace@acme.example' },
	]);
	expect(items).toEqual([
		{ email: 'ada@acme.example', unsubscribed: true },
		{
			email: 'nobody.@acme.example',
			error: expect.stringContaining(
				'nobody.@acme.example: Enter a valid email address (HTTP 400)',
			),
			details: {
				code: 'invalidEmail',
				httpCode: 400,
				advice: 'Correct the email, or remove the row',
			},
		},
		{ email: 'grace@acme.example', unsubscribed: true },
	]);
});

const OTHERS = [{ email: 'grace@acme.example' }];
const DENIED = {
	error: expect.stringContaining('ada@acme.example: Survey B did not confirm this row'),
	details: expect.objectContaining({ confirmed: false }),
};

test.each<[string, IDataObject, IDataObject]>([
	['names nobody', { count: 0, results: [] }, DENIED],
	['is empty', {}, DENIED],
	['names some of those that it counts', { count: 2, results: OTHERS }, DENIED],
	['names all that it counts, and not this contact', { count: 1, results: OTHERS }, DENIED],
	[
		'names this contact as still subscribed',
		{ count: 2, results: [{ email: 'ada@acme.example', unsubscribed: false }] },
		DENIED,
	],
	[
		'names this contact with an error',
		{ results: [{ email: 'ada@acme.example', error: 'Not yours' }] },
		{ error: expect.stringContaining('Not yours') },
	],
	[
		'says 0 for this contact',
		{ results: [{ email: 'ada@acme.example', unsubscribed: 0 }] },
		DENIED,
	],
	['names nobody by an address', { results: [{ id: 7 }] }, DENIED],
	['names this contact by its address', { results: ['Ada@acme.example'] }, { unsubscribed: true }],
	['names another contact by its address', { results: ['grace@acme.example'] }, DENIED],
	['names others without a count', { results: OTHERS }, DENIED],
])('Unsubscribe claims no more than the response says if it %s', async (_, body, expected) => {
	runner.respond(200, body);
	const { items } = await runner.rows('contact.unsubscribe', { email: 'ada@acme.example' }, [{}]);
	expect(items).toEqual([expect.objectContaining(expected)]);
	expect('unsubscribed' in (items[0] ?? {})).toBe('unsubscribed' in expected);
});

test('Get by Email never takes a value that is no address as an ID: that would be another person', async () => {
	const contactId = { __rl: true, mode: 'email', value: String(ada()?.id) };
	const { error } = await runner.run('contact.get', { contactId });
	expect(error?.message).toContain(`'Contact' is not an email address: "${contactId.value}"`);
	expect(runner.service.requests).toEqual([]);
});

test.each([['ada@acme.example'], [{ __rl: true, mode: 'email', value: 'Ada@acme.example' }]])(
	'Get finds a contact by the email %j',
	async (contactId) => {
		const item = await runner.one('contact.get', { contactId });
		expect(item).toMatchObject({ id: ada()?.id, email: 'ada@acme.example' });
		runner.expectSent(
			expect.stringMatching(/^GET \/api\/v2\/contacts\/\?email=ada%40acme.example$/i),
		);
	},
);

test('Get by email is repeated when the response has no list', async () => {
	runner.respond(200, { count: 1 });
	const get = async () => await runner.one('contact.get', { contactId: 'ada@acme.example' });
	expect(await onItsOwnClock(get)).toEqual(ada());
	expect(runner.service.requests).toHaveLength(2);
});

test('Get fails when no contact has the email', async () => {
	expect(await runner.failure('contact.get', { contactId: 'nobody@acme.example' })).toContain(
		'No contact has the email nobody@acme.example',
	);
});

test.each([
	['ada@acme.example', '1 of 3 rows were read'],
	['', 'Nothing was read'],
])('when Get fails after the row %j, the error says what was read', async (first, says) => {
	const input = [{ id: first }, { id: 'nobody@acme.example' }, { id: 'nobody@acme.example' }];
	limitRowsInFlight(1);
	const { error } = await runner.run('contact.get', { contactId: '={{ $json.id }}' }, { input });
	expect(error?.message).toContain(says);
	expect(error?.message).not.toContain('sent');
});

test('Get fails if the service returns another contact than the one with the ID', async () => {
	runner.respond(200, { id: 6, email: 'a@example.com' });
	expect(await runner.failure('contact.get', { contactId: '5' })).toContain(
		'Survey B returned the record 6 instead of 5',
	);
	runner.respond(200, { id: '05', email: 'a@example.com' });
	expect(await runner.one('contact.get', { contactId: '5' })).toEqual({
		id: 5,
		email: 'a@example.com',
	});
});

test('an unknown email fails Unsubscribe, alone and beside a known one', async () => {
	runner.service.settings.strictEmails = false;
	const emails = ['nobody@acme.example', 'ada@acme.example'];
	const parameters = { email: '={{ $json.email }}' };
	const together = await runner.rows(
		'contact.unsubscribe',
		parameters,
		emails.map((email) => ({ email })),
	);
	const alone = await runner.rows('contact.unsubscribe', parameters, [{ email: emails[0] }]);
	const failed = {
		error: expect.stringMatching(/^No contact has the email nobody@acme.example/),
		details: { code: 'unknownContact', advice: expect.stringMatching(/^Check the email/) },
	};
	expect(together.items).toMatchObject([failed, { email: emails[1], unsubscribed: true }]);
	expect(alone.items).toMatchObject([failed]);
});

test('with On Error = Stop, Unsubscribe does not count an unknown contact as a row that Survey B may have processed', async () => {
	runner.service.settings.strictEmails = false;
	const input = ['nobody@acme.example', 'none@acme.example'].map((email) => ({ email }));
	const parameters = { email: '={{ $json.email }}' };
	const { error } = await runner.run('contact.unsubscribe', parameters, { input });
	expect(error?.message).toContain(
		'No contact has the email nobody@acme.example [item 0] and 1 more row. Nothing was sent',
	);
});

test('Unsubscribe looks a contact up whom the response does not name: it fails if the contact is not unsubscribed', async () => {
	runner.service.settings.unsubscribeResults = 'none';
	const rows = [{ email: 'ada@acme.example' }, { email: 'nobody@acme.example' }];
	const parameters = { email: '={{ $json.email }}' };
	const { items } = await runner.rows('contact.unsubscribe', parameters, rows);
	expect(items).toMatchObject([
		{ email: 'ada@acme.example', unsubscribed: true },
		{
			error: expect.stringMatching(/^No contact has the email nobody@acme.example/),
			details: { code: 'unknownContact' },
		},
	]);
	expect(runner.lines().sort()).toEqual([
		'GET /api/v2/contacts/?email=ada%40acme.example',
		'GET /api/v2/contacts/?email=nobody%40acme.example',
		'POST /api/v2/contacts/unsubscribe/',
	]);
	runner.respond(200, { count: 0, results: [] });
	const other = await runner.rows('contact.unsubscribe', parameters, [
		{ email: 'grace@acme.example' },
	]);
	expect(other.items).toMatchObject([{ details: { code: 'notConfirmed' } }]);
});
