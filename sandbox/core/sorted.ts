export type Scalar = string | number | undefined;

function compare(left: Scalar, right: Scalar): number {
	if (left === right) return 0;
	if (left === undefined) return -1;
	if (right === undefined) return 1;
	return left < right ? -1 : 1;
}

/**
 * Sorts the rows by a value and returns those from `from` to before `to`. Long lists are usually stored in ascending
 * order; those are not copied for each page.
 */
export function sorted<Row>(
	rows: Row[],
	valueOf: (row: Row) => Scalar,
	direction: 'up' | 'down',
	{ from = 0, to = rows.length } = {},
): Row[] {
	if (isRising(rows, valueOf)) {
		if (direction === 'up') return rows.slice(from, to);
		const [first, end] = [to, from].map((place) => Math.max(0, rows.length - place));
		return rows.slice(first, end).reverse();
	}
	const sign = direction === 'up' ? 1 : -1;
	const places = rows.map((row) => ({ row, value: valueOf(row) }));
	return places
		.sort((a, b) => sign * compare(a.value, b.value))
		.map(({ row }) => row)
		.slice(from, to);
}

function isRising<Row>(rows: Row[], valueOf: (row: Row) => Scalar): boolean {
	let before: Scalar;
	for (const row of rows) {
		const value = valueOf(row);
		if (value === undefined || (before !== undefined && !(before < value))) return false;
		before = value;
	}
	return true;
}
