/** Milliseconds by a clock that only goes forward: setting the machine's clock does not move it. */
export function now(): number {
	return performance.now();
}
