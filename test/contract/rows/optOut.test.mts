import fc from 'fast-check';
import { DateTime } from 'luxon';
import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { automatic, EMAIL_FROM_ROW, mapped } from '../../support/columns';
import {
	MAIL_COLUMNS,
	OPT_OUT_COLUMNS,
	OTHER_COLUMNS,
	PERMISSION_COLUMNS,
	SIMILAR_COLUMNS,
	UNCLEAR_COLUMNS,
} from '../../support/optOutColumns';
import { runs } from '../../support/random.mts';
import { useRunner as useRunnerA } from '../surveyA/runner';
import { useRunner as useRunnerB } from '../surveyB/runner';

// Who said no is not surveyed, under any usual name of the column that says so.

const runnerA = useRunnerA();
const runnerB = useRunnerB();

type Cells = Array<[name: string, value: unknown]>;

/** Rows that have one of these cells each. */
function rowsOf(cells: Cells): IDataObject[] {
	return cells.map(
		([name, value], i) => ({ email: `person${i}@example.com`, [name]: value }) as IDataObject,
	);
}

const BY_HAND = EMAIL_FROM_ROW;
const BY_NAME = automatic();
const MODES: Array<[name: string, columns: INodeParameters]> = [
	['Map Automatically', BY_NAME],
	['Map Each Column', BY_HAND],
];

/** The people who got a survey of either service, by the rows' own order. */
async function send(input: IDataObject[], columns: INodeParameters, options: INodeParameters = {}) {
	const a = { campaign: runnerA.campaign('After purchase'), ...columns, options };
	const b = { campaignId: '101', ...columns, options };
	const ofA = await runnerA.rows('survey.send', a, input);
	const ofB = await runnerB.rows('survey.send', b, input);
	const surveyed = new Set([
		...runnerA.customers().map(({ email }) => email),
		...runnerB.bodies().map(({ contact }) => Object(contact).email),
	]);
	const a_ = ofA.items;
	const b_ = ofB.items;
	return { surveyed, items: [a_, b_] };
}

/** Names the cells of rows that came out in another way than they should. */
function named(cells: Cells, items: IDataObject[][], isWrong: (item: IDataObject) => boolean) {
	return items.flatMap((all, service) =>
		all.flatMap((item, i) =>
			isWrong(item) ? [`${'AB'[service]} ${JSON.stringify(cells[i])}`] : [],
		),
	);
}

describe.each(MODES)('%s', (_, columns) => {
	test('Send surveys nobody whose row says that they opted out, under the names of CRMs, email tools and sheets [opted-out]', async () => {
		const cells: Cells = OPT_OUT_COLUMNS.map(([, name, yes]) => [name, yes]);
		const { surveyed, items } = await send(rowsOf(cells), columns);
		expect([...surveyed]).toEqual([]);
		expect(named(cells, items, ({ status }) => status !== 'skipped')).toEqual([]);
		items.flat().forEach((item, i) => {
			expect(item.reason).toContain(`'${cells[i % cells.length]?.[0]}'`);
			expect(item).toMatchObject({ details: { code: 'unsubscribed' } });
		});
	});

	test('Send surveys people whose row says that they did not opt out', async () => {
		const cells: Cells = OPT_OUT_COLUMNS.map(([, name, , no]) => [name, no]);
		const { surveyed, items } = await send(rowsOf(cells), columns);
		expect(named(cells, items, ({ status, error }) => status === 'skipped' || !!error)).toEqual([]);
		expect(surveyed.size).toBe(cells.length);
	});

	test('a blank cell says nothing about an opt-out', async () => {
		const blank = ['', null, ' ', []];
		const cells: Cells = OPT_OUT_COLUMNS.map(([, name], i) => [name, blank[i % blank.length]]);
		const { surveyed } = await send(rowsOf(cells), columns);
		expect(surveyed.size).toBe(cells.length);
	});

	test('a value that says neither yes nor no fails its row', async () => {
		const cells: Cells = OPT_OUT_COLUMNS.filter(([, , yes]) => typeof yes === 'boolean').map(
			([, name]) => [name, 'maybe'],
		);
		const { surveyed, items } = await send(rowsOf(cells), columns);
		expect([...surveyed]).toEqual([]);
		expect(named(cells, items, ({ error }) => !error)).toEqual([]);
		expect(JSON.stringify(items)).not.toContain('Ignored Columns');
	});

	test('a value that says neither yes nor no fails its row, although another column says no', async () => {
		const cells: Cells = [
			['Unsubscribed', 'maybe'],
			['Opted Out', 'perhaps'],
		];
		const input = rowsOf(cells).map((row) => ({ ...row, do_not_contact: false }));
		const { surveyed, items } = await send(input, columns);
		expect([...surveyed]).toEqual([]);
		expect(named(cells, items, ({ error }) => !error)).toEqual([]);
	});

	test.each([
		['yes', 2],
		['no', 3],
	])(
		'a column that may say so, or that says the opposite, fails its row (%s)',
		async (_value, at) => {
			const cells: Cells = UNCLEAR_COLUMNS.map((column) => [String(column[1]), column[at]]);
			const { surveyed, items } = await send(rowsOf(cells), columns);
			expect([...surveyed]).toEqual([]);
			expect(named(cells, items, ({ error }) => !String(error).includes('Unsubscribed'))).toEqual(
				[],
			);
		},
	);

	test.each([
		['similar to an opt-out', [...SIMILAR_COLUMNS, ...MAIL_COLUMNS]],
		['about a permission', PERMISSION_COLUMNS],
	])('a column %s fails its row only if it refuses', async (_about, all) => {
		const cells: Cells = all.map(([, name, refused]) => [name, refused]);
		const { surveyed, items } = await send(rowsOf(cells), columns);
		expect(named(cells, items, ({ error }) => !error)).toEqual([]);
		expect([...surveyed]).toEqual([]);
		const others: Cells = all.map(([, name, , allowed]) => [name, allowed]);
		expect((await send(rowsOf(others), columns)).surveyed.size).toBe(others.length);
	});

	test('a column that says that somebody did not opt out does not outvote another one that refuses', async () => {
		const refusing = [
			...SIMILAR_COLUMNS,
			...PERMISSION_COLUMNS,
			...UNCLEAR_COLUMNS.filter(([, , no]) => no === false || no === 'no'),
		];
		const cells: Cells = refusing.map(([, name, refused]) => [name, refused]);
		const input = rowsOf(cells).map((row) => ({ HasOptedOutOfEmail: false, ...row }));
		const { surveyed, items } = await send(input, columns);
		expect([...surveyed]).toEqual([]);
		expect(named(cells, items, ({ error }) => !error)).toEqual([]);
	});

	test('a column that says that somebody did not opt out settles another one that is only unclear', async () => {
		const cells: Cells = [
			['accepts_marketing', true],
			['email_marketing_state', 'not_subscribed'],
			...MAIL_COLUMNS.map(([, name, yes]): [string, unknown] => [name, yes]),
			['Opt-out region', 'EU'],
		];
		const flagged = rowsOf(cells).map((row) => ({ ...row, HasOptedOutOfEmail: false }));
		expect((await send(flagged, columns)).surveyed.size).toBe(cells.length);
		const consent = { email_marketing_consent: { state: 'subscribed' } };
		const subscribed = rowsOf(cells).map((row, i) => ({
			...row,
			...consent,
			email: `${i}@b.example`,
		}));
		expect((await send(subscribed, columns)).surveyed.size).toBe(2 * cells.length);
	});

	test('an opt-out in one of several entries of a list fails the row, since they may be of one person', async () => {
		const lists: IDataObject[] = [
			{
				emailAddressData: [
					{ emailAddress: 'ann@acme.example', optOut: true, primary: true },
					{ emailAddress: 'a@acme.example', optOut: false },
				],
			},
			{
				identifiers: [
					{ type: 'email', channels: { email: { status: 'unsubscribed' } } },
					{ type: 'phone', channels: { sms: { status: 'nonSubscribed' } } },
				],
			},
			{ lists: [1, 2].map((list) => ({ list, status: 'Unsubscribed' })) },
			{ contacts: [{ name: 'Ann' }, { name: 'Bob', DoNotUseEmail: true }] },
		];
		const input = lists.map((row, i) => ({ ...row, email: `person${i}@example.com` }));
		const { surveyed, items } = await send(input, columns);
		expect([...surveyed]).toEqual([]);
		for (const { error } of items.flat()) expect(error).toContain('may say that the person');
		const phones = [1, 2].map((number) => ({ number, status: 'unsubscribed' }));
		const other = [{ email: 'bob@acme.example', phone_numbers: phones }];
		expect([...(await send(other, columns)).surveyed]).toEqual(['bob@acme.example']);
	});

	test('columns with similar names that say nothing of an opt-out are sent', async () => {
		const { items } = await send(rowsOf(OTHER_COLUMNS), columns, {});
		expect(
			named(OTHER_COLUMNS, items, ({ status, error }) => status === 'skipped' || !!error),
		).toEqual([]);
	});

	test('a suppression that is active is no permission', async () => {
		const { surveyed, items } = await send(
			[{ email: 'a@b.example', 'Survey Suppression': 'Active' }],
			columns,
		);
		expect([...surveyed]).toEqual([]);
		for (const { error } of items.flat()) expect(error).toContain('Survey Suppression');
	});

	test('an opt-out inside a column counts, in the shapes in which CRMs return it', async () => {
		const inside: IDataObject[] = [
			{ properties: { hs_email_optout: 'true' } },
			{ properties: { hs_email_optout: { value: 'true', source: 'x' } } },
			{ Contact: { Email: 'x', HasOptedOutOfEmail: true } },
			{ detailedStatus: { isOptedOut: true } },
			{ attributes: { subscriptions: { email: { marketing: { consent: 'UNSUBSCRIBED' } } } } },
			{ custom_fields: [{ name: 'Opted out', value: 'yes' }] },
			{
				properties: [{ label: 'Unsubscribed', name: 'unsubscribed', type: 'boolean', value: true }],
			},
			{ tags: ['vip', 'unsubscribed'] },
			{ email_marketing_consent: { state: 'unsubscribed' } },
			{ unsubscribed_at: DateTime.utc(2026, 3, 4) as unknown as IDataObject },
		];
		const input = inside.map((row, i) => ({ email: `person${i}@example.com`, ...row }));
		const { surveyed, items } = await send(input, columns);
		expect([...surveyed]).toEqual([]);
		expect(items.flat().map(({ status }) => status)).toEqual(items.flat().map(() => 'skipped'));
	});

	test('a consent inside a column fails its row unless it says that the person is subscribed', async () => {
		const consents = ['not_subscribed', 'pending', 'subscribed'].map((state) => ({
			email: `${state}@example.com`,
			customer: { email_marketing_consent: { state, opt_in_level: 'single_opt_in' } },
			sms_marketing_consent: { state: 'not_subscribed' },
		}));
		const { surveyed, items } = await send(consents, columns);
		expect([...surveyed]).toEqual(['subscribed@example.com']);
		expect(items[0]?.[0]?.error).toContain(
			"Column 'customer.email_marketing_consent' may say that the person does not want surveys",
		);
	});
});

test('a name that has the letters of another channel inside a word is about surveys, too', async () => {
	const cells: Cells = ['Salesforce status', 'Postal Club state', 'Texas list'].map((name) => [
		name,
		'not_subscribed',
	]);
	const { surveyed } = await send(rowsOf(cells), BY_NAME);
	expect([...surveyed]).toEqual([]);
});

test('Ignored Columns do not switch the guard off', async () => {
	const cells: Cells = OPT_OUT_COLUMNS.map(([, name, yes]) => [name, yes]);
	const ignoredColumns = cells.map(([name]) => name).join();
	const { surveyed } = await send(rowsOf(cells), BY_NAME, { ignoredColumns });
	expect([...surveyed]).toEqual([]);
});

test('a consent inside a column is ignored by the name that the error says', async () => {
	const row = { email: 'ann@acme.example', customer: { consent: { state: 'pending' } } };
	const { surveyed } = await send([row], BY_NAME, { ignoredColumns: 'customer.consent' });
	expect([...surveyed]).toEqual(['ann@acme.example']);
});

test('a column that is unclear is ignored by its name, or once the row has a column Unsubscribed', async () => {
	const cells: Cells = UNCLEAR_COLUMNS.map(([, name, , no]) => [name, no]);
	const ignoredColumns = cells.map(([name]) => name).join();
	const ignored = await send(rowsOf(cells), BY_NAME, { ignoredColumns });
	expect(ignored.surveyed.size).toBe(cells.length);
	const stated = rowsOf(cells).map((row, i) => ({
		...row,
		email: `b${i}@example.com`,
		Unsubscribed: 'no',
	}));
	expect((await send(stated, BY_NAME, {})).surveyed.size).toBe(2 * cells.length);
});

test('a column that refuses is settled by Unsubscribed if that is mapped by hand', async () => {
	const row = { email: 'ann@acme.example', 'Survey consent': 'no', Unsubscribed: 'no' };
	expect([...(await send([row], BY_NAME)).surveyed]).toEqual([]);
	expect([...(await send([row], BY_HAND)).surveyed]).toEqual([]);
	const value = { email: '={{ $json.email }}', unsubscribed: false };
	expect([...(await send([row], mapped(value))).surveyed]).toEqual(['ann@acme.example']);
});

test.each([
	['Tags', 'VIP;DNC;Gold'],
	['Tags', 'Stammkunde, keine Mails'],
	['Customer status', 'no contact'],
	['How can we contact you?', 'None of the above - do not contact me'],
	['GDPR status', 'Consent revoked'],
	['Statut', 'Ne pas contacter'],
])('a text that may say no to surveys fails its row: %s = %s', async (name, value) => {
	const { surveyed, items } = await send(rowsOf([[name, value]]), BY_NAME);
	expect([...surveyed]).toEqual([]);
	for (const { error } of items.flat()) expect(error).toContain(`Column '${name}'`);
});

test('an opt-out is no property: it is not sent, and no hint says that it was not', async () => {
	const { hints } = await runnerA.run(
		'survey.send',
		{ campaign: runnerA.campaign('After purchase'), ...automatic() },
		{ input: [{ email: 'ann@acme.example', 'Opted out': 'no' }] },
	);
	expect(runnerA.customers()).toEqual([{ email: 'ann@acme.example' }]);
	expect(hints.join()).not.toContain('Opted out');
});

describe('Create or Update', () => {
	const input = [
		{ email: 'ann@acme.example', HasOptedOutOfEmail: true },
		{ email: 'bob@acme.example', HasOptedOutOfEmail: false },
		{ email: 'cleo@acme.example', HasOptedOutOfEmail: 'perhaps' },
	];

	test('of Survey A fails a row that opted out, and names the operation for it', async () => {
		const { items } = await runnerA.rows('customer.upsert', automatic(), input);
		expect(items[0]?.error).toContain("'HasOptedOutOfEmail'");
		expect(items[0]?.error).toContain('Customer → Unsubscribe');
		expect(items[2]?.error).toContain('HasOptedOutOfEmail');
		expect(runnerA.customers()).toEqual([{ email: 'bob@acme.example' }]);
	});

	test('of Survey B unsubscribes a contact whose row says so', async () => {
		const { items } = await runnerB.rows('contact.upsert', automatic(), input);
		expect(items[2]?.error).toContain('HasOptedOutOfEmail');
		expect(runnerB.bodies()).toEqual([
			{ email: 'ann@acme.example', unsubscribed: true },
			{ email: 'bob@acme.example' },
		]);
	});
});

test('nobody with a readable opt-out anywhere in the first two levels of a row is surveyed', async () => {
	const column = fc.constantFrom(
		...OPT_OUT_COLUMNS.map(([, name, yes]): [string, unknown] => [name, yes]),
	);
	const filler = fc.dictionary(
		fc.constantFrom('Id', 'Name', 'Owner', 'Amount', 'Stage', 'Phone', 'City', 'Industry'),
		fc.oneof(fc.constantFrom('Acme', 'Bonn', 12, true, null), fc.constant({ Id: 7, Name: 'x' })),
	);
	const row = fc
		.tuple(filler, filler, column, fc.constantFrom('', 'Contact', 'properties', 'fields', 'body'))
		.map(([outer, inner, [name, yes], place]) =>
			place === '' ? { ...outer, [name]: yes } : { ...outer, [place]: { ...inner, [name]: yes } },
		);
	await fc.assert(
		fc.asyncProperty(
			fc.array(row, { minLength: 1, maxLength: 20 }),
			fc.boolean(),
			async (rows, byHand) => {
				const input = rows.map((one, i) => ({ ...one, email: `p${i}@example.com` }) as IDataObject);
				const { surveyed } = await send(input, byHand ? BY_HAND : BY_NAME);
				expect([...surveyed]).toEqual([]);
			},
		),
		runs(200),
	);
});

test('one column that says so is enough, whatever the others say', async () => {
	const contact = { id: 1, email: 'ann@acme.example', first_name: 'Ann', attributes: {} };
	const row = { ...contact, unsubscribed: false, Unsubscribed: true };
	const { surveyed } = await send([row], BY_NAME);
	expect([...surveyed]).toEqual([]);
	runnerB.service.requests.length = 0;
	await runnerB.rows('contact.upsert', automatic(), [row]);
	expect(runnerB.bodies()).toMatchObject([{ unsubscribed: true }]);
});

test('a name of any length is read in little time', async () => {
	const input = ['email', 'status', 'is', 'unsubscribed', 'allof'].map((part, i) => ({
		email: `person${i}@example.com`,
		[`${part.repeat(3000)}!`]: 'x',
	}));
	const from = performance.now();
	await runnerA.rows(
		'survey.send',
		{ campaign: runnerA.campaign('After purchase'), ...BY_HAND },
		input,
	);
	expect(performance.now() - from).toBeLessThan(2000);
});
