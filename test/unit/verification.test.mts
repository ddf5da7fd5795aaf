import { execFileSync } from 'node:child_process';

import { FACTS, readRules, verificationPage } from '../../scripts/verification.mts';
import { fileText, testTitlesIn } from '../support/files.mts';

// docs/verification.yaml: n8n's rules are kept, and what checks them exists.

const rules = readRules().flatMap((group) => group.rules);
const tests = rules.flatMap((rule) => rule.tests.map(({ file, title }) => [file, title] as const));

test.each(Object.keys(FACTS))("the nodes keep n8n's rule about %s", (name) => {
	expect(FACTS[name]?.()).toMatchObject({ isKept: true });
});

test('every fact belongs to a rule', () => {
	expect(rules.flatMap(({ fact }) => fact ?? []).sort()).toEqual(Object.keys(FACTS).sort());
});

test.each(tests)('%s has the test of a rule: %s', (file, title) => {
	expect(testTitlesIn(file).some((line) => line.includes(title))).toBe(true);
});

test.each(rules.flatMap(({ files }) => files))('%s exists', (file) => {
	expect(fileText(file)).not.toBe('');
});

test("the rules that the page names are errors in n8n's linter", () => {
	// The linter's configuration is an ES module, which jest does not load.
	const print =
		"import('@n8n/node-cli/eslint').then(({ config }) => console.log(JSON.stringify(config.map(({ rules = {} }) => rules))))";
	const config: object[] = JSON.parse(
		execFileSync(process.execPath, ['-e', print], { encoding: 'utf8' }),
	);
	const isError = (rule: string) =>
		config.some((part) =>
			Object.entries(part).some(([name, value]) => name === rule && [value].flat()[0] === 'error'),
		);
	expect(rules.flatMap(({ lint }) => lint).filter((rule) => !isError(rule))).toEqual([]);
});

test('docs/verification.md is current (npx tsx scripts/verification.mts)', () => {
	expect(fileText('docs/verification.md')).toBe(verificationPage());
});
