/**
 * Does `count` pieces of work, `width` at a time, begun in order.
 *
 * @param work gets the index of its piece; false from it begins no further piece
 */
export async function inParallel(
	count: number,
	width: number,
	work: (index: number) => Promise<boolean>,
): Promise<void> {
	let next = 0;
	const lane = async () => {
		while (next < count) {
			const goOn = await work(next++);
			if (!goOn) next = count;
		}
	};
	await Promise.all(Array.from({ length: Math.min(width, count) }, lane));
}
