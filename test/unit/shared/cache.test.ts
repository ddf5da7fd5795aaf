import { Cache } from '../../../nodes/shared/base/cache';

test('a cache makes a value once, and forgets the ones that were unused longest', () => {
	const cache = new Cache<string>(3);
	const make = jest.fn(() => 'made');
	expect([cache.of('a', make), cache.of('a', make)]).toEqual(['made', 'made']);
	expect(make).toHaveBeenCalledTimes(1);
	cache.set('b', 'B');
	cache.set('c', 'C');
	expect(cache.get('a')).toBe('made');
	cache.set('d', 'D');
	expect(['a', 'b', 'c', 'd'].map((key) => cache.get(key))).toEqual(['made', undefined, 'C', 'D']);
	cache.set('c', 'changed');
	expect(['a', 'c', 'd'].map((key) => cache.get(key))).toEqual(['made', 'changed', 'D']);
});

test('a cache keeps values that must not be forgotten, even if there are more of them than it holds', () => {
	const cache = new Cache<number>(2, (value) => value !== 1);
	cache.set('a', 1);
	cache.set('b', 2);
	cache.set('c', 3);
	expect([cache.get('a'), cache.get('b'), cache.get('c')]).toEqual([1, undefined, 3]);
	cache.set('a', 1);
	cache.set('c', 1);
	cache.set('d', 3);
	expect([cache.get('a'), cache.get('c'), cache.get('d')]).toEqual([1, 1, 3]);
});
