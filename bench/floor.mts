/** The figures of a run that its floor depends on. */
export interface Run {
	requests: number;
	/** The most requests in flight at once. */
	inFlight: number;
}

/** Returns the number of waits that follow one another, given the most requests in flight at once. */
export function roundsOfWaiting({ requests, inFlight }: Run, sequential: number): number {
	const first = Math.min(sequential, requests);
	return first + Math.ceil((requests - first) / Math.max(1, inFlight));
}

/** Returns the most requests that arrived within one latency, and so were in flight at once. */
export function mostInFlight(arrivals: number[], latency: number): number {
	const sorted = [...arrivals].sort((one, other) => one - other);
	let oldest = 0;
	let most = 0;
	for (const [index, at] of sorted.entries()) {
		while (oldest < index && (sorted[oldest] ?? 0) <= at - latency) oldest++;
		most = Math.max(most, index - oldest + 1);
	}
	return most;
}
