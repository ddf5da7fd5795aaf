import { readdirSync } from 'node:fs';

import { fileText } from '../support/files.mts';

// Each sentence in bold in these pages is a promise, and a test has it as its title.

const PAGES = ['README.md', 'docs/security.md', 'docs/values.md'];

const promises = PAGES.flatMap((page) =>
	[...fileText(page).matchAll(/^- \*\*(.+?)\.\*\*/gm)].map(
		([, promise = '']) => [page, promise] as const,
	),
);

const titles = readdirSync('test', { recursive: true, encoding: 'utf8' })
	.filter((name) => /\.test\.m?ts$/.test(name) && !name.endsWith('promises.test.mts'))
	.flatMap((name) => [
		...fileText(`test/${name}`).matchAll(/^\s*(?:test\(|\]\)\(|\))?\(?['`](.+?)['`],/gm),
	])
	.map(([, title = '']) => title.toLowerCase());

const faults: Array<{ test: string; file: string; replace: string }> = JSON.parse(
	fileText('scripts/mutants/promises.json'),
);

test.each(promises)(
	'%s makes a promise that has a fault in promises.json: %s',
	(_page, promise) => {
		expect(faults.map(({ test }) => test.toLowerCase())).toContain(promise.toLowerCase());
	},
);

test.each(faults)('the fault for this promise is in code that exists: $test', (fault) => {
	expect(fileText(fault.file).split(fault.replace)).toHaveLength(2);
});

test('the pages make promises', () => {
	expect(promises.length).toBeGreaterThan(25);
});

test.each(promises)('%s makes a promise that a test has as its title: %s', (_page, promise) => {
	const title = promise.toLowerCase();
	expect(titles.some((one) => one === title || one.startsWith(`${title}: `))).toBe(true);
});
