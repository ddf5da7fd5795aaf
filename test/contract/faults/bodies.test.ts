import { gzipped, inBrotli, startRawServer } from '../../support/rawServer.mts';
import type { RawResponse, RawServer } from '../../support/rawServer.mts';
import { runNode } from '../../support/engine';

// The client reads bodies as a stream, so it has to decode them as n8n's helper would.

const JSON_UTF8 = { 'content-type': 'application/json; charset=utf-8' };

const list = (name: string) => JSON.stringify({ count: 1, next: null, results: [{ id: 1, name }] });

let server: RawServer;

beforeAll(async () => {
	server = await startRawServer();
});

afterAll(() => server.close());

async function names(): Promise<unknown> {
	const { output, error } = await runNode({
		node: 'surveyB',
		parameters: { resource: 'contactList', operation: 'getAll', returnAll: true },
		credential: { baseUrl: server.url, apiKey: 'example-key' },
	});
	return error?.message ?? (output[0] ?? []).map(({ json }) => json.name);
}

const WORD = 'Zürich 中文 😀';
const bytes = Buffer.from(list(WORD));

test.each<[string, Partial<RawResponse>]>([
	['without a type', { headers: {}, pieces: [bytes] }],
	['as text', { headers: { 'content-type': 'text/plain' }, pieces: [bytes] }],
	['gzipped', { headers: { ...JSON_UTF8, 'content-encoding': 'gzip' }, pieces: [gzipped(bytes)] }],
	['in brotli', { headers: { ...JSON_UTF8, 'content-encoding': 'br' }, pieces: [inBrotli(bytes)] }],
])('reads JSON %s', async (_, given) => {
	server.answer = { headers: JSON_UTF8, pieces: [], ...given };
	expect(await names()).toEqual([WORD]);
});
