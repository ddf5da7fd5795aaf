import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { people, useBench } from './bench';

const bench = useBench();

const ADA = 'ada@acme.example';
const AUTOMATIC = { dataMode: 'autoMapInputData' };

/** The customer that goes out for one row. */
async function written(row: IDataObject, parameters: INodeParameters = {}): Promise<IDataObject> {
	const { error } = await bench().run(
		'customer.upsert',
		{ ...AUTOMATIC, ...parameters },
		{ input: [row] },
	);
	expect(error).toBeUndefined();
	const [{ rawBody } = { rawBody: '{}' }] = bench().service.requests;
	return JSON.parse(rawBody).subscribers[0];
}

const property = (label: string, type: string, value: INodeParameters[string]) => ({
	label,
	type,
	value,
});

test('columns with a field of their own, whatever their case, spaces and underscores', async () => {
	const row = {
		Email: ' nathan@example.com ',
		'First Name': 'Nathan',
		last_name: 'Smith',
		COMPANY: 'Acme Inc.',
		tags: ['vip', 'renewal'],
	};
	expect(await written(row)).toEqual({
		email: 'nathan@example.com',
		first_name: 'Nathan',
		last_name: 'Smith',
		company: 'Acme Inc.',
		tags: ['vip', 'renewal'],
	});
});

test.each([
	['Team', 'string', 'Team'],
	['007', 'string', '007'],
	['true', 'string', 'true'],
	['1.5', 'string', '1.5'],
	[12, 'integer', 12],
	[0, 'integer', 0],
	[-3, 'integer', -3],
	[1.5, 'string', '1.5'],
	[true, 'boolean', true],
	[false, 'boolean', false],
	['2026-11-21', 'date', '2026-11-21T00:00:00.000Z'],
	['2026-11-21T10:00:00Z', 'date', '2026-11-21T10:00:00.000Z'],
	['2026-11-21T10:00:00+02:00', 'date', '2026-11-21T08:00:00.000Z'],
	['20261121', 'string', '20261121'],
	['11/21/2026', 'string', '11/21/2026'],
	[['a', 'b'], 'collection', ['a', 'b']],
	[[1, 2], 'collection', ['1', '2']],
])('the column %j is a property of type %s: %j', async (value, type, sent) => {
	expect(await written({ email: ADA, 'Any Column': value })).toEqual({
		email: ADA,
		properties: [property('Any Column', type, sent)],
	});
});

test.each([null, '', '  '])('the empty column %j is left out, or clears', async (value) => {
	const row = { email: ADA, Plan: value, first_name: value };
	expect(await written(row)).toEqual({ email: ADA });
	bench().service.requests.length = 0;
	expect(await written(row, { options: { emptyValues: 'clear' } })).toEqual({
		email: ADA,
		first_name: '',
		properties: [property('Plan', 'string', '')],
	});
});

test('the address may stand in another column, and columns may be ignored', async () => {
	const row = { 'Work E-Mail': ADA, email: 'private@example.com', Notes: 'x', row_number: 2 };
	const parameters = {
		emailColumn: 'work e-mail',
		options: { ignoredColumns: 'notes, Row Number' },
	};
	expect(await written(row, parameters)).toEqual({
		email: ADA,
		properties: [property('email', 'string', 'private@example.com')],
	});
});

test('nested columns are left out, and a hint names them', async () => {
	const input = [
		{ email: ADA, address: { city: 'London' }, plan: 'Team' },
		{ email: 'grace@acme.example', orders: [{ id: 1 }], address: null },
	];
	const { error, hints } = await bench().run('customer.upsert', AUTOMATIC, { input });
	expect(error).toBeUndefined();
	expect(bench().sent()).toMatchObject([
		{
			body: {
				subscribers: [
					{ email: ADA, properties: [property('plan', 'string', 'Team')] },
					{ email: 'grace@acme.example' },
				],
			},
		},
	]);
	expect(hints.map(({ message }) => message)).toEqual([
		'Columns that were not sent because Survey A has no field for them: address, orders',
	]);
});

test('a row without the column of the address is told, with the columns that it has', async () => {
	const { items } = await bench().run('customer.upsert', AUTOMATIC, {
		input: [{ Mail: ADA, plan: 'Team' }, { email: '', plan: 'Team' }, { email: ADA }],
		onError: 'continueRegularOutput',
	});
	expect(items).toMatchObject([
		{
			error: expect.stringContaining("The row has no column 'email'"),
			details: { advice: expect.stringContaining('This row has: Mail, plan') },
		},
		{ error: expect.stringContaining("Column 'email' is missing") },
		{ email: ADA },
	]);
});

test('a value that cannot be sent is told by its column, its row and itself', async () => {
	const { items } = await bench().run('customer.upsert', AUTOMATIC, {
		input: [{ email: ADA, Renewal: '2025-02-30' }],
		onError: 'continueRegularOutput',
	});
	const says = /^ada@acme.example: Column 'Renewal' .*day that does not exist.*"2025-02-30"/;
	expect(items).toMatchObject([
		{ error: expect.stringMatching(says), details: { field: 'Renewal', value: '2025-02-30' } },
	]);
});

describe('what comes out goes back in', () => {
	const properties = [
		property('Plan', 'string', 'Team'),
		property('Renewal', 'date', '2026-11-21T00:00:00.000Z'),
		property('Seats', 'integer', 12),
		property('Modules', 'collection', 'a, b'),
		property('Beta', 'boolean', false),
	];

	beforeEach(async () => {
		const additionalFields: INodeParameters = { properties: { property: properties } };
		await bench().one('customer.upsert', { email: ADA, additionalFields });
		bench().service.requests.length = 0;
	});

	test('getAll, Map Automatically, getAll: unchanged', async () => {
		const before = await bench().all('customer.getAll', { returnAll: true });
		const { error, hints } = await bench().run('customer.upsert', AUTOMATIC, { input: before });
		expect(error).toBeUndefined();
		expect(hints).toEqual([]);
		expect(await bench().all('customer.getAll', { returnAll: true })).toEqual(before);
	});

	test('a property of type text, as the service gives it, is written as string', async () => {
		const row = { id: '1', email: ADA, createdDate: '2026-01-01', properties: [] };
		const text = { label: 'Plan', name: 'plan', type: 'text', value: 'Team' };
		expect(await written({ ...row, properties: [text] })).toEqual({
			email: ADA,
			properties: [property('Plan', 'string', 'Team')],
		});
	});

	test('the output of Create or Update sends a survey as it is', async () => {
		const row = await bench().one('customer.upsert', { email: ADA });
		bench().service.requests.length = 0;
		const campaign = bench().campaign('After purchase');
		await bench().run('survey.send', { ...AUTOMATIC, campaign }, { input: [row] });
		expect(bench().sent()).toMatchObject([{ body: { campaign, subscribers: [{ email: ADA }] } }]);
		const [{ rawBody } = { rawBody: '{}' }] = bench().service.requests;
		const [sent] = JSON.parse(rawBody).subscribers;
		expect(sent.properties.map(({ label }: { label: string }) => label)).toEqual(
			properties.map(({ label }) => label),
		);
	});
});

describe('survey.send', () => {
	test.each(['survey.send', 'survey.sendAudienceLegacy'])('%s maps a row', async (operation) => {
		const campaign = bench().campaign('After purchase');
		const input = [{ Email: ADA, 'First name': 'Ada', Plan: 'Team' }];
		await bench().run(operation, { ...AUTOMATIC, campaign }, { input });
		const customer = { email: ADA, first_name: 'Ada' };
		expect(bench().sent()).toMatchObject([
			{ body: { campaign, subscribers: [{ ...customer, properties: [{ label: 'Plan' }] }] } },
		]);
	});

	test('the deprecated one takes no properties, and says so', async () => {
		const campaign = bench().campaign('After purchase');
		const input = [{ Email: ADA, 'First name': 'Ada', Plan: 'Team' }];
		const { hints } = await bench().run('survey.sendLegacy', { ...AUTOMATIC, campaign }, { input });
		expect(bench().sent()).toMatchObject([
			{ body: { subscribers: [{ email: ADA, first_name: 'Ada' }] } },
		]);
		expect(hints.map(({ message }) => message)).toContainEqual(
			'Columns that were not sent because Survey A has no field for them: Plan',
		);
	});

	test('an address twice in one run is surveyed once', async () => {
		const campaign = bench().campaign('After purchase');
		const input = [...people(2), { email: 'PERSON1@example.com' }];
		const { items } = await bench().run('survey.send', { ...AUTOMATIC, campaign }, { input });
		expect(bench().service.state.sent).toHaveLength(2);
		expect(items[2]).toMatchObject({ duplicateOfItem: 0 });
	});
});

describe('properties as JSON', () => {
	const upsert = async (propertiesJson: string, rows: INodeParameters[] = []) => {
		await bench().run('customer.upsert', {
			email: ADA,
			additionalFields: { propertiesJson, properties: { property: rows } },
		});
		const [{ rawBody } = { rawBody: '{}' }] = bench().service.requests;
		return JSON.parse(rawBody).subscribers[0].properties;
	};

	test.each([
		['{ "Plan": "Team", "Seats": 12, "Beta": true }'],
		['={{ ({ Plan: "Team", Seats: 12, Beta: true }) }}'],
	])('%s', async (json) => {
		expect(await upsert(json)).toEqual([
			property('Plan', 'string', 'Team'),
			property('Seats', 'integer', 12),
			property('Beta', 'boolean', true),
		]);
	});

	test('rows win over JSON', async () => {
		const rows = [property('Plan', 'string', 'Free')];
		expect(await upsert('{ "Plan": "Team", "Seats": 12 }', rows)).toEqual([
			property('Seats', 'integer', 12),
			property('Plan', 'string', 'Free'),
		]);
	});

	test.each([
		['{ Plan', 'is not valid JSON'],
		['[1]', 'must be a JSON object'],
	])('%s is told before anything is sent', async (propertiesJson, says) => {
		const additionalFields = { propertiesJson };
		expect(await bench().failure('customer.upsert', { email: ADA, additionalFields })).toContain(
			`'Properties (JSON)' ${says}`,
		);
		expect(bench().service.requests).toEqual([]);
	});
});
