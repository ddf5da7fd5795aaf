import { getEventListeners } from 'node:events';
import { Readable } from 'node:stream';

import { responseText } from '../../../nodes/shared/http/exchange';

const NEVER = new AbortController().signal;

const streamOf = (...chunks: Array<string | Uint8Array>) =>
	Readable.from(chunks.map((chunk) => Buffer.from(chunk)));

const read = async (body: unknown, headers = {}, signal = NEVER) =>
	await responseText({ body, headers, statusCode: 200 }, signal);

test.each<[string, Array<string | Uint8Array>, string]>([
	['two chunks', ['{"a":', '[1, 2]}'], '{"a":[1, 2]}'],
	['nothing', [], ''],
	['a letter in two chunks', [Uint8Array.of(0xc3), Uint8Array.of(0xa9)], 'é'],
	['half of a letter at the end', ['e', Uint8Array.of(0xc3)], 'e\uFFFD'],
	['a byte order mark before JSON', [Uint8Array.of(0xef, 0xbb, 0xbf), '[1]'], '[1]'],
])('reads a stream of %s', async (_, chunks, text) => {
	expect(await read(streamOf(...chunks))).toBe(text);
});

test.each([
	['text/html; charset=iso-8859-1', 'é'],
	['text/html; charset="iso-8859-1"; x=y', 'é'],
	['text/html; CHARSET=ISO-8859-1', 'é'],
	['text/html; charset=of-our-own', '\uFFFD'],
	[undefined, '\uFFFD'],
])('reads bytes of %s as %j', async (contentType, text) => {
	expect(await read(streamOf(Uint8Array.of(0xe9)), { 'content-type': contentType })).toBe(text);
});

test.each([
	['text', 'text'],
	[{ a: 1 }, '{"a":1}'],
	[undefined, ''],
])('returns %j, which n8n has read already, as text', async (body, text) => {
	expect(await read(body)).toBe(text);
});

test('does not read a body whose stated length is too large, and closes its connection', async () => {
	const stream = streamOf('{}');
	const most = 32 * 1024 * 1024;
	expect(await read(streamOf('{}'), { 'content-length': String(most) })).toBe('{}');
	expect(await read(stream, { 'content-length': String(most + 1) })).toBeUndefined();
	expect(stream.destroyed).toBe(true);
});

test.each([
	[0, 'x'.repeat(32 * 1024 * 1024)],
	[1, undefined],
])(
	'a response of more than 32 MB is not read to its end: %i bytes more [large-response]',
	async (more, expected) => {
		const bytes = new Uint8Array(32 * 1024 * 1024 + more).fill(0x78);
		expect((await read(streamOf(bytes))) === expected).toBe(true);
	},
);

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
