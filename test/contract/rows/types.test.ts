import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { automatic, mapped } from '../../support/columns';
import { useRunner as useRunnerA } from '../surveyA/runner';
import { useRunner as useRunnerB } from '../surveyB/runner';

// A column has one type in a run: that of the columns that the mapper shows, else the one that all its values share.

const runnerA = useRunnerA();
const runnerB = useRunnerB();

const emailOf = (index: number) => `p${index}@example.com`;
const recordsOf = (name: string, values: unknown[]): IDataObject[] =>
	JSON.parse(JSON.stringify(values.map((value, i) => ({ email: emailOf(i), [name]: value }))));

/** Sends rows to Survey A; returns the properties by email, the errors by item, and the hints. */
async function upsertA(input: IDataObject[], parameters: INodeParameters) {
	const { service } = runnerA;
	service.requests.length = 0;
	const { items, error, hints } = await runnerA.rows('customer.upsert', parameters, input);
	expect(error).toBeUndefined();
	return {
		sent: runnerA.customers().map(({ properties }) => properties),
		reads: service.requests.filter(({ method }) => method === 'GET').length,
		errors: items.map((item) => item.error),
		hints,
	};
}

/** Sends rows to Survey B; returns the attributes, the errors by item, and the hints. */
async function upsertB(input: IDataObject[], parameters: INodeParameters, timezone = 'UTC') {
	const { service } = runnerB;
	service.requests.length = 0;
	const settings = { input, onError: 'continueRegularOutput', timezone } as const;
	const { items, error, hints } = await runnerB.run('contact.upsert', parameters, settings);
	expect(error).toBeUndefined();
	return {
		sent: runnerB.bodies().map(({ attributes }) => attributes),
		errors: items.map((item) => item.error),
		hints,
	};
}

const EMAIL = { id: 'email', type: 'string' as const };
type Type = 'string' | 'number' | 'boolean' | 'dateTime' | 'array' | 'object';
const ofA = (name: string, type: Type) =>
	automatic([EMAIL, { id: `property:${name}`, displayName: name, type }]);
const ofB = (name: string, type: Type) =>
	automatic([EMAIL, { id: `attribute:${name}`, displayName: name, type }]);

const property = (label: string, type: string, value: unknown) => [{ label, type, value }];

describe('the type that the mapper shows decides', () => {
	test.each<[Type, unknown, string, unknown]>([
		['boolean', 'no', 'boolean', false],
		['string', 12345, 'string', '12345'],
		['string', true, 'string', 'true'],
	])(
		'Survey A: in a column of type %s, %j goes out as %s %j',
		async (type, value, sentAs, sent) => {
			const { sent: properties } = await upsertA(recordsOf('Column', [value]), ofA('Column', type));
			expect(properties).toEqual([property('Column', sentAs, sent)]);
		},
	);

	test.each<[Type, unknown, unknown]>([
		['number', '12.50', 12.5],
		['dateTime', ' 2026-01-02 10:30 ', '2026-01-02T10:30:00'],
		['dateTime', '2026-01-02T00:00:00', '2026-01-02'],
		['string', 12345, '12345'],
		['array', '["a", 1]', ['a', 1]],
		['object', '{ "city": "Bonn" }', { city: 'Bonn' }],
		['object', { city: 'Bonn' }, { city: 'Bonn' }],
	])('Survey B: in a column of type %s, %j goes out as %j', async (type, value, sent) => {
		const { sent: attributes } = await upsertB(recordsOf('column', [value]), ofB('column', type));
		expect(attributes).toEqual([{ column: sent }]);
	});

	test.each<[Type, unknown, string]>([
		['string', ['a', 'b'], 'must be text'],
		['array', { a: 1 }, 'must be a list'],
		['array', '[1, 12345678901234567890]', 'has more digits than can be sent exactly'],
	])('Survey A: in a column of type %s, the row with %j fails', async (type, value, message) => {
		const { sent, errors } = await upsertA(recordsOf('Column', [value]), ofA('Column', type));
		expect(sent).toEqual([]);
		expect(errors).toEqual([expect.stringContaining(`Column 'Column' ${message}`)]);
	});

	test.each<[Type, unknown, string]>([
		[
			'number',
			'007',
			'must be a number: "007". Correct the value, or map it as text to an attribute of another name: this one holds numbers',
		],
		[
			'number',
			2 ** 64,
			'has more digits than can be sent exactly: 18446744073709552000. Correct the value, or map it as text to an attribute of another name',
		],
		['array', 'a, b', 'must be a list'],
		['object', 'x', 'must be an object'],
	])('Survey B: in a column of type %s, the row with %j fails', async (type, value, message) => {
		const { sent, errors } = await upsertB(recordsOf('column', [value]), ofB('column', type));
		expect(sent).toEqual([]);
		expect(errors).toEqual([expect.stringContaining(`Column 'column' ${message}`)]);
	});
});

describe('a node that stored no columns', () => {
	test.each([
		['label and name', 'labelAndName'],
		['name alone', 'name'],
	] as const)('reads the columns of the account once per run, by %s', async (_, by) => {
		runnerA.service.settings.propertiesBy = by;
		const known = { label: 'VIP', name: 'vip', type: 'boolean', value: true };
		runnerA.service.state.customers.get('ada@acme.example')?.properties?.push(known);
		const input = [...recordsOf('VIP', [1, 0]), { email: 'x@example.com', Other: 'y' }];
		const { sent, hints, reads } = await upsertA(input, automatic([]));
		expect(hints.join()).not.toContain('VIP');
		expect(sent.slice(0, 2)).toEqual([
			property('VIP', 'boolean', true),
			property('VIP', 'boolean', false),
		]);
		expect(reads).toBe(1);
	});

	test('does not read the account for rows with fields of every account only', async () => {
		const { reads } = await upsertA([{ email: 'a@example.com', company: 'Acme' }], automatic([]));
		expect(reads).toBe(0);
	});

	test('does not read the account for such rows with Email Column', async () => {
		const parameters = { ...automatic([]), options: { emailColumn: 'Work' } };
		const { reads } = await upsertA([{ Work: 'a@example.com', company: 'Acme' }], parameters);
		expect(reads).toBe(0);
	});
});

describe('all values of a new column decide', () => {
	test.each<[unknown[], string, unknown[]]>([
		[[10, 'n/a', true], 'string', ['10', 'n/a', 'true']],
		[[10, '', 12], 'integer', [10, undefined, 12]],
		[[10, 12.5], 'string', ['10', '12.5']],
		[[10, true], 'string', ['10', 'true']],
		[['2026-11-21', 'soon'], 'string', ['2026-11-21', 'soon']],
		[['12', '13'], 'string', ['12', '13']],
	])('Survey A: %j go out as %s', async (values, type, sent) => {
		const result = await upsertA(recordsOf('MRR', values), automatic());
		expect(result.sent).toEqual(
			sent.map((value) => (value === undefined ? undefined : property('MRR', type, value))),
		);
	});

	test.each<[unknown[], unknown[]]>([
		[
			[10, 'n/a', true],
			['10', 'n/a', 'true'],
		],
		[
			[1.5, 2],
			[1.5, 2],
		],
		[
			['2026-11-21', '2026-11-22T10:00:00.000Z'],
			['2026-11-21', '2026-11-22T10:00:00Z'],
		],
	])('Survey B: %j go out as %j', async (values, sent) => {
		const result = await upsertB(recordsOf('mrr', values), automatic());
		expect(result.sent).toEqual(sent.map((value) => ({ mrr: value })));
	});

	test('columns that differ in case, spaces or underscores only are one column', async () => {
		const input = [
			{ email: 'a@example.com', 'Plan Name': 'Team' },
			{ email: 'b@example.com', plan_name: 7 },
		];
		const { sent, hints } = await upsertA(input, automatic());
		expect(hints).toEqual(['Sent to Survey A as new: Plan Name (text)']);
		expect(sent).toEqual([
			property('Plan Name', 'string', 'Team'),
			property('Plan Name', 'string', '7'),
		]);
	});

	test.each([
		[{}, { additionalProperties: '={{ ({ MRR: $json.mrr }) }}' }],
		[{ 'property:MRR': '={{ $json.mrr }}' }, {}],
	])(
		'a column has one type in the whole run: mapped by %j with the options %j [one-type] [one-type-all]',
		async (...given) => {
			const [columns, options] = given;
			// Only the last row of many is no number.
			const input = Array.from({ length: 1200 }, (_, i) => {
				return { email: emailOf(i), mrr: i < 1199 ? 10 : 'n/a' };
			});
			const parameters = { ...mapped({ email: '={{ $json.email }}', ...columns }), options };
			const { sent } = await upsertA(input, parameters);
			expect(sent[0]).toEqual(property('MRR', 'string', '10'));
			expect(sent.at(-1)).toEqual(property('MRR', 'string', 'n/a'));
			expect(sent).toHaveLength(1200);
		},
	);
});

describe('a new column is a date', () => {
	const DAYS = ['2027-01-31', '31/12/2026', '2027-02-01T10:30:00Z'];

	test('if one value is an ISO date and all others are dates in digits; the odd row fails as for a known date', async () => {
		const { sent, errors } = await upsertA(recordsOf('Renewal', DAYS), automatic([]));
		expect(sent).toEqual([
			property('Renewal', 'date', '2027-01-31T00:00:00.000Z'),
			property('Renewal', 'date', '2027-02-01T10:30:00.000Z'),
		]);
		expect(errors).toEqual([
			undefined,
			expect.stringContaining("Column 'Renewal' does not say whether the day or the month comes"),
			undefined,
		]);
	});

	test('if Date Order explains its digits, also where they name a day that does not exist', async () => {
		const parameters = { ...automatic([]), options: { dateOrder: 'monthFirst' } };
		for (const days of [['25/3/2025'], ['3/25/2025', '25/3/2025'], ['2025-03-25', '25/3/2025']]) {
			const { sent, errors } = await upsertA(recordsOf('Start', days), parameters);
			const date = property('Start', 'date', '2025-03-25T00:00:00.000Z');
			expect(sent).toEqual(days.slice(1).map(() => date));
			expect(errors.at(-1)).toContain("Column 'Start' names a day that does not exist");
		}
	});

	test.each([
		[['2027-01-31', '31.12.26'], 'needs a year of four digits'],
		[['2027-01-31', '0000-00-00'], 'names a day that does not exist'],
		[['2027-01-31', '9999-12-31'], 'is not a date between 1900 and 2100'],
	])('in %j, and the second row fails: %s', async (days, says) => {
		const { sent, errors } = await upsertB(recordsOf('since', days), automatic([]));
		expect(sent).toEqual([{ since: '2027-01-31' }]);
		expect(errors[1]).toContain(says);
	});

	test.each([
		[['31/12/2026', '1.2.2027']],
		[['2027-01-31', 'soon']],
		[['1234-56-78']],
		[['2027-01-31', '12/31/2026 or later']],
	])('and text if its values are %j without Date Order', async (values) => {
		const { sent, errors } = await upsertA(recordsOf('Note', values), automatic([]));
		expect(errors.filter(Boolean)).toEqual([]);
		expect(sent).toEqual(values.map((value) => property('Note', 'string', value)));
	});
});

test('UNIX time at midnight in UTC, as HubSpot has dates, is that day in every form and zone', async () => {
	const columns = ofA('closedate', 'dateTime');
	for (const [dateFormat, value] of Object.entries({
		monthDayYear: '11/21/2026',
		iso: '2026-11-21T00:00:00.000Z',
	})) {
		const parameters = { ...columns, options: { dateFormat } };
		const settings = {
			input: recordsOf('closedate', ['1795219200000']),
			timezone: 'America/New_York',
		};
		await runnerA.run('customer.upsert', parameters, settings);
		expect(runnerA.customers().at(-1)?.properties).toEqual(property('closedate', 'date', value));
	}
	const rows = recordsOf('closedate', ['1795219200000']);
	const { sent } = await upsertB(rows, ofB('closedate', 'dateTime'), 'America/New_York');
	expect(sent).toEqual([{ closedate: '2026-11-21' }]);
});

describe('an ID of 16 to 18 digits', () => {
	test.each(['1234567890123456', '123456789012345678'])(
		'goes out and comes back as it is: %s',
		async (id) => {
			const text = recordsOf('account', [id]);
			expect((await upsertA(text, automatic([]))).sent).toEqual([
				property('account', 'string', id),
			]);
			expect((await upsertB(text, automatic([]))).sent).toEqual([{ account: id }]);
			const parameters = { campaignId: id, ...mapped({ email: 'a@example.com' }) };
			runnerB.respond(200, {
				campaign_id: id,
				status: 'SENT',
				contact: { email: 'a@example.com' },
			});
			expect(await runnerB.one('survey.send', parameters)).toMatchObject({ campaign_id: id });
			expect(runnerB.bodies().at(-1)).toMatchObject({ campaign_id: id });
		},
	);

	test('fails its row in a column of numbers that cannot hold it', async () => {
		for (const id of ['12345678901234567', 12345678901234568]) {
			const { sent, errors } = await upsertA(recordsOf('n', [id]), ofA('n', 'number'));
			expect(sent).toEqual([]);
			expect(errors[0]).toContain('has more digits than can be sent exactly');
		}
	});
});

describe('names', () => {
	describe('the account has a property whose label and name differ', () => {
		beforeEach(() => {
			runnerA.service.settings.propertiesBy = 'labelAndName';
			const known = { label: 'Renewal (date)', name: 'cf_42', type: 'date', value: '2026-01-01' };
			runnerA.service.state.customers.get('ada@acme.example')?.properties?.push(known);
		});
		const sentDate = property('Renewal (date)', 'date', '2026-11-21T00:00:00.000Z');

		test.each<[string, INodeParameters]>([
			['stored no columns', automatic([])],
			['stored its label', ofA('Renewal (date)', 'dateTime')],
			['stored other columns', ofA('Plan', 'string')],
			['ignores extra columns', { ...automatic([]), options: { extraColumns: 'ignore' } }],
		])('a column by its name goes out under the label when the node %s', async (_, parameters) => {
			const { sent, hints } = await upsertA(recordsOf('cf_42', ['2026-11-21']), parameters);
			expect(sent).toEqual([sentDate]);
			expect(hints).toEqual([]);
		});

		test('Additional Properties by its name go out under the label', async () => {
			const options = { additionalProperties: '{ "cf_42": "2026-11-21" }' };
			const parameters = { ...ofA('Renewal (date)', 'dateTime'), options };
			const { sent } = await upsertA([{ email: 'a@example.com' }], parameters);
			expect(sent).toEqual([sentDate]);
		});

		test('the account is not read when the node stored all columns of the rows', async () => {
			const rows = recordsOf('renewal (DATE)', ['2026-11-21']);
			const { sent, reads } = await upsertA(rows, ofA('Renewal (date)', 'dateTime'));
			expect(sent).toEqual([sentDate]);
			expect(reads).toBe(0);
		});
	});

	test('a column that could be two properties of the account fails its row', async () => {
		const columns = automatic([
			EMAIL,
			{ id: 'property:Plan Name', displayName: 'Plan Name', type: 'string' },
			{ id: 'property:plan_name', displayName: 'plan_name', type: 'string' },
		]);
		const { sent, errors } = await upsertA(recordsOf('PlanName', ['x']), columns);
		expect(sent).toEqual([]);
		expect(errors[0]).toContain("Column 'PlanName' could be 'Plan Name' or 'plan_name'");
		expect((await upsertA(recordsOf('plan_name', ['x']), columns)).sent).toEqual([
			property('plan_name', 'string', 'x'),
		]);
	});
});

test('Extra Columns by an expression that differs between the rows fails and says so', async () => {
	const parameters = {
		...ofA('Plan', 'string'),
		options: { extraColumns: '={{ $json.extra }}' },
	};
	const input = [
		{ email: 'a@example.com', extra: 'ignore' },
		{ email: 'b@example.com', extra: 'add' },
	];
	const { error } = await runnerA.run('customer.upsert', parameters, { input });
	expect(error?.message).toContain(
		"'Extra Columns' differs between the rows, but applies to the whole run",
	);
	expect(runnerA.service.requests).toEqual([]);
});

test('Ignored Columns by an expression that returns the same array for all rows leaves these columns out', async () => {
	const parameters = { ...automatic(), options: { ignoredColumns: "={{ ['Plan'] }}" } };
	const { sent, errors } = await upsertA(recordsOf('Plan', ['x', 'y']), parameters);
	expect({ sent, errors }).toEqual({ sent: Array(2), errors: Array(2) });
});

describe('the email', () => {
	test.each<[IDataObject]>([
		[{ Email: 'a@example.com', email: 'b@example.com' }],
		[{ Email: 'a@example.com', 'Email Address': 'b@example.com' }],
		[{ Email: 'a@example.com', email: 'A@example.com', 'Email Address': 'b@example.com' }],
	])('a row %j with two emails fails and says to set Email Column', async (row) => {
		const { sent, errors } = await upsertA([row], automatic());
		expect(sent).toEqual([]);
		const names = Object.keys(row).map((name) => `'${name}'`);
		expect(errors[0]).toContain(`'Email' could be in the columns ${names.join(' and ')}`);
		expect(errors[0]).toMatch(/Set Options → 'Email Column' to the one with the email address$/);
	});

	test.each<[IDataObject, string]>([
		[{ Email: 'a@example.com', email: ' A@example.com' }, 'the same address'],
		[{ Email: 'a@example.com', email: '' }, 'an empty one'],
	])('a row %j, whose second email is %s, is sent', async (row) => {
		expect((await upsertA([row], automatic())).errors).toEqual([undefined]);
	});
});

test('Survey B gets a time that daylight saving skips as it is in the row', async () => {
	const skipped = recordsOf('since', ['2025-03-30 02:30:00']);
	const { sent } = await upsertB(skipped, ofB('since', 'dateTime'), 'Europe/Berlin');
	expect(sent).toEqual([{ since: '2025-03-30T02:30:00' }]);
});

test.each([[[]], [[{ id: 'property:Fresh' }]]])(
	"an expression that n8n cannot evaluate fails only its row, with n8n's reason: columns %j",
	async (stored) => {
		const plan = `={{ $json.email === '${emailOf(1)}' ? $('Gone').first() : 'Team' }}`;
		const columns = mapped({ email: '={{ $json.email }}', 'property:Fresh': plan }, stored);
		const { errors } = await upsertA(recordsOf('n', [0, 1, 2]), columns);
		const reason = expect.stringContaining("Referenced node doesn't exist");
		expect(errors).toEqual([undefined, reason, undefined]);
	},
);
