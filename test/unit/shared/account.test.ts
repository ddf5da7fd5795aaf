import { rateLimiterFor, sleepWithAbort } from '../../../nodes/shared/http/rateLimiter';
import { inParallel } from '../../../nodes/shared/parallel';

let number = 0;
const newAccount = () =>
	rateLimiterFor('Survey', 'http://service.example', `example-key-${number++}`);

test('the same credential has the same account, another key another one', () => {
	const of = (key: string) => rateLimiterFor('Survey A', 'http://service.example', key);
	expect(of('example-1')).toBe(of('example-1'));
	expect(of('example-1')).not.toBe(of('example-2'));
});

test('the pace holds over everyone who shares the account', async () => {
	// A clock of its own: on a busy machine real timers run late, and the next one is then early.
	jest.useFakeTimers();
	const account = newAccount();
	const starts: number[] = [];
	const working = inParallel(20, 10, async () => {
		await account.acquire(1200, 0);
		starts.push(Date.now());
		return true;
	});
	await jest.advanceTimersByTimeAsync(2000);
	await working;
	jest.useRealTimers();
	const gaps = starts.slice(1).map((start, i) => start - (starts[i] ?? 0));
	expect((starts.at(-1) ?? 0) - (starts[0] ?? 0)).toBeGreaterThanOrEqual(19 * 50 - 20);
	expect(Math.min(...gaps)).toBeGreaterThanOrEqual(35);
});

test('one pause holds everyone, and is not paced away', async () => {
	const account = newAccount();
	account.pause(300);
	const begun = Date.now();
	const waits = await Promise.all([1, 2, 3].map(async () => await account.acquire(0, 1000)));
	expect(Date.now() - begun).toBeGreaterThanOrEqual(295);
	for (const waited of waits) expect(waited).toBeGreaterThanOrEqual(290);
});

test('a pause longer than the budget is not begun', async () => {
	const account = newAccount();
	account.pause(10_000);
	const begun = Date.now();
	expect(await account.acquire(0, 5000)).toBeUndefined();
	expect(Date.now() - begun).toBeLessThan(100);
});

test('waiting ends at once when the run is cancelled', async () => {
	const controller = new AbortController();
	const begun = Date.now();
	const waiting = sleepWithAbort(60_000, controller.signal);
	await sleepWithAbort(50);
	controller.abort();
	await expect(waiting).rejects.toThrow('The run was cancelled');
	expect(Date.now() - begun).toBeLessThan(500);
});
