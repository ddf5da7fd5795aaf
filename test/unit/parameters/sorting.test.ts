import { sorted } from '../../../nodes/shared/fields/sorting';

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
	[[2, undefined, 1], 'desc', [2, 1, undefined]],
	[['b', null, 'a'], 'desc', ['b', 'a', null]],
	[[10, '9'], 'asc', [10, '9']],
	[['10', 9], 'asc', ['10', 9]],
])('%j, sorted %s, is %j', (keys, direction, expected) => {
	expect(keysOf(keys, direction)).toEqual(expected);
});

test.each(['asc', 'desc'] as const)(
	'items with equal keys keep their order, sorted %s',
	(direction) => {
		for (const key of [7, 'a', null]) {
			const items = ['first', 'second', 'third'].map((item) => ({ key, item }));
			expect(sorted(items, { field: 'key', direction })).toEqual(['first', 'second', 'third']);
		}
	},
);
