import { sleep } from 'n8n-workflow';

import {
	AdaptiveConcurrency,
	forEachConcurrent,
	KeyedQueue,
	yieldToEventLoop,
} from '../../../nodes/shared/parallel';
import { onItsOwnClock } from '../../support/clock.mts';
import { whatCanGoOn } from '../../support/hold.mts';

const upTo = (count: number) => Array.from({ length: count }, (_, i) => i);

/** Returns tasks that the test ends. */
function controlledTasks() {
	const started: number[] = [];
	const ends: Array<{ resolve(goesOn: boolean): void; reject(error: Error): void }> = [];
	const task = async (index: number) => {
		started.push(index);
		return await new Promise<boolean>((resolve, reject) => (ends[index] = { resolve, reject }));
	};
	return { started, ends, task };
}

/** Advances the mocked clock in `onItsOwnClock` without ending the current turn of the event loop. */
const workFor = (milliseconds: number) => void jest.setSystemTime(Date.now() + milliseconds);

describe('forEachConcurrent', () => {
	test('starts as many tasks as allowed, and the next one when one ends', async () => {
		const { started, ends, task } = controlledTasks();
		const running = forEachConcurrent(upTo(5), 3, task);
		await whatCanGoOn();
		expect(started).toEqual([0, 1, 2]);
		ends[1]?.resolve(true);
		await whatCanGoOn();
		expect(started).toEqual([0, 1, 2, 3]);
		ends[0]?.resolve(true);
		await whatCanGoOn();
		expect(started).toEqual([0, 1, 2, 3, 4]);
		for (const index of [2, 3, 4]) ends[index]?.resolve(true);
		await running;
	});

	test('starts tasks that need no work without waiting for a timer', async () => {
		await onItsOwnClock(async () => {
			const { started, ends, task } = controlledTasks();
			const running = forEachConcurrent(upTo(100), 100, task);
			for (let i = 0; i < 1000; i++) await Promise.resolve();
			expect(started).toHaveLength(100);
			for (const { resolve } of ends) resolve(true);
			await running;
		});
	});

	test('yields to the event loop after 5 ms of starting tasks', async () => {
		await onItsOwnClock(async () => {
			const { started, ends, task } = controlledTasks();
			const running = forEachConcurrent(upTo(4), 4, async (index) => {
				workFor(index < 2 ? 2 : 1);
				return await task(index);
			});
			for (let i = 0; i < 1000; i++) await Promise.resolve();
			expect(started).toEqual([0, 1, 2]);
			await sleep(1);
			expect(started).toEqual([0, 1, 2, 3]);
			for (const { resolve } of ends) resolve(true);
			await running;
		});
	});

	test('does not count the time in which it waits for a task to end as work', async () => {
		await onItsOwnClock(async () => {
			const { started, ends, task } = controlledTasks();
			const running = forEachConcurrent(upTo(4), 2, task);
			await sleep(100);
			ends[0]?.resolve(true);
			ends[1]?.resolve(true);
			for (let i = 0; i < 1000; i++) await Promise.resolve();
			expect(started).toEqual([0, 1, 2, 3]);
			ends[2]?.resolve(true);
			ends[3]?.resolve(true);
			await running;
		});
	});

	test('requests an item when there is room for it', async () => {
		const { started, ends, task } = controlledTasks();
		const requested: number[] = [];
		async function* source() {
			for (const item of upTo(4)) {
				requested.push(item);
				yield item;
			}
		}
		const running = forEachConcurrent(source(), 2, task);
		await whatCanGoOn();
		expect(requested).toEqual([0, 1]);
		ends[0]?.resolve(true);
		await whatCanGoOn();
		expect(requested).toEqual([0, 1, 2]);
		ends[1]?.resolve(true);
		ends[2]?.resolve(true);
		await whatCanGoOn();
		ends[3]?.resolve(true);
		await running;
		expect(started).toEqual([0, 1, 2, 3]);
	});

	test('starts no task for an item that arrives after a failure', async () => {
		const { started, ends, task } = controlledTasks();
		let provide = () => {};
		async function* source() {
			yield 0;
			await new Promise<void>((resolve) => (provide = resolve));
			yield 1;
		}
		const running = forEachConcurrent(source(), 2, task);
		const message = running.catch((error: Error) => error.message);
		await whatCanGoOn();
		ends[0]?.reject(new Error('No'));
		await whatCanGoOn();
		provide();
		expect(await message).toBe('No');
		expect(started).toEqual([0]);
	});

	test('passes on an error of the items', async () => {
		function* source() {
			yield 0;
			throw new Error('No more');
		}
		const done = forEachConcurrent(source(), 1, async () => true);
		await expect(done).rejects.toThrow('No more');
	});

	test('starts no further task after one returns false, and waits for those in flight', async () => {
		const { started, ends, task } = controlledTasks();
		let isDone = false;
		const running = forEachConcurrent(upTo(100), 2, task).then(() => (isDone = true));
		await whatCanGoOn();
		ends[0]?.resolve(false);
		await whatCanGoOn();
		expect(isDone).toBe(false);
		ends[1]?.resolve(true);
		await running;
		expect(started).toEqual([0, 1]);
	});

	test('fails at once when a task fails, and starts no further task', async () => {
		const { started, ends, task } = controlledTasks();
		const running = forEachConcurrent(upTo(100), 4, task);
		await whatCanGoOn();
		ends[2]?.reject(new Error('No'));
		await expect(running).rejects.toThrow('No');
		for (const index of [0, 1, 3]) ends[index]?.resolve(true);
		await whatCanGoOn();
		expect(started).toEqual([0, 1, 2, 3]);
	});

	test.each([0, 1, 3])('runs %i tasks when more are allowed', async (count) => {
		const done: number[] = [];
		await forEachConcurrent(upTo(count), 10, async (index) => done.push(index) > 0);
		expect(done).toEqual(upTo(count));
	});
});

describe('yieldToEventLoop', () => {
	/** Returns whether a call lets a timer fire after some ms of work. */
	const yields = async (yieldIfBusy: () => Promise<void>, milliseconds: number) => {
		let hasFired = false;
		void sleep(0).then(() => (hasFired = true));
		workFor(milliseconds);
		await yieldIfBusy();
		return hasFired;
	};

	test('yields after 50 ms of work', async () => {
		await onItsOwnClock(async () => {
			const yieldIfBusy = yieldToEventLoop(() => true);
			expect(await yields(yieldIfBusy, 49)).toBe(false);
			expect(await yields(yieldIfBusy, 1)).toBe(true);
		});
	});

	test('measures the work since it last yielded', async () => {
		await onItsOwnClock(async () => {
			const yieldIfBusy = yieldToEventLoop(() => true);
			await yields(yieldIfBusy, 50);
			expect(await yields(yieldIfBusy, 49)).toBe(false);
			expect(await yields(yieldIfBusy, 1)).toBe(true);
		});
	});

	test('does not yield when nothing else could go on', async () => {
		await onItsOwnClock(async () => {
			let isNeeded = false;
			const yieldIfBusy = yieldToEventLoop(() => isNeeded);
			expect(await yields(yieldIfBusy, 200)).toBe(false);
			isNeeded = true;
			expect(await yields(yieldIfBusy, 0)).toBe(true);
		});
	});
});

/** Runs tasks that take as long as `duration` returns; returns the most in flight, in all and among the last 40. */
async function tasksInFlight(
	duration: (inFlight: number, index: number) => number,
	concurrency: AdaptiveConcurrency,
	count = 400,
) {
	let inFlight = 0;
	const seen: number[] = [];
	await onItsOwnClock(
		async () =>
			await forEachConcurrent(upTo(count), concurrency, async (index) => {
				inFlight++;
				seen.push(inFlight);
				await sleep(duration(inFlight, index));
				inFlight--;
				return true;
			}),
	);
	return { most: Math.max(...seen), last: Math.max(...seen.slice(-40)) };
}

describe('AdaptiveConcurrency', () => {
	const adaptive = (first: number, max: number) => new AdaptiveConcurrency({ first, max });

	test('doubles up to its bound while responses come as fast as before', async () => {
		expect(await tasksInFlight(() => 100, adaptive(4, 16))).toEqual({ most: 16, last: 16 });
	});

	test('doubles while more responses come per second, though each takes longer', async () => {
		// The response time contains n8n's own work for the rows in flight.
		const busy = (inFlight: number) => 30 + 8 * inFlight;
		expect(await tasksInFlight(busy, adaptive(4, 16))).toEqual({ most: 16, last: 16 });
	});

	test('goes back when more requests in flight only take longer', async () => {
		// A service that handles one request at a time.
		const { most } = await tasksInFlight((inFlight) => 20 * inFlight, adaptive(4, 16), 16);
		expect(most).toBeLessThanOrEqual(8);
	});

	test('goes back at a service that handles one request after the other', async () => {
		let free = 0;
		const oneAtATime = () => {
			free = Math.max(free, Date.now()) + 20;
			return free - Date.now();
		};
		const concurrency = adaptive(4, 16);
		const { most } = await tasksInFlight(oneAtATime, concurrency);
		expect(most).toBeLessThanOrEqual(8);
		expect(concurrency.current).toBeLessThanOrEqual(8);
	});

	test('halves when the service slows down, down to its first number', async () => {
		const slows = (_: number, index: number) => (index < 150 ? 20 : 2000);
		expect(await tasksInFlight(slows, adaptive(4, 16))).toEqual({ most: 16, last: 4 });
	});

	test('halves once when several requests are refused together, and grows again', () => {
		let refusals = 0;
		const concurrency = new AdaptiveConcurrency({
			first: 16,
			max: 16,
			refusals: () => refusals,
		});
		const end = (times: number) => {
			for (let i = 0; i < times; i++) concurrency.finished(20);
		};
		end(16);
		refusals += 10;
		end(10);
		expect(concurrency.current).toBe(8);
		refusals += 3;
		end(6);
		expect(concurrency.current).toBe(8);
		end(8);
		expect(concurrency.current).toBe(16);
		refusals += 1;
		end(16);
		for (const tasks of [8, 4, 2, 1]) {
			refusals += 1;
			end(tasks);
		}
		expect(concurrency.current).toBe(1);
	});

	describe('with a mocked clock', () => {
		let now = 0;

		beforeEach(() => {
			now = 100;
			jest.spyOn(performance, 'now').mockImplementation(() => now);
		});

		afterEach(() => jest.restoreAllMocks());

		/** Ends a round: as many tasks as may be in flight, each of which took some ms. */
		const round = (concurrency: AdaptiveConcurrency, milliseconds: number, at: number) => {
			now = at;
			const { current } = concurrency;
			for (let i = 0; i < current; i++) concurrency.finished(milliseconds);
			return concurrency.current;
		};

		/** Ends the tasks that started before the number was reduced. */
		const settle = (concurrency: AdaptiveConcurrency, before: number) => {
			for (let i = 1; i < before; i++) concurrency.finished(100);
		};

		test('doubles again when that brings a tenth more responses per second', () => {
			const concurrency = adaptive(4, 16);
			expect(round(concurrency, 100, 100)).toBe(8);
			expect(round(concurrency, 100, 100 + 181)).toBe(16);
		});

		test('goes back when doubling brings less than a tenth', () => {
			const concurrency = adaptive(4, 16);
			expect(round(concurrency, 100, 100)).toBe(8);
			expect(round(concurrency, 100, 100 + 182)).toBe(4);
		});

		test('tries to double again after eight more rounds', () => {
			const concurrency = adaptive(4, 16);
			round(concurrency, 100, 100);
			round(concurrency, 100, 500);
			settle(concurrency, 8);
			for (let i = 1; i <= 8; i++) expect(round(concurrency, 100, 500 + 100 * i)).toBe(4);
			expect(round(concurrency, 100, 1400)).toBe(8);
		});

		test('decides after a whole round', () => {
			const concurrency = adaptive(4, 16);
			for (let i = 0; i < 3; i++) concurrency.finished(100);
			expect(concurrency.current).toBe(4);
			concurrency.finished(100);
			expect(concurrency.current).toBe(8);
		});

		test('never exceeds its bound', () => {
			const concurrency = adaptive(4, 6);
			expect(round(concurrency, 100, 100)).toBe(6);
			expect(round(concurrency, 10, 110)).toBe(6);
		});

		test.each([
			[300, 4],
			[301, 2],
		])('after tasks of 100 ms, a round of tasks of %i ms leads to %i', (milliseconds, expected) => {
			const concurrency = adaptive(2, 4);
			expect(round(concurrency, 100, 100)).toBe(4);
			expect(round(concurrency, 100, 200)).toBe(4);
			round(concurrency, milliseconds, 10_000);
			expect(concurrency.current).toBe(expected);
		});

		test('waits, after it halved, for tasks that started before', () => {
			const concurrency = adaptive(2, 8);
			round(concurrency, 100, 100);
			expect(round(concurrency, 100, 110)).toBe(8);
			expect(round(concurrency, 1000, 5000)).toBe(4);
			// The other seven of those eight are still in flight, and do not count for the new number.
			for (let i = 0; i < 7; i++) concurrency.finished(5000);
			expect(concurrency.current).toBe(4);
			expect(round(concurrency, 1000, 6000)).toBe(2);
		});

		test('starts from the number that proved useful before, up to its bound', () => {
			expect(new AdaptiveConcurrency({ first: 4, max: 16, known: 8 }).current).toBe(8);
			expect(new AdaptiveConcurrency({ first: 4, max: 16, known: 32 }).current).toBe(16);
		});

		test('halves a known number below its first one only when requests are refused', () => {
			let refusals = 0;
			const concurrency = new AdaptiveConcurrency({
				first: 4,
				max: 2,
				known: 2,
				refusals: () => refusals,
			});
			round(concurrency, 100, 100);
			expect(round(concurrency, 1000, 5000)).toBe(2);
			settle(concurrency, 2);
			refusals++;
			expect(round(concurrency, 100, 6000)).toBe(1);
		});

		test('reports a number when it proved useful, not while it is tried', () => {
			const learned: number[] = [];
			const concurrency = new AdaptiveConcurrency({
				first: 4,
				max: 16,
				learned: (number) => learned.push(number),
			});
			expect(round(concurrency, 100, 100)).toBe(8);
			expect(learned).toEqual([4]);
			expect(round(concurrency, 100, 200)).toBe(16);
			expect(learned).toEqual([4, 8]);
			expect(round(concurrency, 100, 1000)).toBe(8);
			expect(learned).toEqual([4, 8, 8]);
		});
	});
});

describe('KeyedQueue', () => {
	/** Returns a queue with tasks that the test ends by name. */
	function controlledQueue() {
		const queue = new KeyedQueue();
		const started: string[] = [];
		const end = new Map<string, () => void>();
		const run = async (name: string, ...keys: string[]) =>
			await queue.run(keys, async () => {
				started.push(name);
				await new Promise<void>((resolve) => end.set(name, resolve));
			});
		return { started, run, end: (name: string) => end.get(name)?.() };
	}

	test('runs tasks of one key one after the other, and tasks of two keys side by side', async () => {
		const { started, run, end } = controlledQueue();
		const all = [run('one', 'a'), run('two', 'a'), run('other', 'b')];
		await whatCanGoOn();
		expect(started).toEqual(['one', 'other']);
		end('one');
		await whatCanGoOn();
		expect(started).toEqual(['one', 'other', 'two']);
		['other', 'two'].forEach(end);
		await Promise.all(all);
	});

	test('runs a task after all earlier ones of its key, also when the first of them has ended', async () => {
		const { started, run, end } = controlledQueue();
		const all = [run('one', 'a'), run('two', 'a')];
		await whatCanGoOn();
		end('one');
		await whatCanGoOn();
		all.push(run('three', 'a'));
		await whatCanGoOn();
		expect(started).toEqual(['one', 'two']);
		end('two');
		await whatCanGoOn();
		expect(started).toEqual(['one', 'two', 'three']);
		end('three');
		await Promise.all(all);
	});

	test('runs a task with several keys after the tasks of each of them', async () => {
		const { started, run, end } = controlledQueue();
		const all = [run('one', 'a'), run('two', 'b'), run('both', 'a', 'b')];
		await whatCanGoOn();
		end('one');
		await whatCanGoOn();
		expect(started).toEqual(['one', 'two']);
		end('two');
		await whatCanGoOn();
		expect(started).toEqual(['one', 'two', 'both']);
		end('both');
		await Promise.all(all);
	});

	test('goes on after a task that failed', async () => {
		const queue = new KeyedQueue();
		const failing = queue.run(['a'], async () => {
			throw new Error('No');
		});
		let isDone = false;
		const next = queue.run(['a'], async () => void (isDone = true));
		await expect(failing).rejects.toThrow('No');
		await next;
		expect(isDone).toBe(true);
	});
});
