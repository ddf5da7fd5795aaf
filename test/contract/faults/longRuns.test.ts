import { startSandbox } from '../../../sandbox';
import type { Sandbox } from '../../../sandbox';
import { lastLineOf } from '../../support/child.mts';
import { runNode } from '../../support/engine';

// A hundred thousand rows: whole, in order, and in memory bounded by the rows themselves.

const ROWS = 100_000;
const HEAP_MB = 300;

let sandbox: Sandbox;

beforeAll(async () => {
	sandbox = await startSandbox();
});

afterAll(async () => await sandbox.close());

test('100,000 customers come out whole and in order', async () => {
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
}, 120_000);

test('100,000 customers fit a heap of 300 MB, the engine and the rows included', async () => {
	const { url, apiKey } = sandbox.a;
	const line = await lastLineOf('test/support/longRun.mts', HEAP_MB, [url, apiKey]);
	expect(JSON.parse(line)).toEqual({
		count: sandbox.a.state.customers.size,
		first: `customer${ROWS}@example.com`,
		last: [...sandbox.a.state.customers.keys()][0],
	});
}, 120_000);

test('100,000 rows go out in a thousand requests, each once', async () => {
	sandbox.a.reset();
	const input = Array.from({ length: ROWS }, (_, i) => ({ email: `row${i}@example.com` }));
	const { output, error } = await runNode({
		node: 'surveyA',
		parameters: {
			resource: 'survey',
			operation: 'send',
			campaign: String(sandbox.a.state.campaigns[0]?.id),
			email: '={{ $json.email }}',
		},
		input,
		credential: { baseUrl: sandbox.a.url, apiKey: sandbox.a.apiKey },
	});
	expect(error).toBeUndefined();
	expect(output[0]).toHaveLength(ROWS);
	expect(sandbox.a.requests).toHaveLength(ROWS / 100);
	expect(sandbox.a.state.sent).toHaveLength(ROWS);
}, 180_000);
