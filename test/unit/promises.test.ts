import { placesOf, promisesPage, readPromises } from '../../scripts/promises.mts';
import { fileText, testTitlesIn } from '../support/files.mts';

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
	expect(testTitlesIn(file).some((line) => line.includes(title))).toBe(true);
});

test('docs/promises.md is made from docs/promises.yaml (npx tsx scripts/promises.mts)', () => {
	expect(fileText('docs/promises.md')).toBe(promisesPage());
});

function oneLine(text: string): string {
	return text.replace(/\s+/g, ' ');
}
