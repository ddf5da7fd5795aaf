import { fileText, filesBelow } from '../support/files.mts';

// The bold sentences in the lists of these pages are promises. Each has an ID behind it, a test with that ID in its title,
// and a fault in promises.json for code that a comment with the ID marks.

const PAGES = ['README.md', 'docs/promises.md', 'docs/security.md', 'docs/values.md'];

const promises = PAGES.flatMap((page) =>
	[...fileText(page).matchAll(/^- \*\*(.+?\.)\*\*(?:<!--(.+?)-->)?/gm)].map(
		([, sentence = '', id = '']) => [page, id, sentence] as const,
	),
);

const faults: Array<{ promise: string }> = JSON.parse(fileText('scripts/mutants/promises.json'));
const withFault = faults.map(({ promise }) => promise);

const tests = filesBelow('test', /\.test\.m?ts$/).map(fileText);
const code = filesBelow('nodes', /\.ts$/).map(fileText).join('\n');

test('the pages make promises, each with an ID of its own', () => {
	const ids = promises.map(([, id]) => id);
	expect(ids.length).toBeGreaterThan(25);
	expect(promises.filter(([, id]) => id === '')).toEqual([]);
	expect([...new Set(ids)]).toEqual(ids);
});

test.each(promises)('%s makes a promise with a fault in promises.json [%s] %s', (_page, id) => {
	expect(withFault).toContain(id);
});

test.each(withFault)('the fault for a promise has its place in the code and a test [%s]', (id) => {
	const marked = [...code.matchAll(/^\s*\/\/ promise: (.+)$/gm)].filter(([, one]) => one === id);
	expect(marked).toHaveLength(1);
	expect(tests.some((text) => text.includes(`[${id}]`))).toBe(true);
});
