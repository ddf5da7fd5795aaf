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

/** Returns what Send makes of a cell: the code of a skipped row, `failed`, or `sent`. */
function endOf(name: string, value: unknown): string {
	const failures: unknown[] = [];
	const run = { isAutomatic: true, isIgnored: () => false };
	const item = { inputs: [{ [name]: value }], run, fail: () => failures.push(name) };
	const objection = objectionOf(item as never, 'ann@acme.example');
	return objection?.code ?? (failures.length > 0 ? 'failed' : 'sent');
}

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
