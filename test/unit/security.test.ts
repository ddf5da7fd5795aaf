import { fileText } from '../support/files.mts';

// docs/security.md names the test of each of its rows.

const named = [
	...fileText('docs/security.md').matchAll(/`(test\/[^`]+\.test\.ts)` "([^"]+)"/g),
].map(([, path = '', words = '']) => [path, words] as const);

const rows = fileText('docs/security.md')
	.split('\n')
	.filter(
		(line) => line.startsWith('| ') && !line.startsWith('| ---') && !line.includes('Shown by'),
	);

test('every row names a test', () => {
	expect(rows.length).toBeGreaterThan(25);
	for (const row of rows) expect(row).toMatch(/`test\/[^`]+\.test\.ts` "[^"]+" *\|/);
});

test.each(named)('%s has a test that says: %s', (path, words) => {
	const lines = fileText(path).split('\n');
	expect(words.length).toBeGreaterThan(10);
	// The name stands behind `test(`, or on a line of its own where a table comes first.
	const names = lines.filter((line) => /^\s*(test|describe)\b|^\s*\]\)\(|^\s*['"`]/.test(line));
	expect(names.filter((line) => line.includes(words))).not.toEqual([]);
});
