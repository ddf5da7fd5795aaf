import { sleep } from 'n8n-workflow';

/** ms of synchronous work after which n8n's one thread is free for requests in flight and other workflows. */
const MAX_WORK_MS = 50;

/** To be awaited between parts of long work. It yields to the event loop after 50 ms of synchronous work. */
export function yieldToEventLoop(): () => Promise<void> {
	let start = performance.now();
	return async () => {
		if (performance.now() - start < MAX_WORK_MS) return;
		await sleep(0);
		start = performance.now();
	};
}

/** ms of starting tasks after which responses get their turn. `sleep(0)` takes 1 ms, too long for every task. */
const MAX_STARTING_MS = 5;

/**
 * Runs a task for each item, several at a time, started in order. An item is requested when there is room for it.
 *
 * @param task when it returns false or fails, no further task starts
 */
export async function forEachConcurrent<Item>(
	items: Iterable<Item> | AsyncIterable<Item>,
	concurrency: number,
	task: (item: Item) => Promise<boolean>,
): Promise<void> {
	const inFlight = new Set<Promise<unknown>>();
	let goesOn = true;
	let wake = () => {};

	const start = async (item: Item) => {
		let isOk = false;
		try {
			isOk = await task(item);
		} finally {
			goesOn &&= isOk;
		}
	};

	let idleAt = performance.now();
	for await (const item of items) {
		if (!goesOn) break;
		const running: Promise<unknown> = start(item)
			.then(() => inFlight.delete(running))
			.finally(() => wake());
		inFlight.add(running);
		// `Promise.all` below reports the error.
		running.catch(() => undefined);
		if (performance.now() - idleAt >= MAX_STARTING_MS) {
			await sleep(0);
			idleAt = performance.now();
		}
		while (goesOn && inFlight.size >= concurrency) {
			await new Promise<void>((resolve) => (wake = resolve));
			idleAt = performance.now();
		}
	}
	await Promise.all(inFlight);
}
