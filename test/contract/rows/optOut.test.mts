import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { automatic, EMAIL_FROM_ROW, mapped } from '../../support/columns';
import { ANN, CONSENTS, FLAGS, NO_ROWS } from '../../support/optOutRows';
import { useRunner as useRunnerA } from '../surveyA/runner';
import { useRunner as useRunnerB } from '../surveyB/runner';

// People who said no are not surveyed, and only the column Unsubscribed unsubscribes. test/unit/optOutTable.test.mts has the
// meaning of each name and value of the table.

const runnerA = useRunnerA();
const runnerB = useRunnerB();

const BY_HAND = EMAIL_FROM_ROW;
const WITH_NAME = mapped({ email: '={{ $json.email }}', firstName: '={{ $json.first_name }}' });
const BY_NAME = automatic();
const MODES: Array<[name: string, columns: INodeParameters]> = [
	['Map Automatically', BY_NAME],
	['Map Each Column', BY_HAND],
];

/** Returns a row for each cell. */
function rowsOf(cells: Array<[name: string, value: unknown]>): IDataObject[] {
	return cells.map(([name, value]) => ({ [name]: value }) as IDataObject);
}

interface Sent {
	/** What became of each row in both services: `sent`, the code of a skipped row, or the error. */
	ends: string[][];
	items: IDataObject[][];
	hints: string[];
}

/** Sends a survey of both services for rows, whose persons get an address each. */
async function send(
	rows: IDataObject[],
	columns: INodeParameters = BY_NAME,
	options: INodeParameters = {},
	campaigns = { campaign: runnerA.campaign('After purchase'), campaignId: '101' },
): Promise<Sent> {
	const { campaign, campaignId } = campaigns;
	for (const { service } of [runnerA, runnerB]) service.reset();
	const input = rows.map((row, i) => {
		const address = `person${i}@example.com`;
		const { email = address, ...others } = row;
		const text = JSON.stringify(others);
		// Objects of a date lib do not survive JSON.
		return { email, ...(text.includes(ANN) ? JSON.parse(text.replaceAll(ANN, address)) : others) };
	});
	const settings = { input, onError: 'continueRegularOutput' as const };
	const ofA = await runnerA.run('survey.send', { campaign, ...columns, options }, settings);
	const ofB = await runnerB.run('survey.send', { campaignId, ...columns, options }, settings);
	const surveyed = [
		...runnerA.customers().map(({ email }) => email),
		...runnerB.bodies().map(({ contact }) => Object(contact).email),
	];
	const endOf = ({ error, status, details }: IDataObject) =>
		status === 'skipped' ? String(Object(details).code) : String(error ?? 'sent');
	const ends = [ofA, ofB].map(({ items }) => items.map(endOf));
	expect(surveyed).toHaveLength(ends.flat().filter((end) => end === 'sent').length);
	return { ends, items: [ofA.items, ofB.items], hints: [...ofA.hints, ...ofB.hints] };
}

/** Names the rows that ended in another way than they should, in either service. */
function wrong(rows: IDataObject[], { ends }: Sent, wanted: string | RegExp): string[] {
	const isWanted = (end = '') => (typeof wanted === 'string' ? end === wanted : wanted.test(end));
	return ends.flatMap((ofService) =>
		rows.flatMap((row, i) =>
			isWanted(ofService[i]) ? [] : [`${JSON.stringify(row)}: ${ofService[i]}`],
		),
	);
}

const UNCLEAR = 'may say that the person does not want surveys';
const UNREADABLE = 'does not say whether the person unsubscribed';

describe.each(MODES)('%s', (_, columns) => {
	test('nobody is surveyed whose row says no under a name that a CRM, an email tool or a sheet has [opted-out]', async () => {
		const rows = NO_ROWS.map(([, row]) => row);
		// Mautic lists channels, which say neither yes nor no.
		const sent = await send(rows, columns, { extraColumns: 'ignore' });
		expect(
			wrong(rows, sent, new RegExp(`^(unsubscribed|notAgreed)$|doNotContact.*${UNREADABLE}`)),
		).toEqual([]);
	});

	test('blanks around a digit that says yes or no do not count', async () => {
		const rows = rowsOf([
			['Unsubscribed', ' 1 '],
			['Email Opt Out', '1 '],
		]);
		expect(wrong(rows, await send(rows, columns), 'unsubscribed')).toEqual([]);
		const others = rowsOf([['Unsubscribed', ' 0 ']]);
		expect(wrong(others, await send(others, columns), 'sent')).toEqual([]);
	});

	test('who opted out is skipped, and the item names the column', async () => {
		const rows = rowsOf(FLAGS.map(([, name, no]) => [name, no]));
		const sent = await send(rows, columns);
		expect(wrong(rows, sent, 'unsubscribed')).toEqual([]);
		for (const items of sent.items) {
			const silent = FLAGS.filter(([, name], i) => !String(items[i]?.reason).includes(`'${name}'`));
			expect(silent).toEqual([]);
		}
	});

	test('words in front of a name and behind it add nothing in a name without spaces, too', async () => {
		const rows = rowsOf([
			['isblocklisted', 'yes'],
			['customerblacklistemail', 'x'],
			['isnomarketing', true],
			['suppressedat', '2025-01-03'],
			['hasabgemeldetam', '2025-01-03'],
			['hs_isblacklistedtime', 1735689600],
		]);
		expect(wrong(rows, await send(rows, columns), 'unsubscribed')).toEqual([]);
		const others = rowsOf([
			['permissionset', 'no'],
			['nocontactsince', '2026-03-04'],
			['isomail', 'no'],
			['optionat', 'yes'],
		]);
		expect(wrong(others, await send(others, columns), 'sent')).toEqual([]);
	});

	test('a person who opted out in Additional Properties is skipped', async () => {
		const options = { additionalProperties: '{"Unsubscribed":true}' };
		const rows = [{ Plan: 'Team' }];
		expect(wrong(rows, await send(rows, columns, options), 'unsubscribed')).toEqual([]);
	});

	test('a refused consent skips its person with a code of its own, and a given one says nothing', async () => {
		const refused = rowsOf(CONSENTS.map(([, name, no]) => [name, no]));
		expect(wrong(refused, await send(refused, columns), 'notAgreed')).toEqual([]);
		const given = rowsOf([['Opt In', 'yes']]);
		expect(wrong(given, await send(given, columns), 'sent')).toEqual([]);
	});

	test('a value that says neither yes nor no fails its row, whatever other columns say', async () => {
		const names = ['Unsubscribed', 'Opted Out', 'hs_email_optout', 'Do not survey'];
		const rows = names.map((name) => ({ do_not_contact: false, [name]: 'maybe' }));
		const sent = await send(rows, columns);
		expect(wrong(rows, sent, new RegExp(UNREADABLE))).toEqual([]);
		expect(JSON.stringify(sent.items)).not.toContain('Ignored Columns');
	});

	test('one column that says so is enough, whatever the others say', async () => {
		const rows = [
			{ unsubscribed: false, Unsubscribed: true },
			{ Unsubscribed: false, Status: 'Unsubscribed' },
			{ HasOptedOutOfEmail: false, Tags: 'vip, do not contact' },
		];
		expect(wrong(rows, await send(rows, columns), 'unsubscribed')).toEqual([]);
	});

	test('a name in no list with the words of an opt-out fails its row with a yes; a readable column Unsubscribed settles it', async () => {
		const cells: Array<[string, unknown]> = [
			['custom optout 7b', 'yes'],
			['Wants to unsubscribe soon', true],
			['Client asked: do not survey again', 'x'],
		];
		const rows = rowsOf(cells);
		const sent = await send(rows, columns);
		expect(wrong(rows, sent, new RegExp(UNCLEAR))).toEqual([]);
		const settled = rows.map((row) => ({ ...row, Unsubscribed: 'no' }));
		expect(wrong(settled, await send(settled, columns), 'sent')).toEqual([]);
		const said = rows.map((row) => ({ ...row, Unsubscribed: 'yes' }));
		expect(wrong(said, await send(said, columns), 'unsubscribed')).toEqual([]);
	});
});

describe('in a chain of two Sends of different campaigns', () => {
	const again = { campaign: '64a000000000000000000004', campaignId: '102' };

	test.each(MODES)('who was skipped as opted out is skipped again (%s)', async (_, columns) => {
		const rows = [{ unsubscribed: 'yes' }, { 'Marketing Consent': 'No' }];
		const first = await send(rows, columns);
		for (const items of first.items) {
			const stored = [
				...items,
				...items.map((item) => ({ ...item, details: JSON.stringify(item.details) })),
			];
			const { ends } = await send(stored, columns, {}, again);
			const codes = ['unsubscribed', 'notAgreed', 'unsubscribed', 'notAgreed'];
			expect(ends).toEqual([codes, codes]);
		}
	});

	test('a third Send skips a person again whose row failed in the second one', async () => {
		const first = await send([{ unsubscribed: 'yes' }, { 'Opt in': 'no' }]);
		const broken = first.items.flat().map((item) => ({ ...item, email: 'ann at acme.example' }));
		const second = await send(broken, BY_NAME, {}, again);
		expect(wrong(broken, second, /is not an email address/)).toEqual([]);
		for (const items of second.items) {
			const mended = items.map((item, i) => ({ ...item, email: `person${i}@example.com` }));
			const { ends } = await send(mended, BY_NAME, {}, again);
			expect(new Set(ends.flat())).toEqual(new Set(['unsubscribed', 'notAgreed']));
		}
	});

	test('the second one skips a person whom the service called unsubscribed', async () => {
		runnerB.service.settings.errors = 'contract';
		const parameters = { campaignId: '101', ...BY_NAME };
		const { items } = await runnerB.rows('survey.send', parameters, [
			{ email: 'unsubscribed@example.com' },
		]);
		expect(items).toMatchObject([{ error: expect.any(String), details: { code: 'unsubscribed' } }]);
		const { ends } = await send(items, BY_NAME, {}, again);
		expect(ends).toEqual([['unsubscribed'], ['unsubscribed']]);
	});

	test('the result of a row that was skipped for another reason becomes no property', async () => {
		const row = { email: ANN, plan: 'Pro' };
		const first = await send([row, row]);
		for (const items of first.items) {
			const skipped = items.filter(({ status }) => status === 'skipped');
			expect(skipped).toMatchObject([{ details: { code: 'duplicate' } }]);
			expect((await send(skipped, BY_NAME, {}, again)).ends).toEqual([['sent'], ['sent']]);
			expect(runnerA.customers()).toEqual([{ email: ANN }]);
			expect(runnerB.bodies()).toEqual([{ campaign_id: 102, contact: { email: ANN } }]);
		}
	});

	test('a consent that said no in the first one is switched off by Ignored Columns in the second one', async () => {
		const first = await send([{ 'Opt in': 'no' }]);
		const options = { ignoredColumns: 'details.code' };
		for (const items of first.items) {
			expect((await send(items, BY_NAME, options, again)).ends).toEqual([['sent'], ['sent']]);
		}
	});

	test('a status and a reason of the person stay properties', async () => {
		await send([{ status: 'skipped', reason: 'Holiday' }]);
		const labels = ['status', 'reason'].map((label) => expect.objectContaining({ label }));
		expect(runnerA.customers()).toMatchObject([{ properties: labels }]);
	});
});

describe.each(MODES)('several rows of one person, %s', (_, columns) => {
	const PLAIN = { email: 'Ann@Acme.example' };

	test.each<[string, IDataObject[], string]>([
		['an opt-out and nothing', [{ email: ANN, unsubscribed: 'yes' }, PLAIN], 'unsubscribed'],
		['nothing and an opt-out', [PLAIN, { email: ANN, unsubscribed: 'yes' }], 'unsubscribed'],
		[
			'a no and an opt-out',
			[{ ...PLAIN, unsubscribed: 'no' }, PLAIN, { email: ANN, unsubscribed: 'yes' }],
			'unsubscribed',
		],
		['nothing and a refused consent', [PLAIN, { email: ANN, 'Opt in': 'no' }], 'notAgreed'],
		[
			'a status and a refused consent',
			[{ email: ANN, 'Opt in': 'no' }, PLAIN, { email: ANN, Status: 'Unsubscribed' }],
			'unsubscribed',
		],
	])('one that says no is enough: %s', async (__, rows, code) => {
		const { ends, items } = await send(rows, columns);
		for (const ofService of ends) expect(ofService).not.toContain('sent');
		const plain = items.map((ofService) => ofService[rows.indexOf(PLAIN)]);
		const what = code === 'unsubscribed' ? 'unsubscribed' : 'did not agree';
		const reason = `Another row of this person says that they ${what}`;
		expect(plain).toEqual(items.map(() => expect.objectContaining({ reason, details: { code } })));
	});

	test('one that says no is enough if it has several addresses', async () => {
		const email = `Ann <${ANN}>, home@acme.example; bob@acme.example`;
		const others = [PLAIN, { email: 'home@acme.example' }, { email: 'Bob@acme.example' }];
		const rows = [{ email, unsubscribed: true }, ...others, {}];
		const { ends } = await send(rows, columns);
		const skipped = others.map(() => 'unsubscribed');
		const wanted = [expect.stringContaining('must be one address'), ...skipped, 'sent'];
		expect(ends).toEqual([wanted, wanted]);
	});

	test('one that says no is enough for all campaigns', async () => {
		const [one, two] = ['After purchase', 'After support ticket'].map((name) =>
			runnerA.campaign(name),
		);
		const campaigns = {
			campaign: `={{ $json.first ? '${one}' : '${two}' }}`,
			campaignId: '={{ $json.first ? 101 : 102 }}',
		};
		const rows = [{ email: ANN, first: true }, {}, { email: ANN, do_not_contact: true }];
		const { ends } = await send(rows, columns, {}, campaigns);
		const wanted = ['unsubscribed', 'sent', 'unsubscribed'];
		expect(ends).toEqual([wanted, wanted]);
	});

	test('one whose opt-out cannot be read fails alone, and its error promises nothing about the others', async () => {
		const { ends } = await send([PLAIN, { email: ANN, unsubscribed: 'perhaps' }], columns);
		for (const [first, second] of ends) {
			expect(first).toBe('sent');
			expect(second).toMatch(/does not say .*: "perhaps".*\. Write true or false in it$/);
		}
	});

	test('one that says no is enough if it fails for another reason, and before Send at Most counts', async () => {
		const rows = [PLAIN, {}, {}, { email: ANN, unsubscribed: 'yes' }];
		const { ends } = await send(rows, columns, { sendAtMost: 1 });
		const wanted = ['unsubscribed', 'sent', 'overLimit', 'unsubscribed'];
		expect(ends).toEqual([wanted, wanted]);
		const broken = [PLAIN, { email: ANN, unsubscribed: 'yes', first_name: { a: 1 } }];
		const mixed = await send(broken, columns === BY_NAME ? BY_NAME : WITH_NAME);
		for (const [first, second] of mixed.ends) {
			expect(first).toBe('unsubscribed');
			expect(second).toContain('must be text');
		}
	});
});

test.each<[string, IDataObject, string]>([
	['a sender', { body: { email: `Ada <${ANN}>`, unsubscribed: true } }, '$json.body.email'],
	[
		'one of several records of addresses',
		{
			body: {
				data: {
					emails: [{ value: ANN, primary: true }, { value: 'home@x.org' }],
					marketing_status: 'unsubscribed',
				},
			},
		},
		'$json.body.data.emails[0].value',
	],
	[
		'one of several records of addresses with another name',
		{ body: { email_addresses: [{ type: 'x', email: ANN }, { email: 'o@x.org' }], opt_out: 1 } },
		'$json.body.email_addresses[0].email',
	],
	[
		'one of several texts',
		{ body: { emails: [ANN, 'o@x.org'], unsubscribed: true } },
		'$json.body.emails[0]',
	],
	[
		'one of several in a text',
		{ body: { email: `o@x.org, Ada <${ANN}>`, unsubscribed: true } },
		"$json.body.email.split(', ')[1]",
	],
	[
		'one of several in a text with semicolons',
		{ body: { email: `o@x.org; Ada <${ANN}>`, unsubscribed: true } },
		"$json.body.email.split('; ')[1]",
	],
	[
		'a record',
		{ body: { email: { address: ANN, verified: true }, unsubscribed: true } },
		'$json.body.email.address',
	],
	[
		'a sender in an entry of a list',
		{ mail: `Ada <${ANN}>`, contacts: [{ email: `Ada <${ANN}>`, unsubscribed: 'yes' }] },
		'$json.mail',
	],
])('an opt-out beside the address counts if the address is %s', async (_, row, path) => {
	const options = { emailColumn: `={{ ${path} }}`, extraColumns: 'ignore' };
	expect((await send([row], BY_NAME, options)).ends).toEqual([['unsubscribed'], ['unsubscribed']]);
});

test.each([
	['tags and texts of several', { Labels: 'VIP;DNC;Gold' }, 'unsubscribed'],
	['a shop', { email_marketing_consent: { state: 'not_subscribed' } }, 'notAgreed'],
	['a profile', { Status: 'Never subscribed' }, 'notAgreed'],
	['a sales status', { 'Lead status': 'No contact' }, 'notAgreed'],
	['an ineligible contact', { hs_email_is_ineligible: 'true' }, 'unsubscribed'],
	['a German consent', { Einwilligung: 'Nein' }, 'notAgreed'],
	['a consent in HubSpot', { properties: { email_consent: { value: 'No' } } }, 'notAgreed'],
])('%s: %j ends as %s', async (_, row, end) => {
	expect((await send([row])).ends.flat()).toEqual([end, end]);
});

test('an opt-out in an object about the person counts only directly inside an object that holds the address', async () => {
	const settings = { settings: { unsubscribed: true } };
	const near = [{ contact: { unsubscribed: true } }, { contact: { email: ANN, ...settings } }];
	expect(wrong(near, await send(near, BY_HAND), 'unsubscribed')).toEqual([]);
	const far = [{ contact: settings }];
	expect(wrong(far, await send(far, BY_HAND), 'sent')).toEqual([]);
});

test('Ignored Columns switch off a consent, also inside an object, and no opt-out, status or tag', async () => {
	const off: Array<[string, unknown]> = [
		...FLAGS.map(([, name, no]): [string, unknown] => [name, no]),
		['Status', 'Unsubscribed'],
		['Tags', 'do not contact'],
	];
	const ignoredColumns = off.map(([name]) => name).join();
	const rows = rowsOf(off);
	expect(wrong(rows, await send(rows, BY_NAME, { ignoredColumns }), 'unsubscribed')).toEqual([]);
	const consents = [{ 'Opt In': 'no' }, { customer: { consent: 'no' } }];
	const options = { ignoredColumns: 'Opt In, customer.consent' };
	expect(wrong(consents, await send(consents, BY_NAME, options), 'sent')).toEqual([]);
});

test('a tag or a status that says opted out counts behind one that says not agreed, so that Ignored Columns do not switch it off', async () => {
	const rows = [{ Tags: ['no consent', 'unsubscribed'] }, { Status: 'Redacted; Unsubscribed' }];
	const options = { ignoredColumns: 'Tags, Status' };
	expect(wrong(rows, await send(rows, BY_NAME, options), 'unsubscribed')).toEqual([]);
});

test('Unsubscribed = false that is mapped switches off a consent and what is unclear, and no opt-out, status or tag', async () => {
	const columns = mapped({ email: '={{ $json.email }}', unsubscribed: false });
	const open = [{ 'Opt In': 'no' }, { Status: 'not subscribed' }, { 'my optout 7b': 'yes' }];
	expect(wrong(open, await send(open, columns), 'sent')).toEqual([]);
	const stated = [{ hs_email_optout: true }, { Status: 'Unsubscribed' }, { Tags: ['no survey'] }];
	expect(wrong(stated, await send(stated, columns), 'unsubscribed')).toEqual([]);
});

test('a column Unsubscribed that nobody mapped switches off no consent', async () => {
	const rows = [{ Unsubscribed: 'no', 'Survey consent': 'no' }];
	expect((await send(rows, BY_NAME)).ends).toEqual([['notAgreed'], ['notAgreed']]);
	expect((await send(rows, BY_HAND)).ends).toEqual([['notAgreed'], ['notAgreed']]);
});

test('a column Unsubscribed that nobody added in the editor, which stores false for it, switches off no consent', async () => {
	const columns = mapped({ email: '={{ $json.email }}', unsubscribed: false }, [
		{ id: 'email', type: 'string' },
		{ id: 'unsubscribed', type: 'boolean', removed: true },
	]);
	const rows = [{ 'Opt In': 'no' }, { 'Opt In': 'yes' }];
	const { ends } = await send(rows, columns);
	expect(ends).toEqual([
		['notAgreed', 'sent'],
		['notAgreed', 'sent'],
	]);
});

test('the hint after a run counts refused consents by column, and says how these people are surveyed', async () => {
	const row = { accepts_marketing: false };
	const { hints, items } = await send([row, row, { 'Opt In': 'no' }, { Unsubscribed: true }]);
	expect(hints).toContain(
		'Rows that were skipped: 2 (notAgreed: accepts_marketing), 1 (notAgreed: Opt In), 1 (unsubscribed)',
	);
	expect(hints.join()).toContain("Options → 'Ignored Columns'");
	expect(items[0]?.[0]?.reason).toBe(
		"Column 'accepts_marketing' says that the person did not agree",
	);
});

test('the question of a form is mapped to Unsubscribed', async () => {
	const unsubscribed = "={{ $json['May we contact you?'] === 'No' }}";
	const columns = mapped({ email: '={{ $json.email }}', unsubscribed });
	const rows = [{ 'May we contact you?': 'No' }, { 'May we contact you?': 'Yes' }];
	const { ends } = await send(rows, columns);
	expect(ends).toEqual([
		['unsubscribed', 'sent'],
		['unsubscribed', 'sent'],
	]);
});

test('Send of both services offers Unsubscribed among its columns, and does not send it', async () => {
	const { methods: ofA } = await import('../../../nodes/SurveyA/methods');
	const { methods: ofB } = await import('../../../nodes/SurveyB/methods');
	for (const operation of ['send', 'sendLegacy', 'sendAudienceLegacy']) {
		const { fields } = await ofA.resourceMapping.getColumns.call(runnerA.columnsOf(operation));
		expect(fields).toContainEqual(expect.objectContaining({ id: 'unsubscribed', type: 'boolean' }));
	}
	const { fields } = await ofB.resourceMapping.getColumns.call(runnerB.columnsOf('send'));
	expect(fields).toContainEqual(expect.objectContaining({ id: 'unsubscribed', type: 'boolean' }));
	const columns = mapped({ email: '={{ $json.email }}', unsubscribed: '={{ $json.out }}' });
	const { ends } = await send([{ out: true }, { out: false }, { out: null }], columns);
	expect(ends).toEqual([
		['unsubscribed', 'sent', 'sent'],
		['unsubscribed', 'sent', 'sent'],
	]);
	expect(runnerA.customers()).toEqual([1, 2].map((i) => ({ email: `person${i}@example.com` })));
	expect(JSON.stringify(runnerB.bodies())).not.toContain('unsubscribed');
});

test('in Send an opt-out is no property, without a hint, and a status, a tag and a consent are', async () => {
	const row = { 'Opted out': 'no', Stage: 'Won', Consent: 'yes' };
	const { hints } = await send([row]);
	const properties = ['Stage', 'Consent'].map((label) => expect.objectContaining({ label }));
	expect(runnerA.customers()).toMatchObject([{ properties }]);
	expect(runnerB.bodies()).toMatchObject([
		{ contact: { attributes: { Stage: 'Won', Consent: 'yes' } } },
	]);
	expect(JSON.stringify(runnerB.bodies())).not.toContain('Opted');
	expect(hints.join()).not.toContain('Opted out');
});

describe('Create or Update', () => {
	const ordinary: IDataObject[] = [
		{ 'Auto renew': 'Opt out' },
		{ 'Health plan': 'Opted Out' },
		{ account: { owner: { unsubscribed: true } } },
		{ 'Follow Email Activity': 'Do Not Allow' },
		{ HasOptedOutOfEmail: true },
		{ HasOptedOutOfEmail: 'perhaps' },
		{ Status: 'Unsubscribed' },
		{ Consent: 'no' },
	];
	const input = ordinary.map((row, i) => ({ email: `person${i}@example.com`, ...row }));

	test('of Survey B unsubscribes nobody by another column than Unsubscribed', async () => {
		const { items } = await runnerB.rows('contact.upsert', automatic(), input);
		expect(items.filter(({ error }) => error)).toEqual([]);
		const bodies = runnerB.bodies();
		expect(bodies).toHaveLength(input.length);
		expect(bodies.filter((body) => 'unsubscribed' in body)).toEqual([]);
		expect(bodies[4]).toMatchObject({ attributes: { HasOptedOutOfEmail: 'true' } });
		const columns = mapped({ email: '={{ $json.email }}', unsubscribed: false });
		runnerB.service.reset();
		await runnerB.rows('contact.upsert', columns, input);
		expect(runnerB.bodies().filter((body) => 'unsubscribed' in body)).toEqual([]);
	});

	test('of Survey A sends every other column as a property', async () => {
		const { items } = await runnerA.rows('customer.upsert', automatic(), input);
		expect(items.filter(({ error }) => error)).toEqual([]);
		const labels = runnerA.customers().flatMap(({ properties }) => [properties ?? []].flat());
		expect(labels.map((one) => Object(one).label)).toEqual([
			...['Auto renew', 'Health plan', 'Follow Email Activity', 'HasOptedOutOfEmail'],
			...['HasOptedOutOfEmail', 'Status', 'Consent'],
		]);
	});

	test.each([['yes'], [true], ['x'], ['ja']])(
		'of Survey B unsubscribes a contact whose column Unsubscribed says %j, and of Survey A fails it',
		async (Unsubscribed) => {
			const rows = [{ email: ANN, Unsubscribed }];
			await runnerB.rows('contact.upsert', automatic(), rows);
			expect(runnerB.bodies()).toEqual([{ email: ANN, unsubscribed: true }]);
			const { items } = await runnerA.rows('customer.upsert', automatic(), rows);
			expect(items[0]?.error).toContain("Column 'Unsubscribed' says that the person unsubscribed");
			expect(items[0]?.error).toContain('Customer → Unsubscribe');
			expect(runnerA.service.requests).toEqual([]);
		},
	);

	test('fails a row whose column Unsubscribed is no statement, or that has two that differ', async () => {
		const unclear = ['perhaps', '2026-03-04', '0711555123', 'Unsubscribed'];
		const rows = [
			...unclear.map((Unsubscribed, i) => ({ email: `person${i}@example.com`, Unsubscribed })),
			{ email: ANN, unsubscribed: false, Unsubscribed: true },
		];
		for (const runner of [runnerA, runnerB]) {
			const name = runner === runnerA ? 'customer.upsert' : 'contact.upsert';
			const { items } = await runner.rows(name, automatic(), rows);
			const errors = items.map(({ error }) => error);
			for (const error of errors.slice(0, -1)) expect(error).toContain(UNREADABLE);
			expect(errors.at(-1)).toContain('are for the same field, and differ');
			expect(runner.service.requests.filter(({ method }) => method === 'POST')).toEqual([]);
		}
	});

	test('a cell that is blank by the table subscribes nobody again', async () => {
		const options = { resubscribe: true };
		const rows = ['n/a', '–', 'none'].map((Unsubscribed, i) => {
			return { email: `person${i}@example.com`, Unsubscribed };
		});
		await runnerB.rows('contact.upsert', { ...automatic(), options }, rows);
		expect(runnerB.bodies()).toEqual(rows.map(({ email }) => ({ email })));
	});
});
