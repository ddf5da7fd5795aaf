import { SILENCES_A } from '../../sandbox/a/settings';
import type { SettingsA } from '../../sandbox/a/settings';
import { SILENCES_B } from '../../sandbox/b/settings';
import type { SettingsB } from '../../sandbox/b/settings';
import type { Silences } from '../../sandbox/core/settings';
import { pairwise } from './pairwise.mts';
import { randomFrom, SEED, shareOf } from './random.mts';
import type { Services } from './sandbox';

/** One way of each silence of both contracts. */
export interface Combination {
	/** For the title: a failure can be repeated by its seed. */
	title: string;
	a: SettingsA;
	b: SettingsB;
}

/** Returns ways of all silences, in combinations that have every pair. */
function combined<Ways>(silences: Silences): Ways[] {
	const all = Object.entries(silences);
	const rows = pairwise(
		all.map(([, { ways }]) => ways.length),
		randomFrom(SEED),
	);
	return rows.map(
		(row) =>
			Object.fromEntries(all.map(([name, { ways }], i) => [name, ways[row[i] ?? 0]])) as Ways,
	);
}

let computed: Combination[] | undefined;

/** The combinations of a run, in which every pair of ways of two silences occurs: all in the long one, a tenth in the others. */
function combinations(): Combination[] {
	return (computed ??= shareOf(allCombinations()));
}

function allCombinations(): Combination[] {
	const [ofA, ofB] = [combined<SettingsA>(SILENCES_A), combined<SettingsB>(SILENCES_B)];
	const count = Math.max(ofA.length, ofB.length);
	return Array.from({ length: count }, (_, i) => ({
		title: `combination ${i + 1} of ${count}, seed ${SEED}`,
		a: ofA[i % ofA.length] as SettingsA,
		b: ofB[i % ofB.length] as SettingsB,
	}));
}

/** Returns true if Survey B's lists say nowhere that they end: a 404 without a message of the service may be a proxy's. */
export function hasNoEnd({ b }: Combination): boolean {
	return b.bareLists && b.errors === 'html' && b.pageAfterLast === 404;
}

/** Returns the silences that do not take their usual way. */
function unusual(silences: Silences, ways: Record<string, unknown>): string {
	const others = Object.entries(silences).filter(([name, one]) => ways[name] !== one.ways[0]);
	return others.map(([name]) => `${name}: ${JSON.stringify(ways[name])}`).join(', ');
}

/** Runs a test in each combination. A failure names the ways that the services took. */
export function testInCombinations(
	title: string,
	services: Partial<Services>,
	work: (combination: Combination) => Promise<void>,
): void {
	test.each(combinations())(`${title}: $title`, async (combination) => {
		Object.assign(services.a?.settings ?? {}, combination.a);
		Object.assign(services.b?.settings ?? {}, combination.b);
		try {
			await work(combination);
		} catch (error) {
			const ways = `A: ${unusual(SILENCES_A, combination.a)}\nB: ${unusual(SILENCES_B, combination.b)}`;
			if (error instanceof Error) error.message += `\n\n${ways}`;
			throw error;
		}
	});
}
