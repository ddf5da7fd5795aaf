/** The rows that are tried for each row of the result. More make it shorter, and take longer. */
const CANDIDATES = 20;

/**
 * Returns rows with one way of each switch, in which every pair of ways of two switches occurs. Greedy: each row has as
 * many pairs as possible that no row before it has.
 *
 * @param counts the number of ways of each switch
 * @returns for each row, the index of each switch's way
 */
export function pairwise(counts: number[], random: () => number): number[][] {
	const ways = counts.flatMap((count, of) => Array.from({ length: count }, () => of));
	const firsts = counts.map((_count, of) => ways.indexOf(of));
	const pairOf = (one: number, other: number) =>
		Math.min(one, other) * ways.length + Math.max(one, other);
	const missing = new Set<number>();
	ways.forEach((of, one) => {
		for (let other = 0; other < one; other++) {
			if (ways[other] !== of) missing.add(pairOf(one, other));
		}
	});
	const newPairs = (row: number[]) =>
		row.flatMap((one, i) =>
			row
				.slice(0, i)
				.map((other) => pairOf(one, other))
				.filter((pair) => missing.has(pair)),
		);

	/** Returns the way of a switch that has the most new pairs with those of a row. */
	const bestWay = (of: number, row: number[]): number => {
		const gains = ways.flatMap((owner, way) =>
			owner === of
				? [{ way, gain: row.filter((one) => missing.has(pairOf(one, way))).length + random() }]
				: [],
		);
		return gains.reduce((best, one) => (one.gain > best.gain ? one : best)).way;
	};

	const candidate = (): number[] => {
		const pair = [...missing][Math.floor(random() * missing.size)] ?? 0;
		const row = [Math.floor(pair / ways.length), pair % ways.length];
		const others = counts
			.map((_count, of) => ({ of, at: random() }))
			.filter(({ of }) => row.every((way) => ways[way] !== of))
			.sort((one, other) => one.at - other.at);
		for (const { of } of others) row.push(bestWay(of, row));
		return row;
	};

	const rows: number[][] = [];
	while (missing.size > 0) {
		const tried = Array.from({ length: CANDIDATES }, () => candidate());
		const gained = tried.map((row) => ({ row, pairs: newPairs(row) }));
		const best = gained.reduce((one, other) =>
			other.pairs.length > one.pairs.length ? other : one,
		);
		for (const pair of best.pairs) missing.delete(pair);
		rows.push(
			best.row.sort((one, other) => one - other).map((way, of) => way - Number(firsts[of])),
		);
	}
	return rows;
}
