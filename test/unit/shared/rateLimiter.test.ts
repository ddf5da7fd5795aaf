import { fingerprintOf, rateLimiterFor } from '../../../nodes/shared/http/rateLimiter';
import type { RateLimiter } from '../../../nodes/shared/http/rateLimiter';
import { sleepWithAbort } from '../../../nodes/shared/http/retry';
import { onItsOwnClock } from '../../support/clock.mts';

const NEVER = new AbortController().signal;

let number = 0;
const newLimiter = () =>
	rateLimiterFor(fingerprintOf('Survey', 'http://service.example', `example-key-${number++}`));

/** Waits until a request may start. */
async function started(
	limiter: RateLimiter,
	requestsPerMinute: number,
	signal = NEVER,
	isUrgent = false,
) {
	const turn = limiter.queue(isUrgent);
	try {
		for (let delay; (delay = turn.start(requestsPerMinute)); ) {
			await sleepWithAbort(delay.milliseconds, signal);
		}
	} finally {
		turn.leave();
	}
}

test('requests with the same service, host and key share one limiter', () => {
	const of = (baseUrl: string, key = 'example-1', service = 'Survey A') =>
		rateLimiterFor(fingerprintOf(service, baseUrl, key));
	const one = of('http://service.example');
	for (const spelling of [
		'http://service.example/',
		'http://SERVICE.example:80/',
		'https://service.example:443',
		'http://service.example/proxy',
	]) {
		expect(of(spelling)).toBe(one);
	}
	const others = [
		of('http://service.example:8080'),
		of('http://other.example'),
		of('http://service.example', 'example-2'),
		of('http://service.example', 'example-1', 'Survey B'),
	];
	expect(new Set([one, ...others]).size).toBe(5);
	expect(of('http://service.example')).toBe(one);
});

test.each([0.5, 1, 2, 60, 1200])(
	'Requests per Minute = %d starts one request at a time',
	async (pace) => {
		const limiter = newLimiter();
		await onItsOwnClock(async () => {
			const begun = Date.now();
			for (let i = 0; i < 3; i++) await started(limiter, pace);
			expect(Date.now() - begun).toBe((2 * 60_000) / pace);
		});
	},
);

test('cancelled requests give their slots to others', async () => {
	const limiter = newLimiter();
	const run = new AbortController();
	await onItsOwnClock(async () => {
		await started(limiter, 60);
		const waiting = Array.from({ length: 8 }, async () => {
			await expect(started(limiter, 60, run.signal)).rejects.toThrow('The run was cancelled');
		});
		run.abort();
		const begun = Date.now();
		await Promise.all(waiting);
		await started(limiter, 60);
		expect(Date.now() - begun).toBe(1000);
	});
});

test('requests that a user waits for start before those of a run, which keep the pace and their order', async () => {
	const limiter = newLimiter();
	await onItsOwnClock(async () => {
		const begun = Date.now();
		const order: string[] = [];
		const send = async (name: string, isUrgent = false) => {
			await started(limiter, 60, NEVER, isUrgent);
			order.push(`${name} ${Date.now() - begun}`);
		};
		const run = [1, 2, 3, 4].map(async (number) => await send(`row ${number}`));
		const user = [1, 2].map(async (number) => await send(`user ${number}`, true));
		await Promise.all([...run, ...user]);
		expect(order).toEqual([
			'row 1 0',
			'user 1 1000',
			'user 2 2000',
			'row 2 3000',
			'row 3 4000',
			'row 4 5000',
		]);
	});
});

test('after a pause, requests that a user waits for start first', async () => {
	const limiter = newLimiter();
	await onItsOwnClock(async () => {
		const order: string[] = [];
		limiter.pause(3000);
		const send = async (name: string, isUrgent: boolean) => {
			await started(limiter, 0, NEVER, isUrgent);
			order.push(name);
		};
		await Promise.all([send('row', false), send('row', false), send('user', true)]);
		expect(order).toEqual(['user', 'row', 'row']);
	});
});

test('a request moves up when those before it are cancelled', async () => {
	const limiter = newLimiter();
	const run = new AbortController();
	await onItsOwnClock(async () => {
		const begun = Date.now();
		await started(limiter, 10);
		const cancelled = [1, 2, 3].map(async () => await started(limiter, 10, run.signal));
		const last = started(limiter, 10);
		run.abort();
		await Promise.allSettled(cancelled);
		await last;
		expect(Date.now() - begun).toBe(6000);
	});
});

test('a request that a user no longer waits for holds back no request of a run', () => {
	const limiter = newLimiter();
	limiter.queue(true).leave();
	expect(limiter.queue().start(60)).toBeUndefined();
});

test('a late timer does not slow down the pace', async () => {
	const limiter = newLimiter();
	await onItsOwnClock(async () => {
		const begun = Date.now();
		for (let i = 0; i < 10; i++) {
			await started(limiter, 600);
			await sleepWithAbort(i % 2 === 0 ? 130 : 10, NEVER);
		}
		expect(Date.now() - begun).toBeLessThanOrEqual(1000);
	});
});

test('a shorter pause does not shorten a longer one', async () => {
	const limiter = newLimiter();
	await onItsOwnClock(async () => {
		limiter.pause(9000);
		limiter.pause(10);
		expect(limiter.queue().start(0)).toEqual({ milliseconds: 9000, reason: 'pause' });
	});
});

test('the pace starts anew after an unused interval', async () => {
	const limiter = newLimiter();
	await onItsOwnClock(async () => {
		await started(limiter, 60);
		await sleepWithAbort(2000, NEVER);
		await started(limiter, 60);
		expect(limiter.queue().start(60)).toEqual({ milliseconds: 1000, reason: 'pace' });
	});
});

test('only some of many limiters stay in memory, among them one with a pause until it is over', async () => {
	const of = (key: string) => rateLimiterFor(fingerprintOf('Survey', 'http://many.example', key));
	const addMany = (name: string) => {
		for (let i = 0; i < 1000; i++) of(`example-${name}-${i}`);
	};
	await onItsOwnClock(async () => {
		const [idle, paused] = [of('example-idle'), of('example-paused')];
		paused.pause(1000);
		addMany('early');
		expect(of('example-paused')).toBe(paused);
		expect(of('example-idle')).not.toBe(idle);
		await sleepWithAbort(1000, NEVER);
		addMany('late');
		expect(of('example-paused')).not.toBe(paused);
	});
});
