import fc, { type Parameters } from 'fast-check';
import { uniformFloat64 } from 'pure-rand/distribution/uniformFloat64';
import { mersenne } from 'pure-rand/generator/mersenne';

/** The seed of all random tests: `SURVEYS_SEED=7 npm test` tries another one. */
export const SEED = Number(process.env.SURVEYS_SEED ?? 20261121);

/** The share of the random cases to run: `SURVEYS_RUNS=0.1`. */
export const SHARE = Number(process.env.SURVEYS_RUNS ?? 1);

/** True if all cases run, as `npm run test:long` does. */
export const HAS_ALL_CASES = SHARE >= 1;

export function randomFrom(seed: number): () => number {
	const generator = mersenne(seed);
	return () => uniformFloat64(generator);
}

/** Returns fast-check's parameters. After a failure fast-check prints the seed and the path. */
export function runs<Values>(numRuns: number): Parameters<Values> {
	return { numRuns: Math.ceil(numRuns * SHARE), seed: SEED };
}

/** Returns a share of cases that take long, at least one, and others with another seed. Every n-th one would miss columns of a table. */
export function shareOf<Case>(cases: Case[], share = SHARE): Case[] {
	const count = Math.max(1, Math.round(cases.length * share));
	const random = randomFrom(SEED);
	const places = new Map(cases.map((one) => [one, random()]));
	const drawn = [...places].sort(([, one], [, other]) => one - other).slice(0, count);
	const chosen = new Set(drawn.map(([one]) => one));
	return cases.filter((one) => chosen.has(one));
}

/** The number of sequences that a simulator tries: `SIMULATE_RUNS=10000 npm run simulate`. */
export const SIMULATED_SEQUENCES = Number(process.env.SIMULATE_RUNS ?? 60 * SHARE);

/** Returns texts of any code points. fast-check's own take a second to set up. */
export function anyText(maxLength: number): fc.Arbitrary<string> {
	const character = fc
		.integer({ min: 0, max: 0x10ffff })
		.map((code) => (code >= 0xd800 && code <= 0xdfff ? ' ' : String.fromCodePoint(code)));
	return fc.array(character, { maxLength }).map((characters) => characters.join(''));
}
