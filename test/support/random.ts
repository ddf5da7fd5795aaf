/** Numbers between 0 and 1, the same for the same seed. */
export function randomFrom(seed: number): () => number {
	let state = seed;
	return () => {
		state = (state * 1103515245 + 12345) % 2147483648;
		return state / 2147483648;
	};
}
