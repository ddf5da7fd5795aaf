import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { methods } from '../../../nodes/SurveyB/methods';
import { onItsOwnClock } from '../../support/clock.mts';
import { automatic, mapped } from '../../support/columns';
import { useRunner } from './runner';

const runner = useRunner();

const ADA = 'ada@acme.example';
const NOT_SENT = 'Columns that were not sent';
const SINCE = [{ id: 'attribute:since', type: 'dateTime' as const }];

async function upsert(row: IDataObject, parameters: INodeParameters = {}) {
	const from = runner.bodies().length;
	const { error, hints } = await runner.run(
		'contact.upsert',
		{ ...automatic(), ...parameters },
		{ input: [row] },
	);
	const message = error && `${error.message} | ${error.description}`;
	return { body: runner.bodies()[from], message, hints };
}

/** Returns the contact that goes out for one row. */
async function written(row: IDataObject, parameters?: INodeParameters) {
	const { body, message } = await upsert(row, parameters);
	expect(message).toBeUndefined();
	return body;
}

describe('Map Automatically', () => {
	test('finds the fields of a contact by column names in any case, with spaces or underscores', async () => {
		const row = {
			EMAIL: ' nathan@example.com ',
			'First Name': 'Nathan',
			last_name: 'Smith',
			Unsubscribed: 'true',
			'Contact List IDs': '11, 12',
		};
		expect(await written(row)).toEqual({
			email: 'nathan@example.com',
			first_name: 'Nathan',
			last_name: 'Smith',
			unsubscribed: true,
			contact_list: [11, 12],
		});
	});

	test('names the new attributes and their types in a hint', async () => {
		const known = { email: ADA, since: '2026-01-02' };
		const row = { ...known, plan: 'pro', seats: 12, ends: '2026-02-03', areas: ['a'] };
		const { hints } = await upsert(row, automatic(SINCE));
		expect(hints).toEqual([
			'Sent to Survey B as new: plan (text), seats (number), ends (date), areas (list)',
		]);
	});

	test.each<[string, IDataObject]>([
		['address, orders', { address: { city: 'London' }, orders: [{ id: 1 }], Notes: 'x' }],
		['Survey: order_id', { 'Survey: order_id': 7, 'Survey: empty': '' }],
	])('leaves out columns without a field, and a hint names %s of %j', async (named, row) => {
		const options = { ignoredColumns: 'notes' };
		const { body, hints } = await upsert({ email: ADA, ...row }, { options });
		expect(body).toEqual({ email: ADA });
		expect(hints).toEqual([`${NOT_SENT}: ${named}`]);
	});

	test("leaves out an ignored attribute of the service's own record", async () => {
		const attributes = { plan: 'pro', seats: 12 };
		const row = { id: 7, created_date: '2026-01-02T10:00:00Z', email: ADA, attributes };
		const options = { ignoredColumns: 'Seats' };
		const { body } = await upsert(row, { options });
		expect(body).toEqual({ email: ADA, attributes: { plan: 'pro' } });
	});

	test('takes a prefix of attributes only from the start of a column name', async () => {
		const row = { email: ADA, 'attribute:plan': 'pro', 'my attribute plan': 1 };
		expect(await written(row)).toEqual({
			email: ADA,
			attributes: { plan: 'pro', 'my attribute plan': 1 },
		});
	});

	test.each([true, false])(
		'Get Many, Map Automatically, Get Many returns the same contacts with Simplify %p',
		async (simplify) => {
			runner.service.seedContacts(20);
			const attributes = {
				...{ plan: 'pro', seats: 12, beta: false, since: '2026-01-02', tags: ['a'] },
				...{ called: '2026-01-02 10:30', order: '1234-56-78', zip: '00701', nested: { a: [1] } },
			};
			await written({ id: 1, email: ADA, created_date: '2026-01-01T00:00:00Z', attributes });
			const read = async () => await runner.all('contact.getAll', { returnAll: true, simplify });
			const before = await read();
			expect(before).toContainEqual(expect.objectContaining({ email: ADA, attributes }));
			const { error, hints } = await runner.run('contact.upsert', automatic([]), {
				input: before,
			});
			expect(error).toBeUndefined();
			expect(hints).toEqual([`${NOT_SENT}: id, created_date`]);
			expect(await read()).toEqual(before);
		},
	);

	test.each<[IDataObject, IDataObject | undefined]>([
		[{ id: 7 }, { id: 7 }],
		[{ id: 7, attributes: null }, { id: 7 }],
		[
			{ id: 7, created_date: '2026-01-01' },
			{ id: 7, created_date: '2026-01-01' },
		],
		[{ id: 'C-7', first_name: null, attributes: { plan: 'pro' } }, { id: 'C-7' }],
		[{ id: 7, created_date: '2026-01-01T00:00:00Z', attributes: null }, undefined],
		[{ id: 7, created_date: '2026-01-01T00:00:00Z', unsubscribed: false }, undefined],
		[{ id: 7, created_date: '2026-01-01T00:00:00Z', attributes: { plan: 'pro' } }, { plan: 'pro' }],
	])('sends the ID of a row unless it is a contact of Survey B: %j', async (row, attributes) => {
		expect(await written({ email: ADA, ...row })).toEqual({ email: ADA, attributes });
	});
});

describe('opt-outs', () => {
	test.each([['No'], [false], ['false'], [0]])(
		'nobody is subscribed again by accident: Map Automatically with Unsubscribed %j [no-resubscribe]',
		async (Unsubscribed) => {
			expect(await written({ email: ADA, Unsubscribed })).toEqual({ email: ADA });
		},
	);

	test('Resubscribe counts for each row by itself', async () => {
		const options = { resubscribe: '={{ $json.again }}' };
		const input = [
			{ email: 'a@example.com', again: true, unsubscribed: false },
			{ email: 'b@example.com', again: false, unsubscribed: false },
		];
		const parameters = { ...automatic(), options: { ...options, ignoredColumns: 'again' } };
		await runner.run('contact.upsert', parameters, { input });
		expect(runner.bodies()).toEqual([
			{ email: 'a@example.com', unsubscribed: false },
			{ email: 'b@example.com' },
		]);
	});
});

test('the account is asked for the type of a date with slashes if no columns are stored', async () => {
	await written({ email: ADA, since: '2026-01-02' });
	const parameters = { ...automatic([]), options: { dateOrder: 'monthFirst' } };
	expect(await written({ email: ADA, since: '3/4/2027' }, parameters)).toMatchObject({
		attributes: { since: '2027-03-04' },
	});
});

describe('Send', () => {
	const send = async (row: IDataObject, parameters: INodeParameters = {}) => {
		const all = { ...automatic(), campaignId: 101, ...parameters };
		const { error, hints } = await runner.run('survey.send', all, { input: [row] });
		expect(error).toBeUndefined();
		return { body: runner.bodies().at(-1), hints };
	};

	test('keeps the attributes of the survey apart from those of the contact', async () => {
		const { body } = await send({ email: ADA, plan: 'pro', 'Survey:order_id': 4711 });
		expect(body).toEqual({
			campaign_id: 101,
			contact: { email: ADA, attributes: { plan: 'pro' } },
			attributes: { order_id: 4711 },
		});
	});

	test('leaves out the columns that a survey does not take, and a hint names them', async () => {
		const { body, hints } = await send({
			...{ email: ADA, unsubscribed: false },
			...{ 'Contact List': 11, contact_list_id: 12 },
		});
		expect(body).toEqual({ campaign_id: 101, contact: { email: ADA } });
		expect(hints).toEqual([`${NOT_SENT}: Contact List, contact_list_id`]);
	});
});

describe('attributes as JSON', () => {
	test('a mapped column wins over Additional Properties with the same name, without a hint', async () => {
		const { hints } = await runner.run('contact.upsert', {
			...mapped({ email: ADA, 'attribute:plan': 'free' }),
			options: { additionalProperties: '{ "plan": "pro", "seats": 12 }' },
		});
		expect(hints).toEqual(['Sent to Survey B as new: plan (text), seats (number)']);
		expect(runner.bodies()).toEqual([{ email: ADA, attributes: { plan: 'free', seats: 12 } }]);
	});

	test('two Additional Properties for one attribute fail the row', async () => {
		const options = { additionalProperties: '{ "Region": "EU", "region": "US" }' };
		const parameters = { ...mapped({ email: ADA }), options };
		expect(await runner.failure('contact.upsert', parameters)).toContain(
			"Column 'Additional Properties (JSON): region' and column 'Additional Properties (JSON): Region'",
		);
		expect(runner.bodies()).toEqual([]);
	});

	test('Additional Properties go to the contact and Survey Attributes to the survey', async () => {
		await runner.one('survey.send', {
			campaignId: 101,
			...mapped({ email: ADA }),
			options: {
				additionalProperties: '={{ ({ plan: "pro" }) }}',
				surveyAttributes: '{ "ticket": 4711 }',
			},
		});
		expect(runner.bodies()).toEqual([
			{
				campaign_id: 101,
				contact: { email: ADA, attributes: { plan: 'pro' } },
				attributes: { ticket: 4711 },
			},
		]);
	});

	test('an attribute in Additional Properties with a rejected character stays behind', async () => {
		const options = { additionalProperties: '{ "a.b": 1, "company": "Acme Inc.", "plan": "pro" }' };
		const item = await runner.one('contact.upsert', { ...mapped({ email: ADA }), options });
		expect(item.skippedAttributes).toEqual(['a.b', 'company']);
		expect(runner.bodies()).toEqual([{ email: ADA, attributes: { plan: 'pro' } }]);
	});
});

test('a survey goes out without the survey attributes that Survey B would reject, and the item names them', async () => {
	const row = { email: ADA, 'Survey:order.id': 7, 'Survey:shop': 'R&D', 'Survey:ticket': 4711 };
	const options = { surveyAttributes: '{ "price": "5 $" }' };
	const parameters = { ...automatic(), campaignId: 101, options };
	const { items } = await runner.run('survey.send', parameters, { input: [row] });
	expect(items).toMatchObject([{ skippedAttributes: ['order.id', 'shop', 'price'] }]);
	expect(runner.bodies()).toMatchObject([{ attributes: { ticket: 4711 } }]);
});

test('a row goes out without the attributes that Survey B would reject, and the item names them', async () => {
	const row = { email: ADA, company: 'Acme Inc.', 'plan.name': 'pro', team: 'R&D', ok: 'yes' };
	const skippedAttributes = ['company', 'plan.name', 'team'];
	for (const name of ['contact.upsert', 'survey.send']) {
		const parameters = { ...automatic(), campaignId: 101 };
		const { items } = await runner.run(name, parameters, { input: [row] });
		expect(items).toMatchObject([{ skippedAttributes }]);
	}
	const [upserted, sent] = runner.bodies();
	expect([upserted, Object(sent).contact]).toEqual([
		{ email: ADA, attributes: { ok: 'yes' } },
		{ email: ADA, attributes: { ok: 'yes' } },
	]);
});

describe("the resource mapper's columns", () => {
	/** Returns the columns of an operation, and each as `id: type`. */
	async function columnsOf(operation: string) {
		const { fields } = await methods.resourceMapping.getColumns.call(runner.columnsOf(operation));
		return { fields, ids: fields.map(({ id, type }) => `${id}: ${type}`) };
	}

	beforeEach(() => {
		const { state } = runner.service;
		state.contacts.forEach((contact) => (contact.attributes = {}));
		state.feedback.forEach(({ contact, survey }) => {
			contact.attributes = {};
			survey.attributes = { order_id: 7 };
		});
		const ada = state.contacts.get(ADA);
		const grace = state.contacts.get('grace@acme.example');
		if (ada && grace) {
			ada.attributes = { plan: 'pro', seats: 12, since: '2026-01-02', order: '1234-56-78' };
			grace.attributes = { plan: 7 };
		}
	});

	test('Send lists the person, the attributes of contacts, and those of surveys', async () => {
		const { ids, fields } = await columnsOf('send');
		expect(ids).toEqual([
			...['email: string', 'firstName: string', 'lastName: string', 'unsubscribed: boolean'],
			...['attribute:order: string', 'attribute:plan: string'],
			...['attribute:seats: number', 'attribute:since: dateTime'],
			'surveyAttribute:order_id: number',
		]);
		expect(fields[0]?.required).toBe(true);
		const shown = { defaultMatch: false, canBeUsedToMatch: false, display: true };
		expect(fields[1]).toMatchObject({ required: false, ...shown });
		expect(fields.slice(-2).map(({ displayName }) => displayName)).toEqual([
			'since',
			'Survey: order_id',
		]);
	});

	test('all three lists are read with ten Requests per Minute', async () => {
		runner.requestsPerMinute = 10;
		const { ids } = await onItsOwnClock(async () => await columnsOf('upsert'));
		expect(ids).toContain('attribute:plan: string');
	});

	test('Create or Update lists Unsubscribed, the contact lists, and the attributes of contacts', async () => {
		const { ids, fields } = await columnsOf('upsert');
		expect(ids.slice(3)).toEqual([
			...['unsubscribed: boolean', 'contactLists: options'],
			...['attribute:order: string', 'attribute:plan: string'],
			...['attribute:seats: number', 'attribute:since: dateTime'],
		]);
		const lists = fields.find(({ id }) => id === 'contactLists');
		const [{ name } = { name: '' }] = runner.service.state.lists;
		expect(lists?.options).toContainEqual({ name, value: '11' });
	});

	test('lists an attribute that only the contact of feedback has, and tolerates feedback without a survey', async () => {
		const [first, second] = runner.service.state.feedback;
		if (first) first.contact.attributes = { tier: 'gold', address: { city: 'London' } };
		if (second) Object.assign(second, { survey: null });
		const { ids } = await columnsOf('send');
		expect(ids).toContain('attribute:tier: string');
		expect(ids).toContain('attribute:address: object');
		expect(ids).toContain('surveyAttribute:order_id: number');
	});

	test('fails when the service cannot be asked, so that the editor offers to retry', async () => {
		runner.service.faults.add({ kind: { status: 403, body: { detail: 'No' } }, times: Infinity });
		await expect(columnsOf('upsert')).rejects.toThrow('No');
	});

	test('are those of every account, without types, before a credential is chosen: none would be an error in the panel', async () => {
		const context = Object.create(runner.dropDown, { getNode: { value: () => ({}) } });
		const { fields } = await methods.resourceMapping.getColumns.call(context);
		expect(fields.map(({ id, type }) => `${id}: ${type}`)).toEqual([
			...['email: undefined', 'firstName: undefined', 'lastName: undefined'],
			...['unsubscribed: undefined', 'contactLists: undefined'],
		]);
		expect(runner.service.requests).toEqual([]);
	});
});
