import { createServer, type Server } from 'node:http';

import getPort from 'get-port';

import { retryFailed } from '../../scripts/retryFailed.mts';

// Runs retryFailed against a fake of the two endpoints that it uses.

interface Execution {
	id: string;
	status: string;
	workflowId: string;
	retryOf: string | null;
	retrySuccessId: string | null;
}

let executions: Execution[];
let retries: string[];
let server: Server;
let url: string;

beforeEach(async () => {
	executions = [];
	retries = [];
	server = createServer((request, response) => {
		const { pathname, searchParams } = new URL(request.url ?? '', 'http://localhost');
		const send = (status: number, body: object) =>
			response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
		if (request.headers['x-n8n-api-key'] !== 'key') return send(401, { message: 'unauthorized' });
		const id = /executions\/(\w+)\/retry$/.exec(pathname)?.[1];
		if (!id) return send(200, page(searchParams));
		retries.push(id);
		if (id === 'queued') return send(409, { message: 'Execution is queued to run' });
		return send(200, { id: 1, status: 'success' });
	});
	const port = await getPort();
	await new Promise<void>((done) => server.listen(port, '127.0.0.1', done));
	url = `http://127.0.0.1:${port}/`;
});
afterEach(() => {
	server.closeAllConnections();
	server.close();
});

test('retryFailed retries failed executions of all pages', async () => {
	add(...Array.from({ length: 620 }, (_, i) => ({ id: String(i), status: 'error' })));
	add({ id: 'lost', status: 'crashed' }, { id: 'good', status: 'success' });
	const { retried } = await retryFailed({ url, key: 'key' });
	expect(retried.size).toBe(621);
	expect(retries).toHaveLength(621);
	expect(retries).toContain('lost');
	expect(retries).not.toContain('good');
});

test('retryFailed retries an original once, and never its failed retries', async () => {
	add({ id: '1', status: 'error' }, { id: '2', status: 'error', retryOf: '1' });
	add({ id: '3', status: 'crashed', retryOf: '2' });
	const { retried } = await retryFailed({ url, key: 'key' });
	expect([...retried]).toEqual([['1', 'success']]);
	expect(retries).toEqual(['1']);
});

test.each([
	['its retry succeeded', [{ id: '1', retrySuccessId: '2' }]],
	['a retry of its retry succeeded', [{ id: '1' }, { id: '2', retryOf: '1', retrySuccessId: '3' }]],
	['its retry is still running', [{ id: '1' }, { id: '2', retryOf: '1', status: 'running' }]],
])('retryFailed skips an execution if %s', async (_why, rows) => {
	add(...rows);
	const { retried, skipped } = await retryFailed({ url, key: 'key' });
	expect(skipped).toEqual(['1']);
	expect(retried.size).toBe(0);
	expect(retries).toEqual([]);
});

test('retryFailed can be limited to a workflow and to some executions', async () => {
	add({ id: '1', workflowId: 'a' }, { id: '2', workflowId: 'a' }, { id: '3', workflowId: 'b' });
	await retryFailed({ url, key: 'key', workflow: 'a', ids: ['2', '3'] });
	expect(retries).toEqual(['2']);
});

test('retryFailed changes nothing in a dry run', async () => {
	add({ id: '1' });
	const { retried } = await retryFailed({ url, key: 'key', dryRun: true });
	expect([...retried.keys()]).toEqual(['1']);
	expect(retries).toEqual([]);
});

test('retryFailed reports why n8n refuses a retry, and goes on', async () => {
	add({ id: 'queued' }, { id: '2' });
	const { retried } = await retryFailed({ url, key: 'key' });
	expect(retried.get('queued')).toBe('refused: HTTP 409 Execution is queued to run');
	expect(retried.get('2')).toBe('success');
});

test('retryFailed ends with the message of n8n if the key is wrong', async () => {
	await expect(retryFailed({ url, key: 'other' })).rejects.toThrow('HTTP 401 unauthorized');
});

function add(...rows: Array<Partial<Execution>>) {
	const base = { id: '', status: 'error', workflowId: 'a', retryOf: null, retrySuccessId: null };
	executions.push(...rows.map((row) => ({ ...base, ...row })));
}

function page(query: URLSearchParams) {
	const workflow = query.get('workflowId');
	const found = executions
		.filter(({ status }) => status === query.get('status'))
		.filter(({ workflowId }) => workflow === null || workflowId === workflow);
	const from = Number(query.get('cursor') ?? 0);
	const to = from + Math.min(250, Number(query.get('limit')));
	return { data: found.slice(from, to), nextCursor: to < found.length ? String(to) : null };
}
