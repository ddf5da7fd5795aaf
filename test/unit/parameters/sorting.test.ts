import { sorted } from '../../../nodes/shared/parameters/sorting';

const keysOf = (keys: unknown[], direction: 'asc' | 'desc') =>
	sorted(
		keys.map((key) => ({ key, item: key })),
		{ field: 'key', direction },
	);

test.each<[unknown[], 'asc' | 'desc', unknown[]]>([
	[[10, 9, -1, 100], 'asc', [-1, 9, 10, 100]],
	[[10, 9, -1, 100], 'desc', [100, 10, 9, -1]],
	[['b', 'a', 'c'], 'asc', ['a', 'b', 'c']],
	[['b', 'a', 'c'], 'desc', ['c', 'b', 'a']],
	[[undefined, 2, null, 1], 'asc', [1, 2, undefined, null]],
	[[undefined, 2, null, 1], 'desc', [2, 1, undefined, null]],
])('%j, sorted %s, is %j', (keys, direction, expected) => {
	expect(keysOf(keys, direction)).toEqual(expected);
});
