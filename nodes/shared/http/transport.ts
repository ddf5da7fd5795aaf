import type {
	IAllExecuteFunctions,
	ICredentialsDecrypted,
	ICredentialTestFunctions,
	IHttpRequestOptions,
} from 'n8n-workflow';

import { credentialTestRequest, signedRequest } from '../n8nInternals';
import { Failure } from '../base/failure';
import { isObject } from '../base/json';

/** A response as n8n's helpers return it: its body is a stream, unless they have read it already. */
export interface RawResponse {
	statusCode: number;
	headers: Record<string, unknown>;
	body: unknown;
}

/** Signs and sends a request. */
export type Transport = (
	request: Pick<IHttpRequestOptions, 'method' | 'url' | 'qs' | 'body'>,
	limits: { timeoutMs: number; signal: AbortSignal },
) => Promise<RawResponse>;

/** Returns a transport that uses n8n's HTTP helper, which signs with the credential. */
export function nodeTransport(
	context: IAllExecuteFunctions,
	credentialsDecrypted: ICredentialsDecrypted,
): Transport {
	return async (request, { timeoutMs, signal }) =>
		rawResponse(
			await signedRequest(context, credentialsDecrypted, {
				...request,
				json: true,
				encoding: 'stream',
				returnFullResponse: true,
				ignoreHttpStatusErrors: true,
				disableFollowRedirect: true,
				timeout: timeoutMs,
				abortSignal: signal,
			}),
		);
}

/** Returns a transport for a credential test. n8n's helper for those does not sign. */
export function credentialTestTransport(
	context: Pick<ICredentialTestFunctions, 'helpers'>,
	authorization: string,
): Transport {
	const headers = { Authorization: authorization, 'Content-Type': 'application/json' };
	return async (request, { timeoutMs, signal }) => {
		const tooLate = new Promise<never>((_, reject) => {
			signal.addEventListener('abort', () => reject(signal.reason));
		});
		const response = credentialTestRequest(context, { ...request, headers, timeout: timeoutMs });
		return rawResponse(await Promise.race([response, tooLate]));
	};
}

function rawResponse(value: unknown): RawResponse {
	const { statusCode, headers, body } = isObject(value) ? value : {};
	if (typeof statusCode === 'number' && isObject(headers)) return { statusCode, headers, body };
	throw new Failure('failed', 'n8n returned a response without a status and headers');
}

/** The largest body that is read, after unpacking. A page of a thousand records has about 1 MB. */
export const MAX_BODY_MB = 32;

const MAX_BODY_BYTES = MAX_BODY_MB * 1024 * 1024;

/**
 * Reads the body of a response as text; undefined if it is too large. It comes as a stream, because n8n's helper would read
 * a body of any size, for any time.
 *
 * @throws the stream's error: a broken connection, bytes that cannot be unpacked
 */
export async function responseText(
	{ body, headers }: RawResponse,
	signal: AbortSignal,
): Promise<string | undefined> {
	if (!isStream(body)) return typeof body === 'string' ? body : (JSON.stringify(body) ?? '');
	const end = () => body.destroy();
	signal.addEventListener('abort', end, { once: true });
	try {
		const text = await textOf(body, headers);
		signal.throwIfAborted();
		if (text === undefined) end();
		return text;
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
): Promise<string | undefined> {
	const decoder = decoderFor(String(headers['content-type'] ?? ''));
	let bytes = 0;
	let text = '';
	if (Number(headers['content-length']) > MAX_BODY_BYTES) return undefined;
	for await (const chunk of stream) {
		if (!ArrayBuffer.isView(chunk)) throw new TypeError('The response is not a stream of bytes');
		bytes += chunk.byteLength;
		if (bytes > MAX_BODY_BYTES) return undefined;
		text += decoder.decode(chunk, { stream: true });
	}
	return text + decoder.decode();
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
