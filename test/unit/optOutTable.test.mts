import fc from 'fast-check';
import { DateTime } from 'luxon';
import type { IDataObject } from 'n8n-workflow';

import { isOptOutName, objectionOf } from '../../nodes/surveys/optOut';
import {
	MAY_SAY_NO,
	NAMES,
	PATHS,
	PERSONS,
	TEXTS,
	TOPICS,
	VALUES,
	WORDS,
} from '../../nodes/surveys/optOutTable';
import { expectFile } from '../support/files.mts';
import { ANN, CONSENTS, FLAGS, FURTHER, ORDINARY } from '../support/optOutRows';
import { runs } from '../support/random.mts';

const entriesOf = (list: string) => list.split(',').map((entry) => entry.trim());

/** Returns the entries of a list, with a topic in place of `*`. */
const namesOf = (list: string) => entriesOf(list).map((entry) => entry.replace('*', 'survey'));

const section = (title: string, list: string) =>
	`**${title}**: ${entriesOf(list)
		.map((entry) => (/[`*#–—-]/.test(entry) ? `\`${entry}\`` : entry))
		.join(', ')}`;

const PAGE = `# Names of opt-outs

For people who ask why a row was skipped or failed: the names and texts by which Send reads that a person said no. [How they are read](values.md#who-said-no). \`npm run update\` writes this page from \`nodes/surveys/optOutTable.ts\`. Is a name missing? Map that column to Unsubscribed, and tell us.

Names and texts are compared without uppercase, accents, spaces, marks and digits. \`*\` stands for one of the topics.

${section('Topics', TOPICS)}

## Names of columns

${section('Yes means opted out', NAMES.optedOut)}

${section('Any value means opted out, as does a date or a reason behind one of the names above', NAMES.any)}

${section('Yes means opted out, but a date behind the name means something else, as in No Contact Since', NAMES.no)}

${section('No means not agreed; yes and blank say nothing', NAMES.consent)}

${section('A status, or tags: only the texts below count', NAMES.status)}

${section('Fails its row with a yes, if the name is in no list', MAY_SAY_NO)}

${section('Another matter, of which only the whole name counts', WORDS.ofOther)}

${section('Words in front that add nothing', WORDS.inFront)}

${section('Words behind that say when or why', WORDS.behind)}

## Objects

${section('About the person, directly inside the row or an object with its address', PERSONS)}

${section('Columns whose records are addresses of one person', WORDS.ofAddresses)}

**Paths, from the row or an object with its address**: ${Object.keys(PATHS)
	.map((path) => `\`${path}\``)
	.join(', ')}

## Texts and values

${section('A status or a tag that means opted out', TEXTS.optedOut)}

${section('A status or a tag that means not agreed', TEXTS.notAgreed)}

${section('Yes, as whatever has the shape of a date', VALUES.yes)}

${section('No', VALUES.no)}

${section('Blank', VALUES.blank)}

${section('Yes in an opt-out, no in a consent', VALUES.forbids)}

${section('No in an opt-out, yes in a consent', VALUES.allows)}

${section('No in a consent', VALUES.refuses)}
`;

test('docs/opt-outs.md lists the table of opt-outs', () => {
	expectFile('docs/opt-outs.md', PAGE);
});

test('no list of the table has an entry twice', () => {
	const lists = [...[NAMES, TEXTS, VALUES, WORDS].flatMap((one) => Object.values(one))];
	for (const list of [...lists, TOPICS, PERSONS, MAY_SAY_NO]) {
		const keys = entriesOf(list).map((entry) => entry.replace(/ /g, '') || entry);
		expect(keys.filter((key, i) => key === '' || keys.indexOf(key) !== i)).toEqual([]);
	}
});

/** Returns what Send makes of a row: the code of a skipped one, `failed`, or `sent`. */
function endOfRow(row: IDataObject): string {
	const failures: string[] = [];
	const mapping = { isAutomatic: true, isIgnored: () => false };
	const context = { objections: new Map() };
	const item = { inputs: [row], context, mapping, fail: (column: string) => failures.push(column) };
	const objection = objectionOf(item as never, ANN);
	return objection?.code ?? (failures.length > 0 ? 'failed' : 'sent');
}

const endOf = (name: string, value: unknown) => endOfRow({ [name]: value } as IDataObject);

/** Returns the rows that end in another way. */
const otherEnds = (rows: IDataObject[], end: string) => rows.filter((row) => endOfRow(row) !== end);

const title = (text: string) => text.replace(/(?:^| )\S/g, (letter) => letter.toUpperCase());
const SPELLINGS: Array<[name: string, of: (entry: string) => string]> = [
	['as it is', (entry) => entry],
	['in uppercase', (entry) => entry.toUpperCase()],
	['as a label', (entry) => `${title(entry)}?`],
	['in snake case', (entry) => entry.replace(/ /g, '_')],
	['in camel case', (entry) => title(entry).replace(/ /g, '')],
	['as a field of Salesforce', (entry) => `crm__${title(entry).replace(/ /g, '_')}__c`],
	['with a word in front', (entry) => `Customer ${entry}`],
	['behind the name of a record', (entry) => `Person - ${title(entry)}`],
];

test.each(SPELLINGS)('every name of the table is found %s', (_, spelled) => {
	const wrong = (list: string, value: unknown, end: string) =>
		namesOf(list).filter((name) => endOf(spelled(name), value) !== end);
	expect(wrong(NAMES.optedOut, 'yes', 'unsubscribed')).toEqual([]);
	expect(wrong(NAMES.no, 'yes', 'unsubscribed')).toEqual([]);
	expect(wrong(NAMES.any, 'Too many', 'unsubscribed')).toEqual([]);
	expect(wrong(NAMES.consent, 'no', 'notAgreed')).toEqual([]);
	expect(wrong(NAMES.status, 'Unsubscribed', 'unsubscribed')).toEqual([]);
});

test('every name of the table says the opposite with the opposite value', () => {
	for (const list of [NAMES.optedOut, NAMES.no, NAMES.any]) {
		for (const name of namesOf(list)) expect([name, endOf(name, 'no')]).toEqual([name, 'sent']);
	}
	for (const name of namesOf(NAMES.consent)) {
		for (const value of ['yes', '', 'granted on paper']) {
			expect([name, endOf(name, value)]).toEqual([name, 'sent']);
		}
	}
});

test('every value of the table is read', () => {
	const ends = (name: string, list: string) => [
		...new Set(entriesOf(list).map((value) => endOf(name, value))),
	];
	expect(
		ends('Opted out', `${VALUES.yes}, ${VALUES.forbids}, 2026-03-04, 4.3.2026, 1772582400`),
	).toEqual(['unsubscribed']);
	expect(ends('Opted out', `${VALUES.no}, ${VALUES.allows}, ${VALUES.blank}`)).toEqual(['sent']);
	expect(ends('Opted out', VALUES.refuses)).toEqual(['failed']);
	expect(ends('Consent', `${VALUES.no}, ${VALUES.refuses}, ${VALUES.forbids}`)).toEqual([
		'notAgreed',
	]);
	expect(ends('Consent', `${VALUES.yes}, ${VALUES.allows}, ${VALUES.blank}`)).toEqual(['sent']);
	expect(ends('Status', namesOf(TEXTS.optedOut).join())).toEqual(['unsubscribed']);
	expect(ends('Status', namesOf(TEXTS.notAgreed).join())).toEqual(['notAgreed']);
	expect(ends('Notes', `${namesOf(TEXTS.optedOut).join()}, ${VALUES.yes}`)).toEqual(['sent']);
});

test.each([
	['a reason or a date behind an opt-out', 'Opted out since', 'spring', 'unsubscribed'],
	['a date behind a plain no', 'No contact since', '2026-03-04', 'sent'],
	['a number of contacts', 'No. of contacts', 1, 'sent'],
	['a number of contacts', 'No contact #', 'yes', 'sent'],
	['a yes with a number', 'Opted out', '2 x', 'failed'],
	['a refusal with a remark', 'Marketing Consent', 'No (2024)', 'notAgreed'],
	['a refusal with a remark', 'Marketing Consent', 'No, thanks (phone)', 'notAgreed'],
	['a refusal with a remark', 'Marketing Consent', 'Rejected; 2024', 'notAgreed'],
	['a refusal of another language', 'Marketing Consent', 'Nej', 'notAgreed'],
	['a status of a consent', 'Opt-in status', 'Not opted in', 'notAgreed'],
	['a sales status', 'Lead status', 'Rejected', 'sent'],
	['a legal basis', 'Marketing Consent', 'Legitimate interest – prospect/lead', 'sent'],
	['a legal basis', 'Marketing Consent', 'Freely given consent from contact', 'sent'],
	['a source of a consent', 'Marketing Consent', 'Web form (no double opt-in)', 'sent'],
	['an opt-out with a remark', 'Opted out', 'No (2024)', 'failed'],
	['a type behind a colon', 'Opted out of email: Text updates', 'yes', 'unsubscribed'],
	['a text of another language', 'Désabonné', 'oui', 'unsubscribed'],
	['an opt-out of calls', 'Opted out (phone)', 'yes', 'sent'],
	['a column of a formatted value', 'donotemail@OData.Formatted', 'Do Not Allow', 'unsubscribed'],
])('%s: %s = %j is %s', (_, name, value, end) => {
	expect(endOf(name, value)).toBe(end);
});

test('only names of which a value says whether somebody opted out are no properties', () => {
	const names = [...namesOf(NAMES.optedOut), ...namesOf(NAMES.no), ...namesOf(NAMES.any)];
	expect(names.filter((name) => !isOptOutName(name))).toEqual([]);
	const others = [...namesOf(NAMES.consent), ...namesOf(NAMES.status), 'my optout 7b', 'Plan'];
	expect(others.filter(isOptOutName)).toEqual([]);
});

test('ordinary columns, and those of people who did not say no, refuse nobody', () => {
	const said = [...FLAGS, ...CONSENTS].map(([, name, , yes]) => [name, yes] as const);
	const refused = [...ORDINARY, ...said].filter(([name, value]) => endOf(name, value) !== 'sent');
	expect(refused).toEqual([]);
});

test('of 40 systems that the table was not made for, at most one in five surveys somebody who said no, and none refuses others', () => {
	expect(FURTHER).toHaveLength(40);
	const no = FURTHER.map(([, row]) => endOfRow(row));
	expect(no.filter((end) => end === 'sent').length).toBeLessThanOrEqual(8);
	const others = FURTHER.map(([, , row]) => row);
	expect(otherEnds(others, 'sent')).toEqual([]);
});

test.each(['', null, ' ', '–', 'n.a.', '#N/A', '0000-00-00 00:00:00', '0001-01-01T00:00:00Z'])(
	'a cell with %j says nothing of an opt-out',
	(blank) => {
		expect(FLAGS.filter(([, name]) => endOf(name, blank) !== 'sent')).toEqual([]);
	},
);

test('an opt-out counts in every object that is about the person', () => {
	const rows: IDataObject[] = [
		{ properties: { hs_email_optout: 'true' } },
		{ properties: { hs_email_optout: { value: 'true', source: 'x' } } },
		{ Contact: { Email: 'x', HasOptedOutOfEmail: true } },
		{ attributes: { subscriptions: { email: { marketing: { consent: 'UNSUBSCRIBED' } } } } },
		{ detailedStatus: { isOptedOut: true } },
		{ properties: [{ label: 'Unsubscribed', type: 'boolean', value: true }] },
		{ custom_fields: [{ name: 'Opted out', value: 'yes' }] },
		{ tags: ['vip', 'unsubscribed'] },
		{ 'Email status': 'bounced|unsubscribed' },
		{ Labels: [{ id: 7, name: 'Unsubscribed' }] },
		{ email_marketing_consent: { state: 'unsubscribed' } },
		{ 'user.is_unsubscribed': true },
		{ a: { email: `Ada <${ANN}>`, unsubscribed: true } },
		{ a: { emails: [{ email: 'o@acme.example' }, { email: ANN }], unsubscribed: true } },
		{ a: { to: ['o@acme.example', ANN], unsubscribed: true } },
		{ unsubscribed_at: DateTime.utc(2026, 3, 4) as unknown as IDataObject },
		{ event: 'contact.unsubscribed' },
	];
	expect(otherEnds(rows, 'unsubscribed')).toEqual([]);
});

test('an opt-out counts at any depth beside the address, behind any number of other entries, and under a name of any length', () => {
	const order = Object.fromEntries(Array.from({ length: 20 }, (_, i) => [`field${i}`, i]));
	const orders = Array.from({ length: 120 }, () => ({ ...order }));
	const record = { mail: ANN, is_unsubscribed: true };
	const people = [{ mail: 'bob@acme.example' }, record];
	const deep = { a: { b: { c: { d: { e: { f: { g: people } } } } } } };
	const long = `Opted out of email: ${'news '.repeat(40)}`;
	const rows: IDataObject[] = [
		{ orders, unsubscribed: true },
		{ orders: orders.map((one) => ({ ...one, lines: [order, order] })), data: record },
		{ deep },
		{ [long]: 'yes' },
		{ 'Email status': `${'Delivered, '.repeat(20)}Unsubscribed` },
	];
	expect(otherEnds(rows, 'unsubscribed')).toEqual([]);
});

test('an opt-out of somebody else, or of something else, refuses nobody', () => {
	const rows: IDataObject[] = [
		{ account: { owner: { unsubscribed: true, email: 'owner@acme.example' } } },
		{ organizer: { email: 'o@acme.example', unsubscribed: true } },
		{ automatic_tax: { enabled: false } },
		{ phone_numbers: [1, 2].map((number) => ({ number, status: 'unsubscribed' })) },
		{ people: [{ email: 'bob@acme.example', unsubscribed: true }, { email: ANN }] },
		{ emails: [{ email: 'bob@acme.example', unsubscribed: true }, { email: ANN }] },
		{ list: { people: [{ email: ANN }, { email: 'bob@acme.example' }], unsubscribed: true } },
		{ a: { email: `${ANN} <bob@acme.example>`, unsubscribed: true } },
		{ 'account.owner.unsubscribed': true },
		{ 'Auto-renew': 'Opt out', 'Health plan': 'Opted Out' },
		{ 'Follow Email Activity': 'Do Not Allow' },
		{ Notes: 'Do not contact before noon', 'Closed Lost Reason': 'Unsubscribed' },
		{ 'No. of surveys': 1, 'No Contact Since': '2026-03-04' },
		{ hs_email_is_ineligible: false, hs_email_sends_since_last_engagement: '0' },
		{ double_optin: false, allow_promotion_codes: false },
	];
	expect(otherEnds(rows, 'sent')).toEqual([]);
});

test('a name in no list refuses nobody with a no, or with a word of another matter', () => {
	const rows: IDataObject[] = [
		{ 'custom optout 7b': 'no' },
		{ 'SMS opt out': 'yes', 'Opt-out (WhatsApp)': true, 'sms.unsubscribed': true },
		{ unsubscribe_link: 'yes', 'Auto-renewal opt-out': 'yes' },
	];
	expect(otherEnds(rows, 'sent')).toEqual([]);
});

test('nobody with a readable opt-out in the row, or in an object about the person, is surveyed', () => {
	const column = fc.constantFrom(...FLAGS.map(([, name, no]): [string, unknown] => [name, no]));
	const filler = fc.dictionary(
		fc.constantFrom('Id', 'Name', 'Owner', 'Amount', 'Stage', 'Phone', 'City', 'Industry'),
		fc.oneof(fc.constantFrom('Acme', 'Bonn', 12, true, null), fc.constant({ Id: 7, Name: 'x' })),
	);
	const place = fc.constantFrom('', 'Contact', 'properties', 'fields', 'customer');
	const row = fc
		.tuple(filler, filler, column, place)
		.map(([outer, inner, [name, no], at]) =>
			at === '' ? { ...outer, [name]: no } : { ...outer, [at]: { ...inner, [name]: no } },
		);
	fc.assert(
		fc.property(fc.array(row, { minLength: 1, maxLength: 20 }), (rows) => {
			expect(otherEnds(rows as IDataObject[], 'unsubscribed')).toEqual([]);
		}),
		runs(1000),
	);
});

test('a row with a circle, or with names and texts of 100,000 letters, is read in little time', () => {
	const circle: IDataObject = { Unsubscribed: 'no' };
	circle.self = circle;
	const begun = process.cpuUsage();
	for (const part of ['email', 'status', 'is ', 'unsubscribed', 'allof']) {
		const long = part.repeat(100_000 / part.length);
		expect(endOfRow({ ...circle, [`${long}!`]: 'x', Status: long })).toBe('sent');
	}
	expect(process.cpuUsage(begun).user / 1e6).toBeLessThan(2);
});
