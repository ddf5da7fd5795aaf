import { once } from 'node:events';
import { createServer } from 'node:http';
import type { OutgoingHttpHeaders } from 'node:http';
import { brotliCompressSync, gzipSync } from 'node:zlib';

import { runNode } from '../../support/engine';

// The client reads bodies as a stream, so it has to decode them as n8n's helper would.

const WORD = 'Zürich 中文 😀';
const BYTES = Buffer.from(
	JSON.stringify({ count: 1, next: null, results: [{ id: 1, name: WORD }] }),
);
const JSON_UTF8 = { 'content-type': 'application/json; charset=utf-8' };

const answer: { headers: OutgoingHttpHeaders; body: Buffer } = { headers: {}, body: BYTES };
const server = createServer((_, response) => {
	response.writeHead(200, answer.headers).end(answer.body);
});

beforeAll(async () => {
	server.listen(0, '127.0.0.1');
	await once(server, 'listening');
});

afterAll(() => {
	server.closeAllConnections();
	server.close();
});

test.each<[string, OutgoingHttpHeaders, Buffer]>([
	['without a type', {}, BYTES],
	['as text', { 'content-type': 'text/plain' }, BYTES],
	['gzipped', { ...JSON_UTF8, 'content-encoding': 'gzip' }, gzipSync(BYTES)],
	['in brotli', { ...JSON_UTF8, 'content-encoding': 'br' }, brotliCompressSync(BYTES)],
])('reads JSON %s', async (_, headers, body) => {
	Object.assign(answer, { headers, body });
	const { items } = await runNode({
		node: 'surveyB',
		parameters: { resource: 'contactList', operation: 'getAll', returnAll: true },
		credential: { baseUrl: `http://127.0.0.1:${Object(server.address()).port}`, apiKey: 'example' },
	});
	expect(items).toMatchObject([{ name: WORD }]);
});
