import { details, summary } from '../../scripts/compat/table.mts';

const CHECKS = ['All four nodes load', 'Example agent-triage', 'Example weekly-nps-report'];
const OLD = { n8n: '2.3.6', node: 'v24.0.0', failures: new Map([['All four nodes load', 'why']]) };
const NEW = { n8n: '2.41.1', node: 'v24.1.0', failures: new Map<string, string>() };
const EXAMPLES = /^\| \[Examples\].*? whose nodes it has \|(.*)\|$/m;

test('npm run compat with one version keeps the rows of the other versions in the README', () => {
	const before = summary([OLD], CHECKS, '');
	const after = summary([NEW], CHECKS, before);
	expect(before).toMatch(/^\| 2\.3\.6 \| 24\.0\.0 \| 1 of 2 checks \|$/m);
	expect(after.split('\n').slice(2)).toEqual([
		before.split('\n').at(-1),
		'| 2.41.1 | 24.1.0 | yes |',
	]);
});

test('npm run compat with one version keeps the columns and failures of the other versions', () => {
	const after = details([NEW], CHECKS, details([OLD], CHECKS, ''));
	expect(after).toContain('|  | n8n 2.3.6 | n8n 2.41.1 |');
	expect(after).toContain('| All four nodes load | no | yes |');
	expect(after).toContain('- n8n 2.3.6, All four nodes load: why');
});

test('a new result of a version replaces the old one with its failures', () => {
	const after = details([{ ...OLD, failures: new Map() }], CHECKS, details([OLD], CHECKS, ''));
	expect(after).toContain('| All four nodes load | yes |');
	expect(after).not.toContain('why');
});

test('an example that fails is counted and named', () => {
	const failures = new Map([['Example weekly-nps-report', 'why']]);
	const table = details([{ ...NEW, failures }], CHECKS, '');
	expect(table.match(EXAMPLES)?.[1]?.trim()).toBe('1 of 2');
	expect(table).toContain('- n8n 2.41.1, Example weekly-nps-report: why');
});

test('an example that needs a newer n8n is not counted, and is no failure', () => {
	expect(details([OLD, NEW], CHECKS, '').match(EXAMPLES)?.[1]?.trim()).toBe('1 of 1 | 2 of 2');
});

test('a check that a version was not tried with is marked as not run', () => {
	const after = details(
		[NEW],
		CHECKS,
		'|  | n8n 2.3.6 |\n| --- | --- |\n| All four nodes load | yes |',
	);
	expect(after.match(EXAMPLES)?.[1]?.trim()).toBe('not run | 2 of 2');
});
