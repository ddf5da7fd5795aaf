import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { methods as methodsA } from '../../../nodes/SurveyA/methods';
import { methods as methodsB } from '../../../nodes/SurveyB/methods';
import { automatic, mapped } from '../../support/columns';
import { useRunner as useRunnerA } from '../surveyA/runner';
import { useRunner as useRunnerB } from '../surveyB/runner';

// What a mapping or an option says is sent, or its row fails and says why.

const runnerA = useRunnerA();
const runnerB = useRunnerB();

const ADA = 'ada@acme.example';
const ANN = 'ann@acme.example';

/** Returns parameters of a node that an agent built: columns without a schema. */
const built = (value: INodeParameters) => ({
	columns: { mappingMode: 'defineBelow', value },
});

const property = (label: string, type: string, value: unknown) => ({ label, type, value });

test('feedback of Survey B with a first name is no contact, whose attributes would be sent', async () => {
	const attributes = { contact: { tier: 'x' }, survey: {} };
	const row = { id: 7, score: 9, attributes, first_name: 'Ann', email: ANN };
	await runnerB.rows('contact.upsert', automatic(), [row]);
	expect(runnerB.bodies()).toEqual([
		{ email: ANN, first_name: 'Ann', attributes: { id: 7, score: 9 } },
	]);
});

describe('columns mapped by hand', () => {
	test.each(['null', 'N/A', 'None'])(
		"%s in a column of an agent's tool is no value, and a person's node sends it",
		async (value) => {
			const parameters = built({ email: ANN, firstName: value, 'property:Plan': value });
			await runnerA.run('customer.upsert', parameters, { asTool: true });
			await runnerA.run('customer.upsert', parameters);
			const { first_name, properties } = runnerA.customers()[1] ?? {};
			expect(runnerA.customers()[0]).toEqual({ email: ANN });
			expect([first_name, properties]).toEqual([value, [property('Plan', 'string', value)]]);
		},
	);

	test.each<[string, INodeParameters]>([
		['without a schema', built({ email: ANN, first_name: 'Ann', companyName: 'Acme' })],
		[
			'with a schema of IDs that do not exist',
			{
				...mapped({ Email: ANN, 'First Name': 'Ann', companyName: 'Acme' }, [
					{ id: 'Email', type: 'string' },
					{ id: 'First Name', type: 'string' },
					{ id: 'companyName', type: 'string' },
				]),
			},
		],
	])('are found under the same names as with Map Automatically, %s', async (_, parameters) => {
		await runnerA.one('customer.upsert', parameters);
		expect(runnerA.customers()).toEqual([{ email: ANN, first_name: 'Ann', company: 'Acme' }]);
	});

	test("are found under the label of the account's property or attribute, in its type", async () => {
		runnerA.service.settings.propertiesBy = 'labelAndName';
		runnerA.service.state.customers
			.get(ADA)
			?.properties?.push({ label: 'Seats Sold', name: 'seats', type: 'integer', value: 3 });
		await runnerA.one('customer.upsert', built({ email: ANN, seats_sold: '12' }));
		expect(runnerA.customers()).toEqual([
			{ email: ANN, properties: [property('Seats Sold', 'integer', 12)] },
		]);
		const ada = runnerB.service.state.contacts.get(ADA);
		if (ada) ada.attributes = { plan: 'pro' };
		await runnerB.one('contact.upsert', built({ email: ANN, Plan: 'team' }));
		expect(runnerB.bodies()).toEqual([{ email: ANN, attributes: { plan: 'team' } }]);
	});

	test('are sent under names that n8n drops from a mapping once they have their prefix', async () => {
		await runnerA.one('customer.upsert', built({ email: ANN, 'property:constructor': 'Ada' }));
		expect(runnerA.customers()).toEqual([
			{ email: ANN, properties: [property('constructor', 'string', 'Ada')] },
		]);
		await runnerB.one('contact.upsert', built({ email: ANN, 'attribute:constructor': 'Ada' }));
		expect(runnerB.bodies()).toEqual([{ email: ANN, attributes: { constructor: 'Ada' } }]);
	});

	test.each(['Nope', 'nope:x', 'property:Plan'])(
		'fail the row if the account has no column %s, and the error lists those that exist',
		async (id) => {
			const campaignId = '101';
			const message = await runnerB.failure('survey.send', {
				campaignId,
				...built({ email: ANN, [id]: 'x' }),
			});
			expect(message).toContain(`Column '${id}' is not a column of this operation: "x"`);
			expect(message).toContain('The columns are: email, firstName, lastName');
			expect(message).toContain('A new one is mapped as attribute:');
			expect(runnerB.bodies()).toEqual([]);
		},
	);

	test.each(['', null])('fail no row if the column that the account lacks is %j', async (value) => {
		const columns = built({ email: ANN, Nope: value });
		await runnerB.one('survey.send', { campaignId: '101', ...columns });
		expect(runnerB.bodies()).toMatchObject([{ contact: { email: ANN } }]);
	});

	test('the deprecated Send fails a row with a property, which it cannot send', async () => {
		const parameters = {
			campaign: runnerA.campaign('After purchase'),
			...built({ email: ANN, 'property:Plan': 'x' }),
		};
		const message = await runnerA.failure('survey.sendLegacy', parameters);
		expect(message).toContain("'property:Plan' is not a column of this operation");
	});
});

describe('two columns for one field', () => {
	test.each<[string, IDataObject, string]>([
		['company', { company: 'A', companyName: 'B' }, "Column 'companyName' and column 'company'"],
		['tags', { tags: 'a', Tags: 'b' }, "Column 'Tags' and column 'tags'"],
		['a property', { Plan: 'a', plan: 'b' }, "Column 'plan' and column 'Plan'"],
		[
			'a property with other marks between its words',
			{ 'Plan  Name': 'a', plan_name: 'b' },
			"Column 'plan_name' and column 'Plan  Name'",
		],
	])('with different values for %s fail the row and are named: %j', async (_, row, says) => {
		const { items } = await runnerA.rows('customer.upsert', automatic(), [{ email: ANN, ...row }]);
		expect(items[0]?.error).toContain(says);
		expect(runnerA.bodies()).toEqual([]);
	});

	test("a column of its own wins over what is inside the service's own record", async () => {
		const properties = [{ label: 'Plan', name: 'plan', type: 'text', value: 'old' }];
		const createdDate = '2026-01-01T00:00:00.000Z';
		const customer = { id: '64b1f0c2a9d3e4f5a6b7c8d9', email: ANN, createdDate, properties };
		await runnerA.rows('customer.upsert', automatic(), [{ ...customer, plan: 'new' }]);
		expect(runnerA.customers()[0]?.properties).toEqual([property('Plan', 'string', 'new')]);
		const contact = {
			...{ id: 1, email: ANN, first_name: 'Ann', created_date: '2026-01-01T00:00:00Z' },
			attributes: { plan: 'old' },
		};
		await runnerB.rows('contact.upsert', automatic(), [{ ...contact, plan: 'new' }]);
		expect(runnerB.bodies()).toEqual([
			{ email: ANN, first_name: 'Ann', attributes: { plan: 'new' } },
		]);
	});

	test("an Additional Property wins over what is inside the service's own record", async () => {
		const options = { additionalProperties: '{ "plan": "new" }' };
		const contact = {
			...{ id: 1, email: ANN, created_date: '2026-01-01T00:00:00Z' },
			attributes: { plan: 'old', seats: 3 },
		};
		await runnerB.rows('contact.upsert', { ...automatic(), options }, [contact]);
		expect(runnerB.bodies()).toEqual([{ email: ANN, attributes: { plan: 'new', seats: 3 } }]);
	});

	test('a blank column keeps no Additional Property out', async () => {
		runnerA.service.settings.propertiesBy = 'labelAndName';
		const options = { additionalProperties: '{ "Plan": "Team" }' };
		await runnerA.rows('customer.upsert', { ...automatic(), options }, [{ email: ANN, plan: '' }]);
		expect(runnerA.customers()[0]?.properties).toEqual([property('Plan', 'string', 'Team')]);
	});
});

test('Extra Columns = Ignore leaves out what the Columns field does not show in both services, also if the account has it', async () => {
	runnerA.service.state.customers
		.get(ADA)
		?.properties?.push({ label: 'Seats', name: 'seats', type: 'integer', value: 3 });
	const row = [{ email: ANN, Seats: 3, Plan: 'x' }];
	const options = { extraColumns: 'ignore' };
	const shown = (id: string) =>
		automatic([
			{ id: 'email', type: 'string' },
			{ id, type: 'string' },
		]);
	await runnerA.rows('customer.upsert', { ...shown('property:Plan'), options }, row);
	expect(runnerA.customers()).toEqual([
		{ email: ANN, properties: [property('Plan', 'string', 'x')] },
	]);
	await runnerB.rows('contact.upsert', { ...shown('attribute:Plan'), options }, row);
	expect(runnerB.bodies()).toEqual([{ email: ANN, attributes: { Plan: 'x' } }]);
});

describe('an option that was added and has no value', () => {
	const NO_VALUE = '={{ $json.nothing }}';

	test.each<[string, INodeParameters]>([
		['Dry Run', { dryRun: NO_VALUE }],
		['Dry Run', { dryRun: '={{ "" }}' }],
		['Send at Most', { sendAtMost: '' }],
		['Ignored Columns', { ignoredColumns: NO_VALUE }],
		['Quiet Period (Days)', { quietPeriod: NO_VALUE }],
		['Quiet Period (Days)', { quietPeriod: '' }],
		['Ignored Columns', { ignoredColumns: '={{ $json.a }}, {{ $json.b }}' }],
		['Ignored Columns', { ignoredColumns: '={{ [$json.a, ""] }}' }],
		['Extra Columns', { extraColumns: NO_VALUE }],
		['Contacts That Cannot Be Surveyed', { ineligible: NO_VALUE }],
		['Contacts That Cannot Be Surveyed', { ineligible: '' }],
		['Date Order', { dateOrder: '' }],
		['Date Format', { dateFormat: '' }],
		['Empty Values', { emptyValues: '' }],
		['Extra Columns', { extraColumns: '' }],
		['Quiet Period Scope', { quietPeriod: 30, quietPeriodScope: '' }],
	])('%s fails before anything is sent', async (label, options) => {
		const campaign = runnerA.campaign('After purchase');
		const parameters = { campaign, ...automatic(), options };
		const { items } = await runnerA.rows('survey.send', parameters, [{ email: ANN }]);
		expect(items[0]?.error).toContain(`'${label}' is missing`);
		expect(items[0]?.error).toContain(`or remove Options → '${label}'`);
		expect(runnerA.service.requests).toEqual([]);
	});

	test('is left out if it is a free text', async () => {
		const options = { message: NO_VALUE };
		await runnerA.one('customer.unsubscribe', { email: ADA, options });
		expect(runnerA.bodies()).toEqual([{ subscribers: [{ email: ADA }] }]);
	});

	test.each<[string, INodeParameters]>([
		['Email', { email: NO_VALUE }],
		['Contact List', { contactListId: { __rl: true, mode: 'list', value: '' } }],
		['Score', { score: null }],
		['Score Type', { scoreType: '' }],
		['Status', { status: '' }],
	])('the filter %s without a value fails before anything is sent', async (label, filters) => {
		const isOfContact = ['Email', 'Contact List'].includes(label);
		const name = isOfContact ? 'contact.getAll' : 'feedback.getAll';
		const message = await runnerB.failure(name, { filters });
		expect(message).toContain(`'${label}' is missing`);
		expect(message).toContain(`remove Filters → '${label}'`);
		expect(runnerB.service.requests).toEqual([]);
	});
});

test.each([null, '', 'null', ' None ', 'undefined', 'N/A'])(
	'%j is no filter in the hands of an agent, whose model has to fill all of them',
	async (word) => {
		const filters = { email: word, contactListId: { __rl: true, mode: 'id', value: word } };
		const run = { asTool: true };
		const { items } = await runnerB.run('contact.getAll', { returnAll: true, filters }, run);
		expect(items).toHaveLength(runnerB.service.state.contacts.size);
		expect(runnerB.lines()).toEqual(['GET /api/v2/contacts/']);
	},
);

describe('opt-outs', () => {
	test.each(['yes', true, 'true', 1])(
		'a row that says Unsubscribed = %j is skipped by Send, by name and by hand',
		async (cell) => {
			const input = [{ email: ANN, Unsubscribed: cell }];
			const byHand = built({ email: ANN, unsubscribed: '={{ $json.Unsubscribed }}' });
			for (const columns of [automatic(), byHand]) {
				const a = { campaign: runnerA.campaign('After purchase'), ...columns };
				const b = { campaignId: '101', ...columns };
				for (const name of ['survey.send', 'survey.sendAudienceLegacy', 'survey.sendLegacy']) {
					const { items } = await runnerA.run(name, a, { input });
					expect(items).toMatchObject([
						{ email: ANN, status: 'skipped', reason: expect.stringContaining('unsubscribed') },
					]);
				}
				const { items } = await runnerB.run('survey.send', b, { input });
				expect(items).toMatchObject([{ email: ANN, status: 'skipped' }]);
			}
			expect(runnerA.service.requests).toEqual([]);
			expect(runnerB.service.requests).toEqual([]);
		},
	);

	test.each([
		[{}, undefined],
		[{ resubscribe: true }, false],
	])(
		'unsubscribed = false mapped by hand is sent only with Resubscribe: %j',
		async (options, sent) => {
			await runnerB.one('contact.upsert', {
				...built({ email: ANN, unsubscribed: false, firstName: 'Ann' }),
				options,
			});
			expect(runnerB.bodies()).toEqual([{ email: ANN, first_name: 'Ann', unsubscribed: sent }]);
		},
	);
});

test('a dry run checks all rows whatever On Error is: each bad row comes out with its error', async () => {
	const input = [{ email: ANN }, { email: '' }, { email: 'bob@acme.example', tags: { a: 1 } }];
	const parameters = { ...automatic(), options: { dryRun: true } };
	const { items, error } = await runnerA.run('customer.upsert', parameters, { input });
	expect(error).toBeUndefined();
	expect(items).toMatchObject([
		{ dryRun: true },
		{ error: expect.stringContaining("'email' is empty") },
		{
			error: expect.stringContaining("'tags' must be text with commas"),
			email: 'bob@acme.example',
		},
	]);
});

test('campaign IDs that differ only in case are one campaign for duplicates', async () => {
	const id = runnerA.campaign('After purchase');
	const input = [id.toLowerCase(), id.toUpperCase()].map((campaign) => ({ campaign, email: ANN }));
	const parameters = { campaign: '={{ $json.campaign }}', ...automatic() };
	const options = { ignoredColumns: 'campaign' };
	const { items } = await runnerA.run('survey.send', { ...parameters, options }, { input });
	expect(items).toMatchObject([{ status: 'queued' }, { status: 'skipped', duplicateOfItem: 0 }]);
});

const PERSON = { a: 'customer', b: 'contact' };

describe('the columns that the editor lists', () => {
	const listed = async (
		service: 'a' | 'b',
		operation: string,
		value: INodeParameters,
		schema: INodeParameters[] = [],
	) => {
		const [runner, { resourceMapping }] =
			service === 'a' ? ([runnerA, methodsA] as const) : ([runnerB, methodsB] as const);
		const resource = operation === 'upsert' ? PERSON[service] : 'survey';
		const columns = { mappingMode: 'defineBelow', value, schema };
		const context = runner.opened({ resource, operation, columns }, { email: ADA });
		const { fields } = await resourceMapping.getColumns.call(context);
		return fields.map(({ id, type }) => `${id}: ${type}`);
	};

	test('are also those that the node maps already, so that opening the panel removes none', async () => {
		const value = {
			email: '={{ $json.email }}',
			'property:Region': null,
			first_name: 'Ada',
			'property:Plan Name': '={{ $json.plan }}',
		};
		const schema = [
			{ id: 'property:Deal Stage', type: 'array' },
			{ id: 'property:Gone', type: 'string', removed: true },
		];
		const ids = await listed('a', 'send', value, schema);
		expect(ids.slice(-4)).toEqual([
			'property:Deal Stage: array',
			'property:Region: undefined',
			'first_name: undefined',
			'property:Plan Name: undefined',
		]);
		expect(ids.join()).not.toContain('Gone');
		expect(await listed('b', 'send', { 'surveyAttribute:new': 1 })).toContain(
			'surveyAttribute:new: undefined',
		);
	});

	test('one without a type takes the type of its values when the node runs', async () => {
		const columns = mapped({ email: ANN, 'property:Seats': 12 }, [
			{ id: 'email', type: 'string' },
			{ id: 'property:Seats' },
		]);
		await runnerA.one('customer.upsert', columns);
		expect(runnerA.customers()[0]?.properties).toEqual([property('Seats', 'integer', 12)]);
	});
});

describe('rows with lists and objects', () => {
	test("a data table's own id is left out beside its two dates, and that of HubSpot or beside one date is sent", async () => {
		const dates = { createdAt: '2026-01-01', updatedAt: '2026-01-02' };
		const input = [
			{ id: 7, email: ANN, ...dates },
			{ id: '151', email: 'bob@acme.example', ...dates },
			{ id: 8, email: 'eve@acme.example', createdAt: '2026-01-01' },
		];
		const { hints } = await runnerB.rows('contact.upsert', automatic(), input);
		expect(runnerB.bodies()).toEqual([
			{ email: ANN },
			{ email: 'bob@acme.example', attributes: { id: '151' } },
			{ email: 'eve@acme.example', attributes: { id: '8' } },
		]);
		expect(hints.join()).toContain('Columns that were not sent: id, createdAt, updatedAt');
	});
});

describe('what a value says', () => {
	const berlin = async (value: string) => {
		const columns = mapped({ email: ANN, 'property:Renewal': value }, [
			{ id: 'property:Renewal', displayName: 'Renewal', type: 'dateTime' },
		]);
		await runnerA.run('customer.upsert', columns, { timezone: 'Europe/Berlin' });
		return runnerA.customers().at(-1)?.properties;
	};

	test.each(['new Date("2027-03-04T00:00:00+01:00")', 'new Date("2027-03-04T00:00:00Z")'])(
		'a JavaScript date at midnight in the zone of the workflow or of the process is that day: %s',
		async (date) => {
			expect(await berlin(`={{ ${date} }}`)).toEqual([
				property('Renewal', 'date', '2027-03-04T00:00:00.000Z'),
			]);
		},
	);

	test.each<[unknown, unknown]>([
		['"VIP","Blog, EU"', ['VIP', 'Blog, EU']],
		['"say ""hi""", b', ['say "hi"', 'b']],
		[' a ,, b', ['a', 'b']],
		['["a, b"]', ['a, b']],
	])('tags %j are read as CSV: %j', async (tags, sent) => {
		const { items } = await runnerA.rows('customer.upsert', automatic(), [
			JSON.parse(JSON.stringify({ email: ANN, tags })),
		]);
		expect(items[0]?.error).toBeUndefined();
		expect(runnerA.customers()[0]?.tags).toEqual(sent);
	});

	test.each(["['a', 'b']", '{a,"b, c"}', 'a; b', 'a|b', '"a", "b', 'a\nb'])(
		'tags in another notation fail: %j',
		async (tags) => {
			const { items } = await runnerA.rows('customer.upsert', automatic(), [{ email: ANN, tags }]);
			expect(items[0]?.error).toContain("Column 'tags' looks like a list in another notation");
			expect(runnerA.bodies()).toEqual([]);
		},
	);

	test.each<[IDataObject, string]>([
		[{ company: { name: 'Acme' } }, "name it in Options → 'Ignored Columns'"],
		[{ tags: [{ name: 'VIP' }] }, "name it in Options → 'Ignored Columns'"],
	])('the advice for %j can be followed with Map Automatically: %s', async (row, says) => {
		const { items } = await runnerA.rows('customer.upsert', automatic(), [{ email: ANN, ...row }]);
		expect(items[0]?.error).toContain(says);
		expect(items[0]?.error).toContain('Edit Fields node');
	});

	test('the error of a column mapped by hand advises its expression, and not Ignored Columns, which only Map Automatically has', async () => {
		const columns = built({ email: ANN, company: "={{ ({ name: 'Acme' }) }}" });
		const { items } = await runnerA.rows('customer.upsert', columns, [{}]);
		expect(items[0]?.error).toMatch(/\. Correct the value, or the expression that returns it$/);
	});

	test.each([
		['46089', "A spreadsheet's serial number is no date"],
		['31/12/2026', "Set Options → 'Date Order'"],
	])('the error of the date %s says what to do: %s', async (date, says) => {
		const columns = automatic([{ id: 'property:Renewal', type: 'dateTime' }]);
		const { items } = await runnerA.rows('customer.upsert', columns, [
			{ email: ANN, Renewal: date },
		]);
		expect(items[0]?.error).toContain(says);
	});

	test.each<[string, INodeParameters]>([
		['mapped automatically', automatic()],
		['mapped by hand', built({ email: '={{ $json.email }}' })],
	])('an email that is not one address has the code invalidEmail, %s', async (_, parameters) => {
		const emails = [['ann@a.example', 'bob@a.example'], 'ann@a.example, bob@a.example', { a: ANN }];
		const rows = emails.map((email) => ({ email }));
		const { items } = await runnerA.rows('customer.upsert', parameters, rows);
		expect(items.map(({ details }) => Object(details).code)).toEqual(
			emails.map(() => 'invalidEmail'),
		);
	});

	test('a character that nobody sees in an address fails its row, and the error says so', async () => {
		const email = 'ann\u200b@acme.example';
		const { items } = await runnerA.rows('customer.upsert', automatic(), [{ email }]);
		expect(items[0]?.error).toContain('contains a character that nobody sees');
		expect(await runnerB.failure('contact.delete', { email })).toContain(
			'a character that nobody sees',
		);
	});

	test.each<[string, INodeParameters, string]>([
		[
			'contact.upsert',
			built({ email: ANN, contactLists: '={{ [11, "x"] }}' }),
			'the IDs of contact',
		],
		[
			'contact.upsert',
			{ ...built({ email: ANN }), options: { additionalProperties: '{ "": 1 }' } },
			'has no name',
		],
		[
			'feedback.forward',
			{ feedbackId: '2001', fromUser: 'a@b.example', to: 'a@b.example, c@d.example' },
			"'To' must be one address",
		],
		[
			'feedback.forward',
			{ feedbackId: '2001', fromUser: 'a@b.example', to: 'a@@b.example' },
			"'To' is not an email address",
		],
	])('%s sends nothing for which the contract has no value: %j', async (name, parameters, says) => {
		expect(await runnerB.failure(name, parameters)).toContain(says);
		expect(runnerB.bodies()).toEqual([]);
	});

	test.each<[string, INodeParameters, IDataObject]>([
		['mapped by hand', built({ email: ANN, 'property:': 'x' }), {}],
		[
			'in Additional Properties',
			{ ...automatic(), options: { additionalProperties: '{ " ": 1 }' } },
			{},
		],
		[
			"in the service's own record",
			automatic(),
			{ properties: [{ label: '', type: 'text', value: 'x' }] },
		],
	])('a property without a label fails its row, %s', async (_, parameters, row) => {
		const { items } = await runnerA.rows('customer.upsert', parameters, [{ email: ANN, ...row }]);
		expect(items[0]?.error).toContain('has no name');
		expect(runnerA.bodies()).toEqual([]);
	});
});
