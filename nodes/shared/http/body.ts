import { mayHoldKey, redactData, redactText } from './redactKey';
import type { RawResponse } from './transport';

/** The largest body that is read, after unpacking. A page of a thousand records has about 1 MB. */
export const MAX_BODY_MB = 32;

const MAX_BODY_BYTES = MAX_BODY_MB * 1024 * 1024;

export const TOO_LARGE = Symbol('too large');

interface Body {
	body: unknown;
	/** True if the key was removed. */
	isRedacted: boolean;
}

/**
 * Reads the body of a response, without the API key: parsed if it is JSON, else as text. It comes as a stream, because
 * n8n's helper would read a body of any size, for any time.
 *
 * @throws the stream's error: a broken connection, bytes that cannot be unpacked
 */
export async function readBody(
	{ body, headers }: RawResponse,
	apiKey: string,
	signal: AbortSignal,
): Promise<Body | typeof TOO_LARGE> {
	if (!isStream(body)) return redacted(body, JSON.stringify(body) ?? '', apiKey);
	const end = () => body.destroy();
	signal.addEventListener('abort', end, { once: true });
	try {
		const text = await textOf(body, headers);
		signal.throwIfAborted();
		return text === TOO_LARGE ? text : parse(text, apiKey);
	} finally {
		signal.removeEventListener('abort', end);
	}
}

type ByteStream = AsyncIterable<unknown> & { destroy(): unknown };

function isStream(body: unknown): body is ByteStream {
	if (typeof body !== 'object' || body === null) return false;
	if (!(Symbol.asyncIterator in body && 'destroy' in body)) return false;
	return typeof body[Symbol.asyncIterator] === 'function' && typeof body.destroy === 'function';
}

async function textOf(
	stream: ByteStream,
	headers: RawResponse['headers'],
): Promise<string | typeof TOO_LARGE> {
	const decoder = decoderFor(String(headers['content-type'] ?? ''));
	let bytes = 0;
	let text = '';
	if (Number(headers['content-length']) > MAX_BODY_BYTES) return tooLarge(stream);
	for await (const chunk of stream) {
		if (!ArrayBuffer.isView(chunk)) throw new TypeError('The response is not a stream of bytes');
		bytes += chunk.byteLength;
		if (bytes > MAX_BODY_BYTES) return tooLarge(stream);
		text += decoder.decode(chunk, { stream: true });
	}
	return text + decoder.decode();
}

function tooLarge(stream: ByteStream): typeof TOO_LARGE {
	stream.destroy();
	return TOO_LARGE;
}

/** JSON is UTF-8, but some servers say otherwise. A decoder leaves out a byte order mark. */
function decoderFor(contentType: string): TextDecoder {
	const charset = contentType.match(/charset="?([^\s";]+)/i)?.[1];
	try {
		return new TextDecoder(charset);
	} catch {
		return new TextDecoder();
	}
}

function parse(text: string, apiKey: string): Body {
	try {
		return redacted(JSON.parse(text), text, apiKey);
	} catch {
		return { body: redactText(text, apiKey), isRedacted: false };
	}
}

function redacted(body: unknown, text: string, apiKey: string): Body {
	if (!mayHoldKey(text, apiKey)) return { body, isRedacted: false };
	const clean = redactData(body, apiKey);
	return { body: clean, isRedacted: JSON.stringify(clean) !== JSON.stringify(body) };
}
