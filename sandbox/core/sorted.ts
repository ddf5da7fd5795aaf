export type Scalar = string | number | undefined;

function compare(left: Scalar, right: Scalar): number {
	if (left === right) return 0;
	if (left === undefined) return -1;
	if (right === undefined) return 1;
	return left < right ? -1 : 1;
}

/** Rows in the order of a value. Lists of many rows usually stand in that order already, or in the opposite one. */
export function sorted<Row>(
	rows: Row[],
	valueOf: (row: Row) => Scalar,
	direction: 'up' | 'down',
): Row[] {
	const values = rows.map(valueOf);
	const isInOrder = values.every((value, i) => i === 0 || compare(values[i - 1], value) < 0);
	if (isInOrder) return direction === 'up' ? rows : [...rows].reverse();
	const sign = direction === 'up' ? 1 : -1;
	const places = rows.map((row, i) => ({ row, value: values[i] }));
	return places.sort((a, b) => sign * compare(a.value, b.value)).map(({ row }) => row);
}
