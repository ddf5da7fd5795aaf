import type { Parameters } from 'fast-check';

/** What is random in the tests goes by this number: `SURVEYS_SEED=7 npm test` tries another one. */
export const SEED = Number(process.env.SURVEYS_SEED ?? 20261121);

/** A part of the runs does where tests are run very often: `SURVEYS_RUNS=0.1`. */
const SHARE = Number(process.env.SURVEYS_RUNS ?? 1);

/** Numbers between 0 and 1, the same for the same seed. */
export function randomFrom(seed: number): () => number {
	let state = seed;
	return () => {
		state = (state * 1103515245 + 12345) % 2147483648;
		return state / 2147483648;
	};
}

/** So many runs of a property. Where one fails, fast-check prints the seed and the way to it. */
export function runs<Values>(numRuns: number): Parameters<Values> {
	return { numRuns: Math.ceil(numRuns * SHARE), seed: SEED };
}

/** How many random sequences a simulator takes: `SIMULATE_RUNS=10000 npm run simulate`. */
export const SIMULATED_SEQUENCES = Number(process.env.SIMULATE_RUNS ?? 60 * SHARE);
