import { fileText } from '../support/files.mts';
import { publicInterface } from '../support/publicInterface';

// Workflows in the field store the names, values and defaults of our fields. What 0.1.0 had stays.

/** Fields that changed since, and why a workflow of 0.1.0 still runs as it did. */
const LOCATOR = 'a locator now: a stored text is taken as before, as an ID if it is a number';
const CHANGED: Record<string, string> = {
	'surveyB › contact › get › contactId': LOCATOR,
	'surveyB › feedback › create › campaignId': LOCATOR,
	'surveyB › feedback › create › score':
		'no default any more: a forgotten score went out as 10; a workflow without one is told so',
	'surveyB › feedback › getAll › filters › campaignId': LOCATOR,
	'surveyB › metric › get › campaignId': LOCATOR,
	'surveyB › survey › send › campaignId': LOCATOR,
};

/** An option that is not set is not stored: such a workflow sends 8 rows at once to begin with, as before. */
const ROWS_AT_ONCE = / › options › concurrency$/;

interface Field {
	type: string;
	default: unknown;
	values?: unknown[];
}

const before: Record<string, Field> = JSON.parse(fileText('test/unit/interface-0.1.0.json'));
const now: Record<string, Field> = publicInterface();

test.each(Object.keys(before))('%s is still what workflows of 0.1.0 store', (name) => {
	const { values = [], ...field } = before[name] ?? { type: '', default: '' };
	const { values: offered, ...current } = now[name] ?? { type: 'gone', default: '' };
	if (ROWS_AT_ONCE.test(name)) expect(current).toEqual({ ...field, default: 0 });
	else if (!(name in CHANGED)) expect(current).toEqual(field);
	expect(offered ?? []).toEqual(expect.arrayContaining(values));
});

test('only fields that did change are listed as changed', () => {
	for (const [name, why] of Object.entries(CHANGED)) {
		expect(why).not.toBe('');
		expect(now[name]).not.toEqual(before[name]);
		expect(now[name]).toBeDefined();
	}
});
