import type { IN8nHttpFullResponse } from 'n8n-workflow';

import { redactAnswer } from './redactKey';

/** The most that is read of one body, in MB, after unpacking. A page of a thousand records has about one. */
export const MOST_MB = 256;

const MOST_BYTES = MOST_MB * 1024 * 1024;

/** A body that is larger than anything a service has to say. */
export const TOO_LARGE = Symbol('too large');

interface ByteStream extends AsyncIterable<Uint8Array> {
	destroy(): unknown;
}

/**
 * Reads the body of a response that came as a stream: JSON where it is JSON, else its text. n8n's helper
 * would read a body of any size, for any time, before it gives it.
 *
 * @param apiKey is not in what comes out
 * @param signal ends the reading
 * @returns the body, or TOO_LARGE
 * @throws what the stream throws: a broken connection, bytes that cannot be unpacked
 */
export async function readBody(
	{ body, headers }: IN8nHttpFullResponse,
	apiKey: string,
	signal: AbortSignal,
): Promise<unknown> {
	if (!isStream(body)) return body;
	const end = () => body.destroy();
	signal.addEventListener('abort', end, { once: true });
	try {
		const text = await textOf(body, headers);
		signal.throwIfAborted();
		return typeof text === 'string' ? redactAnswer(jsonOrText(text), text, apiKey) : text;
	} finally {
		signal.removeEventListener('abort', end);
	}
}

function isStream(body: unknown): body is ByteStream {
	return typeof body === 'object' && body !== null && Symbol.asyncIterator in body;
}

async function textOf(
	stream: ByteStream,
	headers: IN8nHttpFullResponse['headers'],
): Promise<string | typeof TOO_LARGE> {
	const decoder = decoderFor(String(headers['content-type'] ?? ''));
	let bytes = 0;
	let text = '';
	if (Number(headers['content-length']) > MOST_BYTES) return tooLarge(stream);
	for await (const chunk of stream) {
		bytes += chunk.length;
		if (bytes > MOST_BYTES) return tooLarge(stream);
		text += decoder.decode(chunk, { stream: true });
	}
	return text + decoder.decode();
}

function tooLarge(stream: ByteStream): typeof TOO_LARGE {
	stream.destroy();
	return TOO_LARGE;
}

/** JSON is UTF-8, but some servers say otherwise. A byte order mark is left out. */
function decoderFor(contentType: string): TextDecoder {
	const [, charset = 'utf-8'] = contentType.match(/charset="?([^\s";]+)/i) ?? [];
	try {
		return new TextDecoder(charset);
	} catch {
		return new TextDecoder();
	}
}

function jsonOrText(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return text;
	}
}
