import type {
	IAllExecuteFunctions,
	ICredentialsDecrypted,
	ICredentialTestFunctions,
	IHttpRequestOptions,
} from 'n8n-workflow';

import { Failure } from '../base/failure';
import type { Credential } from './credential';
import { networkError } from './networkError';
import type { ApiRequest } from './request';
import type { Received } from './response';
import type { FailedAttempt } from './retry';
import { cancelled } from './retry';
import { credentialTestRequest, signedRequest } from '../n8nInternals';
import { isObject } from '../base/json';

/** The longest time of a timer, in ms: 24 days. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/** The account of a client, and how its requests go out. */
export interface Connection {
	transport: Transport;
	credential: Credential;
}

/** How one attempt may end before its response is there. */
interface AttemptLimits {
	/** The longest time to the end of the response, in seconds. */
	timeout: number;
	/** Ends the attempt and its connection. */
	controller: AbortController;
}

/** Sends a request once and reads the whole response, without the API key. Never throws. */
export async function exchange(
	{ transport, credential }: Connection,
	request: ApiRequest,
	service: string,
	{ timeout, controller }: AttemptLimits,
): Promise<(Received & { isRedacted: boolean }) | FailedAttempt> {
	const { method, path, query, body } = request;
	const url = credential.baseUrl + path;
	if (!path.startsWith('/') || !isNormalizedUrl(url)) return invalidPath(path);
	const time = AbortSignal.timeout(Math.min(Math.ceil(timeout * 1000), MAX_TIMER_MS));
	const end = () => controller.abort();
	time.addEventListener('abort', end);
	try {
		const limits = { timeoutMs: Math.ceil(timeout * 1000), signal: controller.signal };
		const response = await transport({ method, url, qs: query, body }, limits);
		const text = await responseText(response, controller.signal);
		if (text === undefined) {
			controller.abort();
			return tooLarge(request, service);
		}
		const { statusCode: status, headers } = response;
		const { redact } = credential;
		const location = headers.location && redact(String(headers.location));
		const clean = redact(text);
		const isRedacted = clean !== text;
		return { status, headers: { ...headers, location }, body: parsed(clean), isRedacted };
	} catch (error) {
		const isEnded = controller.signal.aborted;
		// Nothing reads the rest of the response.
		controller.abort();
		if (time.aborted) return tooSlow(service, timeout);
		if (isEnded) return { cause: 'final', failure: cancelled('failed') };
		return networkError(error, service, credential);
	} finally {
		time.removeEventListener('abort', end);
	}
}

/** Returns false for a URL that parsing changes: dots, a query, another host in its path. */
function isNormalizedUrl(url: string): boolean {
	return URL.canParse(url) && new URL(url).origin + new URL(url).pathname === url;
}

function parsed(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return text;
	}
}

function invalidPath(path: string): FailedAttempt {
	const message = `The path '${path.slice(0, 200)}' cannot be requested`;
	const hint = 'Enter a path that begins with a slash and has no query';
	return { cause: 'final', failure: new Failure('value', message, { hint }) };
}

function tooLarge({ method }: ApiRequest, service: string): FailedAttempt {
	const kind = method === 'GET' ? 'tooLarge' : 'uncertain';
	const message = `${service} returned more than ${MAX_BODY_MB} MB`;
	const hint = 'Check the Base URL of the credential, or narrow the list by a filter';
	return { cause: 'final', failure: new Failure(kind, message, { hint }) };
}

function tooSlow(service: string, timeout: number): FailedAttempt {
	const message = `${service} did not respond within ${timeout} s`;
	const hint = "Try again later, or increase 'Timeout'";
	return { cause: 'lost', failure: new Failure('failed', message, { hint }) };
}

/** A response as n8n's helpers return it: its body is a stream, unless they have read it already. @internal */
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
const MAX_BODY_MB = 32;

const MAX_BODY_BYTES = MAX_BODY_MB * 1024 * 1024;

/**
 * Reads the body of a response as text; undefined if it is too large. It comes as a stream, because n8n's helper would read
 * a body of any size, for any time.
 *
 * @throws the stream's error: a broken connection, bytes that cannot be unpacked
 * @internal
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
