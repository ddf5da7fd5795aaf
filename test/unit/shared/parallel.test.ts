import { sleep } from 'n8n-workflow';

import { AdaptiveWidth, givingWay, inParallel, Turns } from '../../../nodes/shared/parallel';
import { onItsOwnClock } from '../../support/clock.mts';
import { whatCanGoOn } from '../../support/hold.mts';

const upTo = (count: number) => Array.from({ length: count }, (_, i) => i);

/** Work that ends when it is told to. */
function pieces() {
	const begun: number[] = [];
	const ends: Array<{ resolve(goesOn: boolean): void; reject(error: Error): void }> = [];
	const work = async (index: number) => {
		begun.push(index);
		return await new Promise<boolean>((resolve, reject) => (ends[index] = { resolve, reject }));
	};
	return { begun, ends, work };
}

test('as many pieces are begun as fit side by side, and the next one when one ends', async () => {
	const { begun, ends, work } = pieces();
	const working = inParallel(upTo(5), 3, work);
	await whatCanGoOn();
	expect(begun).toEqual([0, 1, 2]);
	ends[1]?.resolve(true);
	await whatCanGoOn();
	expect(begun).toEqual([0, 1, 2, 3]);
	ends[0]?.resolve(true);
	await whatCanGoOn();
	expect(begun).toEqual([0, 1, 2, 3, 4]);
	for (const index of [2, 3, 4]) ends[index]?.resolve(true);
	await working;
});

test('pieces begin one a turn of the event loop: what begins together would be answered together', async () => {
	const { begun, ends, work } = pieces();
	const working = inParallel(upTo(3), 3, work);
	// All that needs no turn of the event loop.
	for (let i = 0; i < 100; i++) await Promise.resolve();
	expect(begun).toEqual([0]);
	await whatCanGoOn();
	expect(begun).toEqual([0, 1, 2]);
	for (const index of [0, 1, 2]) ends[index]?.resolve(true);
	await working;
});

test('a piece is asked for when there is room for it', async () => {
	const { begun, ends, work } = pieces();
	const asked: number[] = [];
	async function* source() {
		for (const piece of upTo(4)) {
			asked.push(piece);
			yield piece;
		}
	}
	const working = inParallel(source(), 2, work);
	await whatCanGoOn();
	expect(asked).toEqual([0, 1]);
	ends[0]?.resolve(true);
	await whatCanGoOn();
	expect(asked).toEqual([0, 1, 2]);
	ends[1]?.resolve(true);
	ends[2]?.resolve(true);
	await whatCanGoOn();
	ends[3]?.resolve(true);
	await working;
	expect(begun).toEqual([0, 1, 2, 3]);
});

test('a piece that comes after one failed is not begun, and the error is told', async () => {
	const { begun, ends, work } = pieces();
	let bring = () => {};
	async function* source() {
		yield 0;
		await new Promise<void>((resolve) => (bring = resolve));
		yield 1;
	}
	const working = inParallel(source(), 2, work);
	const told = working.catch((error: Error) => error.message);
	await whatCanGoOn();
	ends[0]?.reject(new Error('No'));
	await whatCanGoOn();
	bring();
	expect(await told).toBe('No');
	expect(begun).toEqual([0]);
});

test('a failure to make a piece is told', async () => {
	function* source() {
		yield 0;
		throw new Error('No more');
	}
	const done = inParallel(source(), 1, async () => true);
	await expect(done).rejects.toThrow('No more');
});

describe('giving way', () => {
	/** Whether a call lets others go on, after so many milliseconds of work since the one before. */
	const givesWay = async (giveWay: () => Promise<void>, milliseconds: number) => {
		let hasGoneOn = false;
		void sleep(0).then(() => (hasGoneOn = true));
		jest.setSystemTime(Date.now() + milliseconds);
		await giveWay();
		return hasGoneOn;
	};

	test('what is under way goes on where the work before took long', async () => {
		await onItsOwnClock(async () => {
			const giveWay = givingWay(() => true);
			expect(await givesWay(giveWay, 49)).toBe(false);
			expect(await givesWay(giveWay, 1)).toBe(true);
		});
	});

	test('and then the time begins anew', async () => {
		await onItsOwnClock(async () => {
			const giveWay = givingWay(() => true);
			await givesWay(giveWay, 50);
			expect(await givesWay(giveWay, 49)).toBe(false);
			expect(await givesWay(giveWay, 1)).toBe(true);
		});
	});

	test('nothing is waited for where nothing is under way', async () => {
		await onItsOwnClock(async () => {
			let isAwaited = false;
			const giveWay = givingWay(() => isAwaited);
			expect(await givesWay(giveWay, 200)).toBe(false);
			isAwaited = true;
			expect(await givesWay(giveWay, 0)).toBe(true);
		});
	});
});

test('after a piece that says so no further one is begun, and those at work are waited for', async () => {
	const { begun, ends, work } = pieces();
	let isDone = false;
	const working = inParallel(upTo(100), 2, work).then(() => (isDone = true));
	await whatCanGoOn();
	ends[0]?.resolve(false);
	await whatCanGoOn();
	expect(isDone).toBe(false);
	ends[1]?.resolve(true);
	await working;
	expect(begun).toEqual([0, 1]);
});

test('after an error no further piece is begun', async () => {
	const { begun, ends, work } = pieces();
	const working = inParallel(upTo(100), 4, work);
	await whatCanGoOn();
	ends[2]?.reject(new Error('No'));
	await expect(working).rejects.toThrow('No');
	for (const index of [0, 1, 3]) ends[index]?.resolve(true);
	await whatCanGoOn();
	expect(begun).toEqual([0, 1, 2, 3]);
});

test.each([0, 1, 3])('%i pieces are done where there is room for more', async (count) => {
	const done: number[] = [];
	await inParallel(upTo(count), 10, async (index) => done.push(index) > 0);
	expect(done).toEqual(upTo(count));
});

/** Has pieces done that take as long as `lasts` says; gives the most under way in each stretch of time. */
async function widths(
	lasts: (underWay: number, index: number) => number,
	width: AdaptiveWidth,
	count = 400,
) {
	let underWay = 0;
	const seen: number[] = [];
	await onItsOwnClock(
		async () =>
			await inParallel(upTo(count), width, async (index) => {
				underWay++;
				seen.push(underWay);
				await sleep(lasts(underWay, index));
				underWay--;
				return true;
			}),
	);
	return { most: Math.max(...seen), last: Math.max(...seen.slice(-40)) };
}

describe('the width', () => {
	test('doubles up to its bound while answers come as fast as before', async () => {
		expect(await widths(() => 100, new AdaptiveWidth(4, 16))).toEqual({ most: 16, last: 16 });
	});

	test('doubles as long as more are answered in a second, though each takes longer', async () => {
		// What a row costs n8n itself is part of the time.
		const busy = (underWay: number) => 30 + 8 * underWay;
		expect(await widths(busy, new AdaptiveWidth(4, 16))).toEqual({ most: 16, last: 16 });
	});

	test('stays where it is when more at a time means longer for each', async () => {
		// A service that does one thing at a time.
		const { most } = await widths((underWay) => 20 * underWay, new AdaptiveWidth(4, 16));
		expect(most).toBeLessThanOrEqual(8);
	});

	test('stays where it is at a service that answers one after the other', async () => {
		let free = 0;
		const oneAtATime = () => {
			free = Math.max(free, Date.now()) + 20;
			return free - Date.now();
		};
		const { most } = await widths(oneAtATime, new AdaptiveWidth(4, 16));
		expect(most).toBeLessThanOrEqual(8);
	});

	test('halves when the service slows down, and not below what it began with', async () => {
		const slows = (_: number, index: number) => (index < 150 ? 20 : 2000);
		expect(await widths(slows, new AdaptiveWidth(4, 16))).toEqual({ most: 16, last: 4 });
	});

	test('halves once at a wave of refusals, and grows again', () => {
		let refusals = 0;
		const width = new AdaptiveWidth(16, 16, () => refusals);
		const end = (times: number) => {
			for (let i = 0; i < times; i++) width.ended(20);
		};
		end(16);
		refusals += 10;
		end(10);
		expect(width.current).toBe(8);
		refusals += 3;
		end(6);
		expect(width.current).toBe(8);
		end(8);
		expect(width.current).toBe(16);
		refusals += 1;
		end(16);
		refusals += 1;
		end(8);
		refusals += 1;
		end(4);
		refusals += 1;
		end(2);
		refusals += 1;
		end(1);
		expect(width.current).toBe(1);
	});

	describe('by the clock', () => {
		let now = 0;

		beforeEach(() => {
			now = 100;
			jest.spyOn(performance, 'now').mockImplementation(() => now);
		});

		afterEach(() => jest.restoreAllMocks());

		/** A round: as many pieces as the width has, each of which took so long, by a moment. */
		const round = (width: AdaptiveWidth, milliseconds: number, at: number) => {
			now = at;
			const { current } = width;
			for (let i = 0; i < current; i++) width.ended(milliseconds);
			return width.current;
		};

		test('doubles where that brings a fifth more answers', () => {
			const width = new AdaptiveWidth(4, 16);
			expect(round(width, 100, 100)).toBe(8);
			expect(round(width, 100, 100 + 166)).toBe(16);
		});

		test('stays where it brings less than that', () => {
			const width = new AdaptiveWidth(4, 16);
			expect(round(width, 100, 100)).toBe(8);
			expect(round(width, 100, 100 + 167)).toBe(8);
		});

		test('is judged after a whole round', () => {
			const width = new AdaptiveWidth(4, 16);
			for (let i = 0; i < 3; i++) width.ended(100);
			expect(width.current).toBe(4);
			width.ended(100);
			expect(width.current).toBe(8);
		});

		test('never exceeds its bound', () => {
			const width = new AdaptiveWidth(4, 6);
			expect(round(width, 100, 100)).toBe(6);
			expect(round(width, 10, 110)).toBe(6);
		});

		test.each([
			[300, 4],
			[301, 2],
		])('pieces of %i ms beside others of 100 leave %i', (milliseconds, expected) => {
			const width = new AdaptiveWidth(2, 4);
			expect(round(width, 100, 100)).toBe(4);
			round(width, 100, 300);
			expect(width.current).toBe(4);
			round(width, milliseconds, 10_000);
			expect(width.current).toBe(expected);
		});

		test('waits, after it was halved, for the pieces that were begun before', () => {
			const width = new AdaptiveWidth(2, 8);
			round(width, 100, 100);
			expect(round(width, 100, 110)).toBe(8);
			expect(round(width, 1000, 5000)).toBe(4);
			// Seven of those eight are still under way, and say nothing of the new width.
			for (let i = 0; i < 7; i++) width.ended(5000);
			expect(width.current).toBe(4);
			expect(round(width, 1000, 6000)).toBe(2);
		});
	});
});

describe('turns', () => {
	/** Work that is begun in its turn and ends when it is told to. */
	function takenIn(turns: Turns) {
		const begun: string[] = [];
		const end = new Map<string, () => void>();
		const take = async (name: string, ...keys: string[]) =>
			await turns.take(keys, async () => {
				begun.push(name);
				await new Promise<void>((resolve) => end.set(name, resolve));
			});
		return { begun, take, end: (name: string) => end.get(name)?.() };
	}

	test('come one after the other under one key, and side by side under two', async () => {
		const { begun, take, end } = takenIn(new Turns());
		const all = [take('one', 'a'), take('two', 'a'), take('other', 'b')];
		await whatCanGoOn();
		expect(begun).toEqual(['one', 'other']);
		end('one');
		await whatCanGoOn();
		expect(begun).toEqual(['one', 'other', 'two']);
		['other', 'two'].forEach(end);
		await Promise.all(all);
	});

	test('wait for all that came before, also where the first of those has ended', async () => {
		const { begun, take, end } = takenIn(new Turns());
		const all = [take('one', 'a'), take('two', 'a')];
		await whatCanGoOn();
		end('one');
		await whatCanGoOn();
		all.push(take('three', 'a'));
		await whatCanGoOn();
		expect(begun).toEqual(['one', 'two']);
		end('two');
		await whatCanGoOn();
		expect(begun).toEqual(['one', 'two', 'three']);
		end('three');
		await Promise.all(all);
	});

	test('of several keys wait for each of them', async () => {
		const { begun, take, end } = takenIn(new Turns());
		const all = [take('one', 'a'), take('two', 'b'), take('both', 'a', 'b')];
		await whatCanGoOn();
		end('one');
		await whatCanGoOn();
		expect(begun).toEqual(['one', 'two']);
		end('two');
		await whatCanGoOn();
		expect(begun).toEqual(['one', 'two', 'both']);
		end('both');
		await Promise.all(all);
	});

	test('go on after work that failed', async () => {
		const turns = new Turns();
		const failing = turns.take(['a'], async () => {
			throw new Error('No');
		});
		let isDone = false;
		const next = turns.take(['a'], async () => void (isDone = true));
		await expect(failing).rejects.toThrow('No');
		await next;
		expect(isDone).toBe(true);
	});
});
