/** Does work for each entry, at most as many at the same time as there are lanes; returns the results in order. */
export async function inLanes<T, R>(
	entries: Iterable<T>,
	lanes: number,
	work: (entry: T) => Promise<R>,
): Promise<R[]> {
	const results: R[] = [];
	const queue = [...entries].entries();
	const lane = async () => {
		for (const [index, entry] of queue) results[index] = await work(entry);
	};
	await Promise.all(Array.from({ length: lanes }, lane));
	return results;
}
