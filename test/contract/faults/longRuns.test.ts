import { startSandbox } from '../../../sandbox';
import type { Sandbox } from '../../../sandbox';
import { lastLineOf } from '../../support/child.mts';
import { runNode } from '../../support/engine';

// Two hundred thousand rows: whole, in order, and in memory bounded by the rows themselves, far below n8n's own heap.

const ROWS = 200_000;
const HEAP_MB = 600;

let sandbox: Sandbox;

beforeAll(async () => {
	sandbox = await startSandbox();
});

afterAll(async () => await sandbox.close());

test('200,000 customers come out whole and in order', async () => {
	sandbox.a.seedCustomers(ROWS);
	const wanted = [...sandbox.a.state.customers.values()].map(({ id }) => id).reverse();
	const { output, error } = await runNode({
		node: 'surveyA',
		parameters: { resource: 'customer', operation: 'getAll', returnAll: true },
		credential: { baseUrl: sandbox.a.url, apiKey: sandbox.a.apiKey },
	});
	expect(error).toBeUndefined();
	const found = (output[0] ?? []).map(({ json }) => json.id);
	expect(found).toEqual(wanted);
	expect(sandbox.a.requests.length).toBeLessThanOrEqual(Math.ceil(wanted.length / 1000) + 1);
}, 600_000);

test('200,000 customers fit a heap of 600 MB, the engine and the rows included', async () => {
	const { url, apiKey } = sandbox.a;
	const line = await lastLineOf('test/support/longRun.mts', HEAP_MB, [url, apiKey]);
	expect(JSON.parse(line)).toEqual({
		count: sandbox.a.state.customers.size,
		first: `customer${ROWS}@example.com`,
		last: [...sandbox.a.state.customers.keys()][0],
	});
}, 600_000);

test('200,000 rows go out in two thousand requests, each once, in the same heap', async () => {
	const { a } = sandbox;
	a.reset();
	const args = [a.url, a.apiKey, String(ROWS)];
	const line = await lastLineOf('test/support/longRun.mts', HEAP_MB, args);
	expect(JSON.parse(line)).toEqual({
		count: ROWS,
		first: 'row0@example.com',
		last: `row${ROWS - 1}@example.com`,
	});
	expect(a.requests).toHaveLength(ROWS / 100);
	expect(new Set(a.state.sent.map(({ email }) => email)).size).toBe(ROWS);
}, 600_000);
