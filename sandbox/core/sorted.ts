export type Scalar = string | number | undefined;

function compare(left: Scalar, right: Scalar): number {
	if (left === right) return 0;
	if (left === undefined) return -1;
	if (right === undefined) return 1;
	return left < right ? -1 : 1;
}

/**
 * Gives the rows `from` and before `to`, in the order of a value. Lists of many rows usually stand in that order
 * already, or in the opposite one.
 */
export function sorted<Row>(
	rows: Row[],
	valueOf: (row: Row) => Scalar,
	direction: 'up' | 'down',
	{ from = 0, to = rows.length } = {},
): Row[] {
	if (isRising(rows, valueOf)) {
		return direction === 'up' ? rows.slice(from, to) : backwards(rows, { from, to });
	}
	const sign = direction === 'up' ? 1 : -1;
	const places = rows.map((row) => ({ row, value: valueOf(row) }));
	return places
		.sort((a, b) => sign * compare(a.value, b.value))
		.map(({ row }) => row)
		.slice(from, to);
}

/** The rows `from` and before `to`, counted from the end. */
export function backwards<Row>(rows: Row[], { from, to }: { from: number; to: number }): Row[] {
	const [first, end] = [to, from].map((place) => Math.max(0, rows.length - place));
	return rows.slice(first, end).reverse();
}

/** In one pass and without a copy: a list of many pages asks this for each of them. */
function isRising<Row>(rows: Row[], valueOf: (row: Row) => Scalar): boolean {
	let before: Scalar;
	for (const row of rows) {
		const value = valueOf(row);
		if (value === undefined || (before !== undefined && !(before < value))) return false;
		before = value;
	}
	return true;
}
