import { SILENCES_A } from '../../sandbox/a/settings';
import { SILENCES_B } from '../../sandbox/b/settings';
import type { Silence } from '../../sandbox/core/settings';
import { fileText, filesBelow } from '../support/files.mts';
import { pairwise } from '../support/pairwise.mts';
import { randomFrom, SEED } from '../support/random.mts';

const page = fileText('docs/evidence/assumptions.md');

test('docs/evidence/assumptions.md lists the silences that have a switch in the sandbox, each once', () => {
	const listed = [...page.matchAll(/^\| ([ABC]\d+) /gm)].map(([, id]) => id);
	const switches = { ...SILENCES_A, ...SILENCES_B };
	const ids = [SILENCES_A, SILENCES_B].flatMap((all) => Object.values(all).map(({ id }) => id));
	expect(listed.sort()).toEqual([...new Set(ids)].sort());
	for (const { ways } of Object.values<Silence>(switches)) {
		expect(new Set(ways).size).toBe(ways.length);
	}
});

test('the sandbox reads every switch', () => {
	const files = filesBelow('sandbox', /\.ts$/).filter((path) => !path.endsWith('settings.ts'));
	const code = files.map(fileText).join('\n');
	const names = Object.keys({ ...SILENCES_A, ...SILENCES_B });
	expect(names.filter((name) => !new RegExp(`\\b${name}\\b`).test(code))).toEqual([]);
});

test('docs/evidence/assumptions.md has at most 700 words', () => {
	const words = page.split(/\s+/).filter((word) => /[a-z0-9]/i.test(word));
	expect(words.length).toBeLessThanOrEqual(700);
});

test.each([
	['A', SILENCES_A],
	['B', SILENCES_B],
])('the combinations of %s have every pair of ways of two silences', (_service, silences) => {
	const counts = Object.values(silences).map(({ ways }) => ways.length);
	const rows = pairwise(counts, randomFrom(SEED));
	const pairs = new Set<string>();
	for (const row of rows) {
		expect(row.every((way, i) => way < (counts[i] ?? 0))).toBe(true);
		row.forEach((way, i) =>
			row.slice(0, i).forEach((other, j) => pairs.add(`${i}:${way} ${j}:${other}`)),
		);
	}
	const all = counts.flatMap((count, i) => counts.slice(0, i).map((other) => count * other));
	expect(pairs.size).toBe(all.reduce((sum, one) => sum + one, 0));
});
