import fc from 'fast-check';

/** Draws `size` of the entries at random; all of them if `size` is 0. */
export function drawnFrom<Entry>(all: Entry[], size: number, seed: number): Entry[] {
	const count = Math.min(size || all.length, all.length);
	const chosen = fc.shuffledSubarray(all, { minLength: count, maxLength: count });
	return fc.sample(chosen, { numRuns: 1, seed }).flat();
}
