import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { useBench } from './bench';

const bench = useBench();

const ADA = 'ada@acme.example';
const AUTOMATIC = { dataMode: 'autoMapInputData' };

const bodies = (): IDataObject[] =>
	bench()
		.service.requests.filter(({ method }) => method === 'POST')
		.map(({ rawBody }) => JSON.parse(rawBody));

/** The contact that goes out for one row. */
async function written(row: IDataObject, parameters: INodeParameters = {}): Promise<IDataObject> {
	const from = bodies().length;
	const { error } = await bench().run(
		'contact.upsert',
		{ ...AUTOMATIC, ...parameters },
		{ input: [row] },
	);
	expect(error).toBeUndefined();
	return bodies()[from] ?? {};
}

test('columns with a field of their own, whatever their case, spaces and underscores', async () => {
	const row = {
		EMAIL: ' nathan@example.com ',
		'First Name': 'Nathan',
		lastname: 'Smith',
		Unsubscribed: 'false',
		'Contact List': '11, 12',
	};
	expect(await written(row)).toEqual({
		email: 'nathan@example.com',
		first_name: 'Nathan',
		last_name: 'Smith',
		unsubscribed: false,
		contact_list: [11, 12],
	});
});

test.each([
	['Team'],
	['007'],
	['true'],
	['10-11-12'],
	[12],
	[0],
	[1.5],
	[true],
	[false],
	['2026-11-21'],
	['2026-11-21T10:00:00Z'],
	[['a', 'b']],
	[[1, true]],
])('the column %j is an attribute as it is', async (value) => {
	expect(await written({ email: ADA, 'Any Column': value })).toEqual({
		email: ADA,
		attributes: { 'Any Column': value },
	});
});

test.each([null, '', '  '])('the empty column %j is left out, or clears', async (value) => {
	const row = { email: ADA, plan: value, first_name: value };
	expect(await written(row)).toEqual({ email: ADA });
	expect(await written(row, { options: { emptyValues: 'clear' } })).toEqual({
		email: ADA,
		first_name: '',
		attributes: { plan: '' },
	});
});

test('nested and ignored columns are left out, and a hint names the nested ones', async () => {
	const input = [{ email: ADA, address: { city: 'London' }, orders: [{ id: 1 }], Notes: 'x' }];
	const parameters = { ...AUTOMATIC, options: { ignoredColumns: 'notes' } };
	const { hints } = await bench().run('contact.upsert', parameters, { input });
	expect(bodies()).toEqual([{ email: ADA }]);
	expect(hints.map(({ message }) => message)).toEqual([
		'Columns that were not sent because Survey B has no field for them: address, orders',
	]);
});

test.each([true, false])(
	'getAll, Map Automatically, getAll: unchanged, simplify %p',
	async (simplify) => {
		bench().service.seedContacts(20);
		const attributes = { plan: 'pro', seats: 12, beta: false, since: '2026-01-02', tags: ['a'] };
		await written({ email: ADA, ...attributes });
		const read = async () => await bench().all('contact.getAll', { returnAll: true, simplify });
		const before = await read();
		expect(before).toContainEqual(expect.objectContaining({ email: ADA, attributes }));
		const { error, hints } = await bench().run('contact.upsert', AUTOMATIC, { input: before });
		expect(error).toBeUndefined();
		expect(hints).toEqual([]);
		expect(await read()).toEqual(before);
	},
);

describe('survey.send', () => {
	const send = async (row: IDataObject, parameters: INodeParameters = {}) => {
		const all = { ...AUTOMATIC, campaignId: 101, ...parameters };
		const { error, hints } = await bench().run('survey.send', all, { input: [row] });
		expect(error).toBeUndefined();
		return { body: bodies().at(-1), hints: hints.map(({ message }) => message) };
	};

	test.each([
		[undefined, { contact: { email: ADA, attributes: { plan: 'pro' } } }],
		['contact', { contact: { email: ADA, attributes: { plan: 'pro' } } }],
		['survey', { contact: { email: ADA }, attributes: { plan: 'pro' } }],
	])('attributes are of %s', async (attributesAre, sent) => {
		const parameters = attributesAre === undefined ? {} : { attributesAre };
		const { body } = await send({ email: ADA, plan: 'pro' }, parameters);
		expect(body).toEqual({ campaign_id: 101, ...sent });
	});

	test('what no survey takes is named', async () => {
		const { body, hints } = await send({ email: ADA, unsubscribed: false, 'Contact List': 11 });
		expect(body).toEqual({ campaign_id: 101, contact: { email: ADA } });
		expect(hints).toEqual([
			'Columns that were not sent because Survey B has no field for them: unsubscribed, Contact List',
		]);
	});

	test('a contact as the service gives it is surveyed as it is', async () => {
		const contact = await bench().one('contact.get', { contactId: ADA });
		const row = { ...contact, attributes: { plan: 'pro' } };
		const { body, hints } = await send(row, { attributesAre: 'survey' });
		expect(hints).toEqual([]);
		expect(body).toEqual({
			campaign_id: 101,
			contact: {
				email: ADA,
				first_name: 'Ada',
				last_name: 'Lovelace',
				attributes: { plan: 'pro' },
			},
		});
	});
});

describe('attributes as JSON', () => {
	test('beside rows, which win', async () => {
		await bench().one('contact.upsert', {
			email: ADA,
			additionalFields: {
				attributesJson: '{ "plan": "pro", "seats": 12 }',
				attributes: { attribute: [{ name: 'plan', value: 'free' }] },
			},
		});
		expect(bodies()).toEqual([{ email: ADA, attributes: { plan: 'free', seats: 12 } }]);
	});

	test('of a contact and of a survey', async () => {
		await bench().one('survey.send', {
			campaignId: 101,
			email: ADA,
			additionalFields: {
				contactAttributesJson: '={{ ({ plan: "pro" }) }}',
				surveyAttributesJson: '{ "ticket": 4711 }',
			},
		});
		expect(bodies()).toEqual([
			{
				campaign_id: 101,
				contact: { email: ADA, attributes: { plan: 'pro' } },
				attributes: { ticket: 4711 },
			},
		]);
	});

	test.each([
		['{ "a.b": 1 }', "contains '.', which Survey B does not accept"],
		['{ "company": "Acme Inc." }', "of attribute 'company' contains '.'"],
		['[]', 'must be a JSON object'],
	])('%s is told before anything is sent', async (attributesJson, says) => {
		const additionalFields = { attributesJson };
		expect(await bench().failure('contact.upsert', { email: ADA, additionalFields })).toContain(
			says,
		);
		expect(bodies()).toEqual([]);
	});
});

describe('characters that the service rejects', () => {
	const row = { email: ADA, company: 'Acme Inc.', 'plan.name': 'pro', price: '1.50', ok: 'yes' };
	const all = (rejectedCharacters: string) => ({ ...AUTOMATIC, options: { rejectedCharacters } });
	const run = async (parameters: INodeParameters) => {
		const { items, hints } = await bench().run('contact.upsert', parameters, {
			input: [row],
			onError: 'continueRegularOutput',
		});
		return { items, hints: hints.map(({ message }) => message) };
	};

	test.each([AUTOMATIC, all('error')])(
		'%j: the row says which attribute it is',
		async (parameters) => {
			const { items } = await run(parameters);
			expect(items).toMatchObject([
				{
					error: expect.stringContaining(
						`Column 'company' contains '.', which Survey B does not accept: "Acme Inc."`,
					),
				},
			]);
			expect(bodies()).toEqual([]);
		},
	);

	test('remove: the attributes go out without them, and a decimal as a number', async () => {
		const { hints } = await run(all('remove'));
		expect(bodies()).toEqual([
			{
				email: ADA,
				attributes: { company: 'Acme Inc', planname: 'pro', price: 1.5, ok: 'yes' },
			},
		]);
		expect(hints).toEqual([
			'Attributes that were sent without characters that Survey B rejects: 3',
		]);
	});

	test('remove: an attribute whose name consists of nothing else is left out', async () => {
		const attribute = [{ name: '$.%', value: 'x' }];
		const { items } = await bench().run('contact.upsert', {
			email: ADA,
			additionalFields: { attributes: { attribute }, attributesJson: { ok: 'yes' } },
			options: { rejectedCharacters: 'remove' },
		});
		expect(items).toHaveLength(1);
		expect(bodies()).toEqual([{ email: ADA, attributes: { ok: 'yes' } }]);
	});

	test('skip: the row goes out without these attributes', async () => {
		const { hints } = await run(all('skip'));
		expect(bodies()).toEqual([{ email: ADA, attributes: { ok: 'yes' } }]);
		expect(hints).toEqual([
			'Attributes that were left out because of characters that Survey B rejects: 3',
		]);
	});
});
