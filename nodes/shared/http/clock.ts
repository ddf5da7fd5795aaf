/** Returns the ms of a clock that never goes back, also when the machine's clock is set. */
export function now(): number {
	return performance.now();
}
