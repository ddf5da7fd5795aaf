import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { methods } from '../../../nodes/SurveyA/methods';
import { onItsOwnClock } from '../../support/clock.mts';
import { automatic, mapped } from '../../support/columns';
import { useRunner } from './runner';

const runner = useRunner();

const ADA = 'ada@acme.example';
const GRACE = 'grace@acme.example';

const property = (label: string, type: string, value: INodeParameters[string]) => ({
	label,
	type,
	value,
});

const PLAN = property('Plan', 'string', 'Team');

/** Returns the columns that the editor stores for an account with these properties. */
const stored = (
	properties: Record<string, 'string' | 'number' | 'boolean' | 'dateTime' | 'array'> = {},
) =>
	automatic([
		{ id: 'email', type: 'string' },
		...Object.entries(properties).map(([name, type]) => ({ id: `property:${name}`, type })),
	]);

/** Maps rows automatically; returns the customers that were sent, the items and the hints. */
async function upsert(input: IDataObject[], options: INodeParameters = {}, columns = stored()) {
	const { items, error, hints } = await runner.rows(
		'customer.upsert',
		{ ...columns, options },
		input,
	);
	expect(error).toBeUndefined();
	return { items, sent: runner.customers(), hints };
}

/** Returns the customer that is sent for one row; an error fails the test. */
async function written(row: IDataObject, options: INodeParameters = {}): Promise<IDataObject> {
	runner.service.requests.length = 0;
	const { items, sent } = await upsert([row], options);
	expect(items[0]).not.toHaveProperty('error');
	return sent[0] ?? {};
}

describe('Map Automatically', () => {
	test('maps columns to fields, whatever their case, spaces and hyphens', async () => {
		const row = {
			Email: ' nathan@example.com ',
			'First Name': 'Nathan',
			'last-name ': 'Smith',
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

	test.each<[unknown, string, unknown]>([
		['Team', 'string', 'Team'],
		['007', 'string', '007'],
		['true', 'string', 'true'],
		[12, 'integer', 12],
		[1.5, 'string', '1.5'],
		[true, 'boolean', true],
		[' 2026-11-21', 'date', '2026-11-21T00:00:00.000Z'],
		['2026-11-21T10:00:00Z', 'date', '2026-11-21T10:00:00.000Z'],
		['2025-02-30', 'string', '2025-02-30'],
		['1899-12-31', 'string', '1899-12-31'],
		['11/21/2026', 'string', '11/21/2026'],
		['20261121', 'string', '20261121'],
		[['a', 'b'], 'collection', ['a', 'b']],
		[[1, 'a', true], 'collection', [1, 'a', true]],
	])('sends the new column %j as a property of type %s: %j', async (value, type, sent) => {
		const row = JSON.parse(JSON.stringify({ email: ADA, 'Any Column': value }));
		expect(await written(row)).toEqual({
			email: ADA,
			properties: [{ label: 'Any Column', type, value: sent }],
		});
	});

	test.each<[unknown, unknown]>([
		['\n[ "a",\n"b" ] ', ['a', 'b']],
		['a, b', ['a', 'b']],
		['"a, b",c', ['a, b', 'c']],
		['["a"] and "b"', ['["a"] and "b"']],
	])('sends %j in a column with lists as %j', async (value, sentValue) => {
		const row = JSON.parse(JSON.stringify({ email: ADA, Modules: value }));
		const { sent } = await upsert([row], {}, stored({ Modules: 'array' }));
		expect(sent).toMatchObject([{ properties: [{ type: 'collection', value: sentValue }] }]);
	});

	test.each(['2026-11-21', '={{ DateTime.fromISO("2026-11-21") }}'])(
		'sends the date %s as month, day and year with Date Format',
		async (date) => {
			const columns = mapped({ email: ADA, 'property:A': date });
			const { sent } = await upsert([{}], { dateFormat: 'monthDayYear' }, columns);
			expect(sent[0]?.properties).toEqual([property('A', 'date', '11/21/2026')]);
		},
	);

	test('leaves out Ignored Columns and columns without a name, but never the email', async () => {
		const ignored = { '': 'x', ' ': 'y', Notes: 'x', row_number: 2 };
		const row = { ...ignored, Email: ADA, formMode: 'test', Plan: 'Team' };
		expect(await written(row, { ignoredColumns: 'notes, Row Number, email' })).toEqual({
			email: ADA,
			properties: [PLAN],
		});
	});

	test("leaves out an ignored property of the service's own record, also one that cannot be read", async () => {
		const seats = { label: 'Seats', type: 'integer', value: 'many' };
		const row = { email: ADA, properties: [seats, PLAN] };
		expect((await upsert([row])).items[0]?.error).toMatch(/'Seats'.*'Ignored Columns'/);
		expect(await written(row, { ignoredColumns: 'seats' })).toEqual({
			email: ADA,
			properties: [PLAN],
		});
	});

	test('advises no Ignored Columns for a value of Additional Properties, which they do not leave out', async () => {
		const options = { additionalProperties: '{ "Address": { "city": "London" } }' };
		const { items } = await upsert([{ email: ADA }], options);
		expect(items[0]?.error).toContain('Additional Properties (JSON): Address');
		expect(items[0]?.error).not.toContain('Ignored Columns');
	});

	test('maps a row of a node without a schema', async () => {
		const columns = { columns: { mappingMode: 'autoMapInputData', value: null } };
		const { sent } = await upsert([{ email: ADA, company: 'Acme' }], {}, columns);
		expect(sent).toEqual([{ email: ADA, company: 'Acme' }]);
	});

	test('two columns with different values for one field fail the row, and the error names both', async () => {
		const row = { email: ADA, company: '', companyName: 'Acme', Company: 'Other' };
		const { items, sent } = await upsert([row]);
		expect(sent).toEqual([]);
		expect(items[0]?.error).toContain(
			`Column 'Company' and column 'companyName', which holds "Acme", are for the same field, and differ`,
		);
		expect(await written({ ...row, Company: ' Acme' })).toEqual({ email: ADA, company: 'Acme' });
		const cleared = await upsert([{ ...row, Company: 'Acme' }], { emptyValues: 'clear' });
		expect(cleared.items[0]?.error).toContain('are for the same field, and differ');
	});

	test('an empty column beside a filled one for the same field changes nothing, in either order', async () => {
		const wanted = { email: ADA, company: 'Acme' };
		expect(await written({ email: ADA, company: 'Acme', companyName: '' })).toEqual(wanted);
		expect(await written({ email: ADA, company: '', companyName: 'Acme' })).toEqual(wanted);
	});

	test('reports all problems of a row at once, each with its column and value', async () => {
		const columns = stored({ Seats: 'number', Beta: 'boolean', Renewal: 'dateTime' });
		const row = { Seats: '1200.5', Beta: 'perhaps', Renewal: '2025-02-30', tags: {} };
		const { items, sent } = await upsert([row], {}, columns);
		expect(sent).toEqual([]);
		const error = String(items[0]?.error);
		for (const text of [
			"Column 'email' is not in the row",
			'Column \'Seats\' must be a whole number: "1200.5"',
			'Column \'Beta\' must be true or false: "perhaps"',
			"Column 'Renewal' names a day that does not exist",
			'No value in this row is an email address. The columns are: Seats, Beta, Renewal, tags',
		]) {
			expect(error).toContain(text);
		}
	});
});

describe('Email Column', () => {
	const WORK = { 'Work E-Mail': ADA, Plan: 'Team' };

	test.each<[INodeParameters, IDataObject, IDataObject]>([
		[{ emailColumn: 'work e-mail' }, WORK, PLAN],
		[{ emailColumn: 'Work E-Mail', ignoredColumns: 'work e-mail' }, WORK, PLAN],
		[{ emailColumn: 'Work.Mail' }, { 'Work.Mail': ADA, Plan: 'Team' }, PLAN],
		[{ emailColumn: 'Mail @ Work' }, { 'Mail @ Work': ADA, Plan: 'Team' }, PLAN],
		[{ emailColumn: "={{ $json['Work E-Mail'] }}" }, WORK, PLAN],
		[{ emailColumn: "={{ $json['Work E-Mail'] }}", ignoredColumns: 'work e-mail' }, WORK, PLAN],
		[{ emailColumn: '={{ $json.Email.trim() }}' }, { Email: ` ${ADA}`, Plan: 'Team' }, PLAN],
		[
			{ emailColumn: 'Work E-Mail' },
			{ 'Work E-Mail': ADA, email: 'private@example.com' },
			property('email', 'string', 'private@example.com'),
		],
	])('with %j, a row %j goes to its address, with the property %j', async (options, row, sent) => {
		expect(await written(row, options)).toEqual({ email: ADA, properties: [sent] });
	});

	test.each<[IDataObject, INodeParameters, string]>([
		[{ Mail: ADA, Boss: GRACE }, {}, "Column 'email' is not in the row"],
		[{ email: ADA }, { emailColumn: 'Mail' }, "Column 'Mail' is not in the row"],
		[{ body: null }, { emailColumn: 'body.email' }, "Column 'body.email' is not in the row"],
		[{ body: ADA }, { emailColumn: 'body.email' }, "Column 'body.email' is not in the row"],
		[{ email: ADA }, { emailColumn: '={{ $json.mail }}' }, "'Email Column' is missing"],
		[{ email: ' ' }, {}, "Column 'email' is empty"],
	])('fails a row %j with %j: %s', async (row, options, text) => {
		const { items, sent } = await upsert([row], options);
		expect(sent).toEqual([]);
		expect(items[0]?.error).toContain(text);
	});
});

test('names a column in a hint that is written almost like Email Column', async () => {
	const row = { 'work email': GRACE, 'Work Email': ADA, work_email: 'private@example.com' };
	const { sent, hints } = await upsert([row], { emailColumn: 'Work Email' });
	expect(sent).toEqual([{ email: ADA }]);
	expect(hints).toEqual([expect.stringMatching(/: work email, work_email$/)]);
});

test.each([
	[
		{ value: ADA },
		stored(),
		"Set Options → 'Email Column' to the one of the person: {{ $json.email.value }}",
	],
	[
		[{ value: ADA }],
		stored(),
		"Set Options → 'Email Column' to the one of the person: {{ $json.email[0].value }}",
	],
	[{}, mapped({ email: '={{ $json }}' }), 'Correct the value, or the expression that returns it'],
])(
	'the error of a row with the email %j is there once, with what to do: %j, %s',
	async (email, columns, advice) => {
		const { items } = await upsert([{ email }], {}, columns);
		expect(String(items[0]?.error).match(/must be (text|one address)/g)).toHaveLength(1);
		expect(items[0]?.details).toMatchObject({ advice, field: expect.stringMatching(/email/i) });
	},
);

test('the error of a row without columns lists none', async () => {
	const { items } = await upsert([{}]);
	expect(items[0]?.error).toMatch(/No value in this row is an email address$/);
});

describe('Extra Columns', () => {
	test('the properties of the account are also read from a service that refuses large pages', async () => {
		runner.service.faults.add({
			when: ({ query }) => Number(query.limit) > 100,
			times: Infinity,
			kind: { status: 400, body: { code: 400, message: 'Validation failed' } },
		});
		const parameters = { ...automatic([]), options: { extraColumns: 'ignore' } };
		const { items } = await runner.run('customer.upsert', parameters, {
			input: [{ email: 'new@example.com', plan: 'Team' }],
		});
		expect(items).toMatchObject([{ email: 'new@example.com' }]);
		// Without the account's properties, the column would be left out.
		expect(runner.customers()).toMatchObject([{ properties: [{ value: 'Team' }] }]);
	});

	test.each<[INodeParameters, IDataObject, IDataObject[] | undefined]>([
		[{}, { Plan: 'Team' }, undefined],
		[{}, { properties: [PLAN] }, undefined],
		[{ emptyValues: 'clear' }, { Plan: '' }, undefined],
		[{ additionalProperties: '{"Plan":"Team"}' }, { Plan: 'Free', Extra: 'x' }, [PLAN]],
		[
			{ additionalProperties: '{"Due":"3/4/2026"}', dateOrder: 'dayFirst' },
			{ Extra: 'x' },
			[property('Due', 'date', '2026-04-03T00:00:00.000Z')],
		],
	])('Ignore with %j sends a row %j with the properties %j', async (options, row, properties) => {
		await upsert([{ email: ADA, properties: [PLAN] }]);
		const sent = await written({ email: ADA, ...row }, { extraColumns: 'ignore', ...options });
		expect(sent.properties).toEqual(properties);
	});

	test('Ignore sends nothing if the account cannot be read', async () => {
		runner.service.faults.add({
			when: ({ method }) => method === 'GET',
			kind: { status: 403, body: { code: 403, message: 'Forbidden' } },
		});
		const parameters = { ...automatic([]), options: { extraColumns: 'ignore' } };
		const input = [{ email: ADA, Plan: 'Team', Extra: 'x' }];
		const { error } = await runner.run('customer.upsert', parameters, { input });
		expect(error?.message).toContain('Forbidden');
		expect(runner.customers()).toEqual([]);
	});
});

describe('rows from Get Many', () => {
	const properties = [
		PLAN,
		property('Renewal', 'date', '2026-11-21T00:00:00.000Z'),
		property('Seats', 'integer', 12),
		property('Modules', 'collection', 'a, b'),
		property('Beta', 'boolean', false),
	];

	beforeEach(async () => {
		await upsert([{ email: ADA, properties }]);
		runner.service.requests.length = 0;
	});

	test('sending the output of Get Many back changes nothing, and a hint names the columns that were left out', async () => {
		runner.service.settings.blanks = 'stored';
		const before = await runner.all('customer.getAll', { returnAll: true });
		const { hints } = await upsert(before, {}, automatic([]));
		expect(hints).toEqual(['Columns that were not sent: id, companyId, createdDate']);
		expect(await runner.all('customer.getAll', { returnAll: true })).toEqual(before);
	});

	test.each<[IDataObject, IDataObject]>([
		[
			{ label: 'Zip', name: 'zip_code', type: 'text', value: 123 },
			property('Zip', 'string', '123'),
		],
		[{ label: 'VIP', type: 'boolean', value: 'yes' }, property('VIP', 'boolean', true)],
		[{ name: 'Floors', value: 12 }, property('Floors', 'integer', 12)],
	])('sends the property %j of a record as %j', async (given, sent) => {
		expect(await written({ email: ADA, properties: [given] })).toEqual({
			email: ADA,
			properties: [sent],
		});
	});

	test('sends the date of a record as it is, whatever Date Format and Date Order say', async () => {
		const row = { email: ADA, properties: [property('Renewal', 'date', '3/4/2026')] };
		const options = { dateFormat: 'monthDayYear', dateOrder: 'dayFirst' };
		expect(await written(row, options)).toEqual(row);
	});

	test('leaves out createdDate also in what Create or Update returns for a customer without properties', async () => {
		const { items } = await upsert([{ email: 'new@example.com', first_name: 'New' }]);
		runner.service.requests.length = 0;
		expect(items).toMatchObject([{ createdDate: expect.any(String) }]);
		await upsert(items);
		expect(runner.customers()).toEqual([{ email: 'new@example.com', first_name: 'New' }]);
	});

	test.each<[IDataObject, string[]]>([
		[{ id: '64B1f0c2a9d3e4f5a6b7c8d9', createdDate: '2026-01-01', Plan: 'Team' }, ['Plan']],
		[{ id: 'C-1', createdDate: 'today', Plan: 'Team' }, ['id', 'createdDate', 'Plan']],
		[{ id: '64b1f0c2a9d3e4f5a6b7c8d9', Plan: 'Team' }, ['id', 'Plan']],
		[{ id: 'a64b1f0c2a9d3e4f5a6b7c8d9', createdDate: '2026-01-01' }, ['id', 'createdDate']],
	])('leaves out id and createdDate only in records of Survey A: %j', async (row, labels) => {
		const sent = await written({ email: ADA, ...row });
		expect(sent.properties).toEqual(labels.map((label) => expect.objectContaining({ label })));
	});

	test.each<[string, IDataObject]>([
		['without a value', { properties: [{ label: 'Plan' }] }],
		['without a name', { properties: [{ value: 1 }] }],
		[
			'if one of them has no value',
			{ properties: [{ label: 'Plan', value: 1 }, { label: 'Seats' }] },
		],
		['that are no objects', { properties: [{ label: 'Plan', value: 1 }, ['label', 'value']] }],
		['in a column with another name', { more: [{ label: 'Plan', value: 1 }] }],
	])('leaves out properties %s and names the column in a hint', async (_, row) => {
		const { sent, hints } = await upsert([{ email: ADA, ...row }]);
		expect(sent).toEqual([{ email: ADA }]);
		expect(hints).toEqual([
			expect.stringMatching(/^Columns that were not sent.*: (properties|more)$/),
		]);
	});

	test('the output of Create or Update can be the input of Send', async () => {
		const [row] = (await upsert([{ email: ADA }])).items;
		runner.service.requests.length = 0;
		const campaign = runner.campaign('After purchase');
		await runner.run('survey.send', { ...stored(), campaign }, { input: [row ?? {}] });
		expect(runner.bodies()).toMatchObject([{ campaign, subscribers: [{ email: ADA }] }]);
		expect(runner.customers()[0]?.properties).toEqual(
			properties.map(({ label }) => expect.objectContaining({ label })),
		);
	});
});

describe('the columns that the editor lists', () => {
	/** Returns the columns of an operation as `id: type`. */
	async function columnsOf(operation: string) {
		const { fields } = await methods.resourceMapping.getColumns.call(runner.columnsOf(operation));
		return fields.map(({ id, type }) => `${id}: ${type}`);
	}

	const FIXED = ['email', 'firstName', 'lastName', 'company', 'tags'].map((id) => `${id}: string`);

	beforeEach(() => {
		const subscribers = [
			{ properties: [{ label: 'Seats', type: 'integer' }, { type: 'date' }] },
			{ properties: null },
			{
				properties: [
					{ label: 'Beta', type: 'boolean' },
					{ label: '', name: 'renewal', type: 'date' },
					{ label: 'Modules', type: 'collection' },
					{ label: 'Seats', type: 'integer' },
					{ label: 'Plan', type: 'text' },
				],
			},
		];
		runner.respond(200, { data: { subscribers } });
	});

	test('are those of every account and the named properties, sorted by name', async () => {
		expect(await columnsOf('upsert')).toEqual([
			...FIXED,
			'property:Beta: boolean',
			'property:Modules: array',
			'property:Plan: string',
			'property:Seats: number',
			'property:renewal: dateTime',
		]);
	});

	test('are no properties for the deprecated operation', async () => {
		expect(await columnsOf('sendLegacy')).toEqual([...FIXED, 'unsubscribed: boolean']);
		expect(runner.service.requests).toEqual([]);
	});
});

test('the deprecated Send sends no properties and names them', async () => {
	const parameters = { ...automatic(), campaign: runner.campaign('After purchase') };
	const input = [{ Email: ADA, 'First name': 'Ada', Plan: 'Team' }];
	const { hints } = await runner.run('survey.sendLegacy', parameters, { input });
	expect(runner.customers()).toEqual([{ email: ADA, first_name: 'Ada' }]);
	expect(hints).toContainEqual('Columns that were not sent: Plan');
});

test('the label of a property in the account is never evaluated as an expression', async () => {
	const odd = { id: 'property:odd', displayName: '={{ nope( }}' };
	const { sent } = await upsert([{ email: ADA }], {}, automatic([{ id: 'email' }, odd]));
	expect(sent).toEqual([{ email: ADA }]);
});

test.each([
	[404, 'Customer not found.', 'failed'],
	[400, 'Validation failed', 'failed'],
	[503, 'Down', 'unavailable'],
])(
	'a row whose columns need the properties of the account says that these could not be read: %i',
	async (status, message, code) => {
		const body = { code: status, message, data: null };
		runner.service.faults.add({ method: 'GET', kind: { status, body }, times: Infinity });
		const campaign = runner.campaign('After purchase');
		const input = [ADA, GRACE].map((email) => ({ email, Plan: 'Team' }));
		const { items } = await onItsOwnClock(
			async () => await runner.rows('survey.send', { campaign, ...automatic() }, input),
		);
		expect(items[1]).toMatchObject({
			error: expect.stringContaining(
				`The columns of the account could not be read: ${message.replace('.', '')}`,
			),
			details: { code, httpCode: status, advice: expect.not.stringContaining('ID') },
		});
		expect(items[1]?.error).not.toContain('Campaign');
	},
);
