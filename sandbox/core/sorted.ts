export type Scalar = string | number | undefined;

function compare(left: Scalar, right: Scalar): number {
	if (left === right) return 0;
	return left === undefined || (right !== undefined && left < right) ? -1 : 1;
}

/**
 * Returns the rows sorted by a value; rows without one come first when the values go up. Long lists usually rise already,
 * and sorting those for each page would take a minute in the longest test.
 */
export function sorted<Row>(
	rows: Row[],
	valueOf: (row: Row) => Scalar,
	direction: 'up' | 'down',
): Row[] {
	const values = rows.map(valueOf);
	const isRising = values.every((value, i) => compare(values[i - 1], value) < 0);
	if (isRising) return direction === 'up' ? rows : [...rows].reverse();
	const sign = direction === 'up' ? 1 : -1;
	return [...rows].sort((a, b) => sign * compare(valueOf(a), valueOf(b)));
}
