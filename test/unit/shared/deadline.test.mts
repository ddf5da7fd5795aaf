import { setTimeout as sleep } from 'node:timers/promises';

import { Deadline } from '../../../nodes/shared/http/deadline';

// What ends a request: its time, its run, or nobody reading on.

test.each([2 ** 31 / 1000, 1e9])(
	'a time of %d s, longer than a timer can be set to, is not over at once',
	async (seconds) => {
		const deadline = new Deadline(seconds);
		await sleep(20);
		expect(deadline.isOver).toBe(false);
		expect(deadline.signal.aborted).toBe(false);
	},
);

test('its time ends the request, a part of a millisecond as well', async () => {
	const deadline = new Deadline(0.0001);
	await new Promise((resolve) => deadline.signal.addEventListener('abort', resolve));
	expect(deadline.isOver).toBe(true);
});

test('its run ends it, before its time', () => {
	const run = new AbortController();
	const deadline = new Deadline(60, run.signal);
	expect(deadline.signal.aborted).toBe(false);
	run.abort();
	expect(deadline.signal.aborted).toBe(true);
	expect(deadline.isOver).toBe(false);
});

test('a run that was cancelled before ends it at once', () => {
	expect(new Deadline(60, AbortSignal.abort()).signal.aborted).toBe(true);
});

test('nobody reading on ends it', () => {
	const deadline = new Deadline(60);
	deadline.abandon();
	expect(deadline.signal.aborted).toBe(true);
});

test('a request that has ended is not ended by its run any more, nor by its time', async () => {
	const run = new AbortController();
	const deadline = new Deadline(0.01, run.signal);
	deadline.release();
	run.abort();
	await sleep(30);
	expect(deadline.signal.aborted).toBe(false);
});
