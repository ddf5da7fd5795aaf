import { lastLineOf } from '../support/child.mts';
import { digestOf } from '../support/digest.mts';
import { useSandbox } from '../support/sandbox';

// 200,000 rows in a heap far below n8n's own limit.

const ROWS = 200_000;
const HEAP_MB = 600;

const sandbox = useSandbox();

test('reads 200,000 customers completely and in order in a heap of 600 MB', async () => {
	const { a } = sandbox;
	a.seedCustomers(ROWS);
	const line = await lastLineOf('test/support/longRun.mts', HEAP_MB, [a.url, a.apiKey]);
	const wanted = [...a.state.customers.keys()].reverse();
	expect(JSON.parse(line)).toEqual({
		count: wanted.length,
		digest: digestOf(wanted),
		seconds: expect.any(Number),
	});
	expect(a.requests.length).toBeLessThanOrEqual(Math.ceil(wanted.length / 1000) + 1);
}, 600_000);

test('sends 200,000 rows once each, in 2,000 requests, in a heap of 600 MB', async () => {
	const { a } = sandbox;
	a.reset();
	const args = [a.url, a.apiKey, String(ROWS)];
	const line = await lastLineOf('test/support/longRun.mts', HEAP_MB, args);
	const wanted = Array.from({ length: ROWS }, (_, i) => `row${i}@example.com`);
	expect(JSON.parse(line)).toEqual({
		count: ROWS,
		digest: digestOf(wanted),
		seconds: expect.any(Number),
	});
	const sends = a.requests.filter(({ method }) => method === 'POST');
	expect(sends).toHaveLength(ROWS / 100);
	expect(new Set(a.state.sent.map(({ email }) => email)).size).toBe(ROWS);
}, 600_000);

test('mapping each column and a limit take no more than three times the processor time of 40,000 rows', async () => {
	const secondsOf = async (...more: string[]) => {
		const { a } = sandbox;
		a.reset();
		const args = [a.url, a.apiKey, '40000', ...more];
		const line = await lastLineOf('test/support/longRun.mts', HEAP_MB, args);
		expect(JSON.parse(line)).toMatchObject({ count: 40_000 });
		return JSON.parse(line).seconds;
	};
	expect(await secondsOf('limited')).toBeLessThan(3 * (await secondsOf()));
}, 600_000);
