import { getEventListeners } from 'node:events';
import { Readable } from 'node:stream';

import { responseText } from '../../../nodes/shared/http/exchange';

const NEVER = new AbortController().signal;

const streamOf = (...chunks: Array<string | Uint8Array>) =>
	Readable.from(chunks.map((chunk) => Buffer.from(chunk)));

const read = async (body: unknown, signal = NEVER) => await responseText(body, 'Survey A', signal);

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
	['text', 'text'],
	[{ a: 1 }, '{"a":1}'],
	[undefined, ''],
])('returns %j, which n8n has read already, as text', async (body, text) => {
	expect(await read(body)).toBe(text);
});

test('a response of more than 32 MB is not read to its end [large-response]', async () => {
	const bytesOf = (more: number) => new Uint8Array(32 * 1024 * 1024 + more).fill(0x78);
	expect(await read(streamOf(bytesOf(0)))).toHaveLength(32 * 1024 * 1024);
	const stream = streamOf(bytesOf(1));
	await expect(read(stream)).rejects.toThrow('Survey A returned more than 32 MB');
	expect(stream.destroyed).toBe(true);
});

test('stops reading when it is aborted, and leaves no listeners', async () => {
	const controller = new AbortController();
	const stream = new Readable({ read() {} });
	const reading = read(stream, controller.signal);
	controller.abort();
	await expect(reading).rejects.toThrow();
	expect(stream.destroyed).toBe(true);

	const later = new AbortController();
	await read(streamOf('{}'), later.signal);
	expect(getEventListeners(later.signal, 'abort')).toEqual([]);
});

test('fails if the body ends at the moment of the abort', async () => {
	const controller = new AbortController();
	async function* body() {
		yield Buffer.from('{}');
		controller.abort();
	}
	const stream = Object.assign(body(), { destroy: () => undefined });
	await expect(read(stream, controller.signal)).rejects.toThrow('aborted');
});
