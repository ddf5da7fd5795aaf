import { setTimeout as sleep } from 'node:timers/promises';

import { Deadline } from '../../../nodes/shared/http/deadline';

// A request ends at its time limit, with its run, or when its response is no longer read.

test.each([2 ** 31 / 1000, 1e9])(
	'a time limit of %d s, longer than a timer allows, does not end the request at once',
	async (seconds) => {
		const deadline = new Deadline(seconds);
		await sleep(20);
		expect(deadline.isOver).toBe(false);
		expect(deadline.signal.aborted).toBe(false);
	},
);

test('the time limit ends the request, even a fraction of a millisecond', async () => {
	const deadline = new Deadline(0.0001);
	await new Promise((resolve) => deadline.signal.addEventListener('abort', resolve));
	expect(deadline.isOver).toBe(true);
});

test('a cancelled run ends the request before its time limit', () => {
	const run = new AbortController();
	const deadline = new Deadline(60, run.signal);
	expect(deadline.signal.aborted).toBe(false);
	run.abort();
	expect(deadline.signal.aborted).toBe(true);
	expect(deadline.isOver).toBe(false);
});

test('a run that was cancelled earlier ends the request at once', () => {
	expect(new Deadline(60, AbortSignal.abort()).signal.aborted).toBe(true);
});

test('a response that is no longer read ends the request', () => {
	const deadline = new Deadline(60);
	deadline.abandon();
	expect(deadline.signal.aborted).toBe(true);
});

test('a request that has ended is not aborted by its run or time limit', async () => {
	const run = new AbortController();
	const deadline = new Deadline(0.01, run.signal);
	deadline.release();
	run.abort();
	await sleep(30);
	expect(deadline.signal.aborted).toBe(false);
});
