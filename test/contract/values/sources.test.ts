import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { automatic, mapped } from '../../support/columns';
import { runOperation } from '../../support/runOperation';
import { errorOf } from '../../support/samples';
import { useSandbox } from '../../support/sandbox';

// Rows as surveys, sheets, databases and webhooks give them, and what arrives of them.

const sandbox = useSandbox();
const ANN = 'ann@customer.com';

const SERVICES = {
	A: { name: 'customer.upsert', service: () => sandbox.a, prefix: 'property:' },
	B: { name: 'contact.upsert', service: () => sandbox.b, prefix: 'attribute:' },
} as const;

type Service = keyof typeof SERVICES;
const BOTH: Service[] = ['A', 'B'];

/** Returns the properties of each person that arrived, by label, and the messages of rows that failed. */
async function arrived(
	of: Service,
	rows: IDataObject[],
	parameters: INodeParameters = automatic(),
	options: INodeParameters = {},
) {
	const { name, service } = SERVICES[of];
	const { items, hints } = await runOperation(
		service(),
		name,
		{ ...parameters, options },
		{
			input: rows.map((row) => ('body' in row ? row : { email: ANN, ...row })),
			onError: 'continueRegularOutput',
		},
	);
	const people = service()
		.requests.filter(({ method }) => method === 'POST')
		.map(({ rawBody }): IDataObject => JSON.parse(rawBody))
		.flatMap((body): IDataObject[] => [Object(body.subscribers ?? body)].flat());
	const properties = people.map(({ properties, attributes }) =>
		Array.isArray(properties)
			? Object.fromEntries(properties.map((one) => [Object(one).label, Object(one).value]))
			: { ...Object(attributes) },
	);
	return { people, properties, hints, errors: items.map((json) => errorOf(json)) };
}

describe('column names that differ in more than their case and the mark between words', () => {
	test.each(BOTH)('are different columns of Survey %s: Q1_1 and Q11', async (of) => {
		const { properties } = await arrived(of, [
			{ Q1_1: 'a', Q11: 'b' },
			{ email: 'bob@customer.com', Q11: 'c' },
		]);
		expect(properties).toEqual([{ Q1_1: 'a', Q11: 'b' }, { Q11: 'c' }]);
	});

	test.each(BOTH)('are different columns of Survey %s that are mapped by hand', async (of) => {
		const { prefix } = SERVICES[of];
		const value = { email: ANN, [`${prefix}Q1_1`]: 'a', [`${prefix}Q11`]: 'b' };
		const { properties } = await arrived(of, [{}], mapped(value));
		expect(properties).toEqual([{ Q1_1: 'a', Q11: 'b' }]);
	});

	test.each(BOTH)('do not overwrite a column of Survey %s: Se_ats and Seats', async (of) => {
		const { prefix } = SERVICES[of];
		const schema = [{ id: `${prefix}Seats`, displayName: 'Seats', type: 'string' as const }];
		const { properties } = await arrived(of, [{ Se_ats: 'x' }], automatic(schema));
		expect(properties).toEqual([{ Se_ats: 'x' }]);
	});

	test.each(BOTH)('are different columns of Survey %s: _id and id', async (of) => {
		const { properties } = await arrived(of, [{ _id: 'a', id: 'b' }]);
		expect(properties).toEqual([{ _id: 'a', id: 'b' }]);
	});

	test('are ignored only by their own name', async () => {
		const options = { ignoredColumns: 'Q11' };
		const { properties } = await arrived('A', [{ Q1_1: 'a', Q11: 'b' }], automatic(), options);
		expect(properties).toEqual([{ Q1_1: 'a' }]);
	});

	test.each(['renewal_date', 'renewalDate', 'RENEWAL DATE', 'Renewal-Date'])(
		'are the same if only these differ: %s is Renewal Date',
		async (name) => {
			const schema = [
				{ id: 'property:Renewal Date', displayName: 'Renewal Date', type: 'string' as const },
			];
			const { properties } = await arrived('A', [{ [name]: 'x' }], automatic(schema));
			expect(properties).toEqual([{ 'Renewal Date': 'x' }]);
		},
	);
});

describe('a list without entries', () => {
	const schemaOf = (of: Service) => [
		{ id: `${SERVICES[of].prefix}x`, displayName: 'x', type: 'array' as const },
	];
	const blanks = [',', ' , ', '""', '[""]', [''], [null], ['', ' '], '[]', '[ ]'];

	describe.each(BOTH)('changes nothing in Survey %s', (of) => {
		test.each(blanks.map((blank) => [JSON.stringify(blank), blank]))('%s', async (_, blank) => {
			const row: IDataObject = { x: blank };
			const { properties, errors } = await arrived(of, [row], automatic(schemaOf(of)));
			expect(errors).toEqual([undefined]);
			expect(properties).toEqual([{}]);
		});
	});

	test.each([',', ['']])('clears the tags with Empty Values = Clear: %j', async (tags) => {
		const { people } = await arrived('A', [{ tags }], automatic(), { emptyValues: 'clear' });
		expect(people).toMatchObject([{ tags: [] }]);
	});
});

describe('a row of another source is not taken for a record of the service', () => {
	test('a table with id and created_date is no contact of Survey B', async () => {
		const { properties } = await arrived('B', [{ id: 42, created_date: '2026-01-05', tier: 'x' }]);
		expect(properties).toEqual([{ id: 42, created_date: '2026-01-05', tier: 'x' }]);
	});

	test('an empty list of properties makes no customer of Survey A', async () => {
		const { properties } = await arrived('A', [{ id: 'C-1', companyId: 'K-9', properties: [] }]);
		expect(properties).toEqual([{ id: 'C-1', companyId: 'K-9' }]);
	});
});

test('error and details of another source are sent, and those of a failed row are not', async () => {
	const declined = { error: 'declined', details: { code: 'insufficient_funds' } };
	const { people, properties } = await arrived('B', [declined]);
	expect(people).toHaveLength(1);
	expect(properties).toEqual([{ error: 'declined' }]);
});

describe('dates that people and CRMs write', () => {
	const since = [{ id: 'property:Since', displayName: 'Since', type: 'dateTime' as const }];

	test.each([
		[946684800, '2000-01-01T00:00:00.000Z'],
		['315532800000', '1980-01-01T00:00:00.000Z'],
	])('UNIX time before 2001 is read: %s', async (value, sent) => {
		const { properties, errors } = await arrived('A', [{ Since: value }], automatic(since));
		expect(errors).toEqual([undefined]);
		expect(properties).toEqual([{ Since: sent }]);
	});

	test('twelve digits that may be a date with its time fail', async () => {
		const { errors } = await arrived('A', [{ Since: '202611211030' }], automatic(since));
		expect(errors[0]).toContain('could be UNIX time');
	});

	test.each(['3/4/27', '4.3.27'])('a year of two digits is named: %s', async (value) => {
		const { errors } = await arrived('A', [{ Since: value }], automatic(since), {
			dateOrder: 'dayFirst',
		});
		expect(errors[0]).toContain('needs a year of four digits');
	});
});

describe('a list that is not what it seems fails', () => {
	const schema = [{ id: 'property:x', displayName: 'x', type: 'array' as const }];

	test.each(['["a","b"', '["a",', "{'a',"])('JSON that was cut off: %s', async (x) => {
		const { errors, people } = await arrived('A', [{ x }], automatic(schema));
		expect(errors[0]).toContain('looks like a list in another notation');
		expect(people).toEqual([]);
	});

	test.each([['[["a"]]'], ['[{"name":"a"}]'], ['["a",null]']])(
		'entries that are no values: %s',
		async (x) => {
			const { errors } = await arrived('A', [{ x }], automatic(schema));
			expect(errors[0]).toContain('must be a list of texts');
		},
	);
});

describe('Map Each Column', () => {
	test.each(BOTH)('a template that was entered as text fails the row of Survey %s', async (of) => {
		const value = { email: ANN, firstName: '{{ $json.first }}' };
		const { errors, people } = await arrived(of, [{ first: 'Ann' }], mapped(value));
		expect(errors[0]).toContain("Column 'First Name' is an expression that was entered as text");
		expect(people).toEqual([]);
	});

	test('braces in a value of the row are sent', async () => {
		const value = { email: ANN, firstName: '={{ $json.first }}' };
		const { people } = await arrived('A', [{ first: '{{ name }}' }], mapped(value));
		expect(people).toMatchObject([{ first_name: '{{ name }}' }]);
	});

	test('a column with a value is sent, though the schema says that nobody added it', async () => {
		const schema = [
			{ id: 'email' },
			{ id: 'property:Plan', displayName: 'Plan', type: 'string' as const, removed: true },
		];
		const value = { email: ANN, 'property:Plan': 'Team' };
		const { properties } = await arrived('A', [{}], mapped(value, schema));
		expect(properties).toEqual([{ Plan: 'Team' }]);
	});
});
