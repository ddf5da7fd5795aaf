import { placesOf, promisesPage, readPromises } from '../../scripts/promises.mts';
import { fileText } from '../support/files.mts';

// Checks that every promise in docs/promises.yaml is in the docs, and that its tests exist.

const promises = readPromises().flatMap((group) => group.promises);
const places = promises.flatMap((promise) =>
	placesOf(promise).map(({ file, words }) => [file, words] as const),
);
const tests = promises.flatMap((promise) =>
	promise.tests.map(({ file, title }) => [file, title] as const),
);

test('docs/promises.yaml contains promises', () => {
	expect(promises.length).toBeGreaterThan(40);
});

test.each(places)('%s contains the words of a promise: %s', (file, words) => {
	expect(oneLine(fileText(file)).includes(oneLine(words))).toBe(true);
});

test.each(tests)('%s has the test of a promise: %s', (file, title) => {
	expect(title.length).toBeGreaterThan(10);
	expect(titlesIn(file).some((line) => line.includes(title))).toBe(true);
});

test('docs/promises.md is made from docs/promises.yaml (npx tsx scripts/promises.mts)', () => {
	expect(fileText('docs/promises.md')).toBe(promisesPage());
});

function oneLine(text: string): string {
	return text.replace(/\s+/g, ' ');
}

/** The lines of a test file that can be a title: the start of a test, or a text on a line of its own. */
function titlesIn(file: string): string[] {
	return fileText(file)
		.split('\n')
		.filter((line) =>
			/^\s*(test|describe)\b|await check\(|^\s*\]?\)\(|^\s*\]\)\(|^\s*\[?['"`]/.test(line),
		);
}
