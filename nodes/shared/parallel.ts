/**
 * Does `count` pieces of work, `width` at a time, begun in order.
 *
 * @param work gets the index of its piece; false from it, or an error, begins no further piece
 */
export async function inParallel(
	count: number,
	width: number,
	work: (index: number) => Promise<boolean>,
): Promise<void> {
	let next = 0;
	const lane = async () => {
		while (next < count) {
			let goesOn = false;
			try {
				goesOn = await work(next++);
			} finally {
				if (!goesOn) next = count;
			}
		}
	};
	await Promise.all(Array.from({ length: Math.min(width, count) }, lane));
}
