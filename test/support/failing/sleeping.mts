import { setTimeout as sleep } from 'node:timers/promises';

// `test/long/environments.test.mts` runs this file.

test.each([
	['a timer', async () => await new Promise((resolve) => setTimeout(resolve, 1000))],
	['a promise', async () => await sleep(1001)],
	[
		'a signal',
		async () =>
			await new Promise((resolve) => AbortSignal.timeout(1002).addEventListener('abort', resolve)),
	],
])('waits for %s', async (_, wait) => await wait());

test('only lets other work go on', async () => await sleep(1));
