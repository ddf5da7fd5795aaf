/** The figures of a run that its floor depends on. */
export interface Run {
	requests: number;
	/** The most requests in flight at once. */
	inFlight: number;
	/** n8n's own record of the node, and of Split Out. */
	seconds: number;
	/** Output rows. */
	rows: number;
}

/** The parts of a side's lower bound. */
export interface Floor {
	/** The side of the same case that makes the items without a service. */
	items: 'From memory' | 'Edit Fields';
	/** Number of requests that cannot run in parallel, for example the first page of a list. */
	sequential: number;
}

/** Returns the number of waits that follow one another, given the most requests in flight at once. */
export function roundsOfWaiting(
	{ requests, inFlight }: Pick<Run, 'requests' | 'inFlight'>,
	sequential: number,
): number {
	const first = Math.min(sequential, requests);
	return first + Math.ceil((requests - first) / Math.max(1, inFlight));
}

/**
 * Returns the seconds that a run needs at least: the waits that the service imposes, and making the items.
 *
 * @param items the run that makes the items without a service; counted per row
 * @param latency ms until the service responds
 */
export function floorSeconds(
	run: Run,
	items: Pick<Run, 'seconds' | 'rows'>,
	{ sequential }: Floor,
	latency: number,
): number {
	const waits = (roundsOfWaiting(run, sequential) * latency) / 1000;
	return waits + (items.seconds / items.rows) * run.rows;
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
