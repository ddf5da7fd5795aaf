import { details, summary } from '../../scripts/compat/table.mts';

const CHECKS = ['All four nodes load', 'Example agent-triage', 'Example weekly-nps-report'];
const OLD = { n8n: '2.3.6', node: 'v24.0.0', failures: new Map([['All four nodes load', 'why']]) };
const NEW = { n8n: '2.41.1', node: 'v24.1.0', failures: new Map<string, string>() };

test('the README names each version that npm run compat tried, and the number of checks that passed unless all did', () => {
	expect(summary([OLD, NEW], CHECKS)).toBe(
		'Tried in n8n 2.3.6 (1 of 2 checks), 2.41.1, with Node.js 24.0.0, 24.1.0.',
	);
});

test('docs/evidence/compatibility.md has a column of each version, and counts and names the checks that failed', () => {
	const failures = new Map([['Example weekly-nps-report', 'slow']]);
	const text = details([OLD, { ...NEW, failures }], CHECKS);
	expect(text).toContain('|  | n8n 2.3.6 | n8n 2.41.1 |');
	expect(text).toContain('| All four nodes load | no | yes |');
	// An example that needs a newer n8n is not counted.
	expect(text).toMatch(/^\| \[Examples\].*\| 1 of 1 \| 1 of 2 \|$/m);
	expect(text).toContain('- n8n 2.3.6, All four nodes load: why\n');
	expect(text).toContain('- n8n 2.41.1, Example weekly-nps-report: slow');
});
