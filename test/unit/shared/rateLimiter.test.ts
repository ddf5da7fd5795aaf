import { rateLimiterFor } from '../../../nodes/shared/http/rateLimiter';
import { sleepWithAbort } from '../../../nodes/shared/http/sleep';
import { inParallel } from '../../../nodes/shared/parallel';
import { onItsOwnClock } from '../../support/clock.mts';

let number = 0;
const newAccount = () =>
	rateLimiterFor('Survey', 'http://service.example', `example-key-${number++}`);

test('the same credential has the same account, another key another one', () => {
	const of = (key: string) => rateLimiterFor('Survey A', 'http://service.example', key);
	expect(of('example-1')).toBe(of('example-1'));
	expect(of('example-1')).not.toBe(of('example-2'));
});

test('the pace holds over everyone who shares the account', async () => {
	const account = newAccount();
	const starts: number[] = [];
	await onItsOwnClock(async () => {
		await inParallel(Array(20).keys(), 10, async () => {
			await account.acquire(1200, 0);
			starts.push(Date.now());
			return true;
		});
	});
	const gaps = starts.slice(1).map((start, i) => start - (starts[i] ?? 0));
	expect(gaps).toEqual(new Array(19).fill(50));
});

test.each([300, 1000, 2500, 61_000])(
	'a pause of %i ms holds everyone to its end, and is not paced away',
	async (pause) => {
		const account = newAccount();
		await onItsOwnClock(async () => {
			const begun = Date.now();
			account.pause(pause);
			const waits = await Promise.all([1, 2, 3].map(async () => await account.acquire(0, pause)));
			expect(waits.map((acquired) => acquired?.waited)).toEqual([pause, pause, pause]);
			expect(Date.now() - begun).toBe(pause);
		});
	},
);

test('a pause longer than the budget is not begun', async () => {
	const account = newAccount();
	await onItsOwnClock(async () => {
		const begun = Date.now();
		account.pause(5001);
		expect(await account.acquire(0, 5000)).toBeUndefined();
		expect(Date.now() - begun).toBe(0);
	});
});

test('a shorter pause does not end a longer one', async () => {
	const account = newAccount();
	await onItsOwnClock(async () => {
		account.pause(9000);
		account.pause(10);
		expect(await account.acquire(0, 10_000)).toEqual({ waited: 9000, probes: false });
	});
});

test('waiting ends at once when the run is cancelled', async () => {
	const controller = new AbortController();
	await onItsOwnClock(async () => {
		const begun = Date.now();
		const waiting = sleepWithAbort(60_000, controller.signal);
		await sleepWithAbort(50);
		controller.abort();
		await expect(waiting).rejects.toThrow('The run was cancelled');
		expect(Date.now() - begun).toBe(50);
	});
});

test('a hundred thousand keys are not all remembered, but one under a pause is', () => {
	const of = (key: string) => rateLimiterFor('Survey', 'http://many.example', key);
	const [idle, paused] = [of('example-idle'), of('example-paused')];
	paused.pause(60_000);
	for (let i = 0; i < 100_000; i++) of(`example-${i}`);
	expect(of('example-paused')).toBe(paused);
	expect(of('example-idle')).not.toBe(idle);
});
