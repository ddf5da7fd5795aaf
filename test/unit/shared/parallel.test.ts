import { sleep } from 'n8n-workflow';

import { forEachConcurrent, yieldToEventLoop } from '../../../nodes/shared/parallel';
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
});

test('yieldToEventLoop lets timers fire after 50 ms of work', async () => {
	await onItsOwnClock(async () => {
		let hasFired = false;
		void sleep(0).then(() => (hasFired = true));
		const yieldAfterWork = yieldToEventLoop();
		workFor(49);
		await yieldAfterWork();
		expect(hasFired).toBe(false);
		workFor(1);
		await yieldAfterWork();
		expect(hasFired).toBe(true);
	});
});
