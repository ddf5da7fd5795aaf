import { getEventListeners } from 'node:events';
import { Readable } from 'node:stream';

import { readBody, TOO_LARGE } from '../../../nodes/shared/http/body';

const KEY = 'key of more than sixteen characters';
const NEVER = new AbortController().signal;

const streamOf = (...chunks: Array<string | Uint8Array>) =>
	Readable.from(chunks.map((chunk) => Buffer.from(chunk)));

const read = async (body: unknown, headers = {}, signal = NEVER) => {
	const read = await readBody({ body, headers, statusCode: 200 }, KEY, signal);
	return read === TOO_LARGE ? read : read.body;
};

test.each<[string, Array<string | Uint8Array>, unknown]>([
	['JSON', ['{"a":', '[1, 2]}'], { a: [1, 2] }],
	['a text', ['no ', 'JSON'], 'no JSON'],
	['nothing', [], ''],
	['half of JSON', ['{"a":'], '{"a":'],
	['a letter in two chunks', [Uint8Array.of(0xc3), Uint8Array.of(0xa9)], 'é'],
	['half of a letter at the end', ['e', Uint8Array.of(0xc3)], 'e\uFFFD'],
	['a byte order mark before JSON', [Uint8Array.of(0xef, 0xbb, 0xbf), '[1]'], [1]],
])('reads a stream of %s', async (_, chunks, body) => {
	expect(await read(streamOf(...chunks))).toEqual(body);
});

test.each([
	['text/html; charset=iso-8859-1', 'é'],
	['text/html; charset="iso-8859-1"; x=y', 'é'],
	['text/html; CHARSET=ISO-8859-1', 'é'],
	['text/html; charset=of-our-own', '\uFFFD'],
	['text/html', '\uFFFD'],
	[undefined, '\uFFFD'],
])('reads bytes of %s as %j', async (contentType, text) => {
	expect(await read(streamOf(Uint8Array.of(0xe9)), { 'content-type': contentType })).toBe(text);
});

test.each([[{ a: 1 }], ['text'], [null], [undefined], [7]])(
	'returns %j, which n8n has parsed already, unchanged',
	async (body) => expect(await read(body)).toBe(body),
);

test('does not read a body whose stated length is too large, and closes its connection', async () => {
	const stream = streamOf('{}');
	expect(await read(stream, { 'content-length': String(32 * 1024 * 1024 + 1) })).toBe(TOO_LARGE);
	expect(stream.destroyed).toBe(true);
});

test.each([
	[0, 'x'.repeat(32 * 1024 * 1024)],
	[1, TOO_LARGE],
])('reads at most 32 MB of a body without a stated length: %i more', async (more, expected) => {
	const bytes = new Uint8Array(32 * 1024 * 1024 + more).fill(0x78);
	expect((await read(streamOf(bytes))) === expected).toBe(true);
});

test('reads a body of exactly the largest length', async () => {
	expect(await read(streamOf('{}'), { 'content-length': String(32 * 1024 * 1024) })).toEqual({});
});

test.each<[string, string, unknown]>([
	['as it is', `{"a":{"${KEY}":["${KEY}"]}}`, { a: { '***': ['***'] } }],
	['with escaped slashes', '{"a":"Token ab\\/12345678"}', { a: 'Token ***' }],
	['with escaped hyphens', '{"a":"cd\\u002d12345678"}', { a: '***' }],
	['as a number', '{"a":[1234567890123456789]}', { a: ['***'] }],
	['as a number with an exponent', '{"a":1.5e7}', { a: '***' }],
	['in broken JSON', '{"a":"cd\\u002d12345678"', '{"a":"***"'],
])('replaces the API key in a body that returns it %s', async (_, text, body) => {
	const keys = [KEY, 'ab/12345678', 'cd-12345678', '1234567890123456789', '15000000'];
	const results = [];
	for (const key of keys) {
		const response = { body: streamOf(text), headers: {}, statusCode: 200 };
		results.push(await readBody(response, key, NEVER));
	}
	const isRedacted = typeof body === 'object';
	expect(results).toContainEqual({ body, isRedacted });
});

test('a body is not redacted if a comment contains the key by chance', async () => {
	const response = { body: streamOf('{"a":"a good word"}'), headers: {}, statusCode: 200 };
	const body = { a: 'a good word' };
	expect(await readBody(response, 'good', NEVER)).toEqual({ body, isRedacted: false });
});

test('replaces the API key in a body that n8n has parsed already', async () => {
	expect(await read({ a: KEY })).toEqual({ a: '***' });
});

test('fails on a stream of something other than bytes', async () => {
	const stream = Object.assign(Readable.from([{ a: 1 }]), { setEncoding: undefined });
	await expect(read(stream)).rejects.toThrow('The response is not a stream of bytes');
});

test('stops reading when it is aborted, and leaves no listeners', async () => {
	const controller = new AbortController();
	const stream = new Readable({ read() {} });
	const reading = read(stream, {}, controller.signal);
	controller.abort();
	await expect(reading).rejects.toThrow();
	expect(stream.destroyed).toBe(true);

	const later = new AbortController();
	await read(streamOf('{}'), {}, later.signal);
	expect(getEventListeners(later.signal, 'abort')).toEqual([]);
});

test('fails if the body ends at the moment of the abort', async () => {
	const controller = new AbortController();
	async function* body() {
		yield Buffer.from('{}');
		controller.abort();
	}
	const stream = Object.assign(body(), { destroy: () => undefined });
	await expect(read(stream, {}, controller.signal)).rejects.toThrow('aborted');
});
