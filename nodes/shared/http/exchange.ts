import type {
	IAllExecuteFunctions,
	ICredentialsDecrypted,
	ICredentialTestFunctions,
	IDataObject,
	IHttpRequestOptions,
} from 'n8n-workflow';

import { Failure, isN8nError } from '../base/failure';
import { isObject, parsedJson } from '../base/json';
import { credentialTestRequest } from '../n8nInternals';
import type { Credential } from './credential';
import type { ApiRequest } from './request';
import type { Received } from './response';
import { failureOf } from './retry';

export interface Connection {
	transport: Transport;
	credential: Credential;
}

/**
 * Sends a request once and reads the whole response, without the API key. Never throws.
 *
 * @param timeout the longest time to the end of the response, in ms
 */
export async function exchange(
	{ transport, credential }: Connection,
	request: ApiRequest,
	service: string,
	timeout: number,
	cancel?: AbortSignal,
): Promise<Received | Failure> {
	const { method, path, query, body } = request;
	const url = credential.baseUrl + path;
	const failed = new AbortController();
	const deadline = AbortSignal.timeout(timeout);
	// promise: slow-response
	const ends = [failed.signal, deadline];
	const signal = AbortSignal.any(cancel ? [...ends, cancel] : ends);
	try {
		// Of an object, n8n's helper would drop entries called `constructor` or `prototype`.
		const json = isObject(body) ? JSON.stringify(body) : body;
		const sent = transport({ method, url, qs: query, body: json }, { timeout, signal });
		const response = await untilAborted(sent, signal);
		const { statusCode: status, headers } = response;
		const text = await responseText(response.body, service, signal);
		const location = headers.location && credential.redact(String(headers.location));
		// promise: no-key
		const clean = credential.redact(text);
		const parsed = parsedJson(clean);
		const isText = parsed === undefined;
		return { status, headers: { ...headers, location }, body: isText ? clean : parsed };
	} catch (error) {
		// Nothing reads the rest of the response.
		failed.abort();
		if (deadline.aborted) {
			const message = `${service} did not respond within ${Math.round(timeout / 1000)} s`;
			return new Failure('lost', message, { hint: 'Try again later' });
		}
		if (cancel?.aborted) return failureOf(cancel, 'lost');
		if (error instanceof Failure) return error;
		return networkError(error, service, credential);
	}
}

/** In a run, n8n puts the run's signal in place of a request's. */
async function untilAborted(
	response: Promise<RawResponse>,
	signal: AbortSignal,
): Promise<RawResponse> {
	let fail = () => {};
	const aborted = new Promise<never>((_, reject) => {
		fail = () => reject(signal.reason);
		signal.addEventListener('abort', fail);
	});
	// Nothing reads a response that comes later.
	void response.then(
		({ body }) => signal.aborted && isStream(body) && body.destroy(),
		() => undefined,
	);
	try {
		return await Promise.race([response, aborted]);
	} finally {
		signal.removeEventListener('abort', fail);
	}
}

/** A response as n8n's helpers return it: its body is a stream, unless they have read it already. @internal */
export interface RawResponse {
	statusCode: number;
	headers: Record<string, unknown>;
	body: unknown;
}

export type Transport = (
	request: Pick<IHttpRequestOptions, 'method' | 'url' | 'qs' | 'body'>,
	limits: { timeout: number; signal: AbortSignal },
) => Promise<RawResponse>;

export function nodeTransport(
	context: IAllExecuteFunctions,
	credentialsDecrypted: ICredentialsDecrypted,
): Transport {
	const { httpRequestWithAuthentication: send } = context.helpers;
	const { type } = credentialsDecrypted;
	return async (request, { timeout, signal }) => {
		const all: IHttpRequestOptions = {
			...request,
			json: true,
			encoding: 'stream',
			returnFullResponse: true,
			ignoreHttpStatusErrors: true,
			// promise: no-redirect
			disableFollowRedirect: true,
			timeout,
			abortSignal: signal,
		};
		// With `credentialsDecrypted`, n8n does not read the credential again for each request.
		return rawResponse(await send.call(context, type, all, { credentialsDecrypted }));
	};
}

/** n8n's helper for credential tests does not sign. */
export function credentialTestTransport(
	context: Pick<ICredentialTestFunctions, 'helpers'>,
	headers: IDataObject,
): Transport {
	return async (request, { timeout }) =>
		rawResponse(await credentialTestRequest(context, { ...request, headers, timeout }));
}

function rawResponse(value: unknown): RawResponse {
	const { statusCode, headers, body } = isObject(value) ? value : {};
	if (typeof statusCode === 'number' && isObject(headers)) return { statusCode, headers, body };
	throw new Failure('failed', 'n8n returned a response without a status and headers');
}

/**
 * The largest body that is read, after unpacking. n8n's helper would read any amount for 300 s, and 20 s of a flood took
 * 1.5 GB of n8n's memory. A page of a thousand records has about 1 MB.
 */
const MAX_BODY_MB = 32;

/**
 * Reads the body of a response as text. It is UTF-8, as all JSON is.
 *
 * @throws Failure if it is too large; the stream's error: a broken connection, bytes that cannot be unpacked
 * @internal
 */
export async function responseText(
	body: unknown,
	service: string,
	signal: AbortSignal,
): Promise<string> {
	if (!isStream(body)) return typeof body === 'string' ? body : (JSON.stringify(body) ?? '');
	const decoder = new TextDecoder();
	let bytes = 0;
	let text = '';
	const destroy = () => body.destroy();
	signal.addEventListener('abort', destroy);
	try {
		for await (const chunk of body) {
			bytes += chunk.byteLength;
			// promise: large-response
			if (bytes > MAX_BODY_MB * 1024 * 1024) {
				const hint = 'Check the Base URL of the credential, or narrow the list by a filter';
				throw new Failure('tooLarge', `${service} returned more than ${MAX_BODY_MB} MB`, { hint });
			}
			text += decoder.decode(chunk, { stream: true });
		}
	} finally {
		signal.removeEventListener('abort', destroy);
		destroy();
	}
	signal.throwIfAborted();
	return text + decoder.decode();
}

type ByteStream = AsyncIterable<Uint8Array> & { destroy(): unknown };

function isStream(body: unknown): body is ByteStream {
	return isObject(body) && Symbol.asyncIterator in body;
}

/** Codes that guarantee that nothing reached the service: no connection, no such host, a certificate that is not trusted. */
const NEVER_CONNECTED =
	/^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|EADDRNOTAVAIL)$|CERT|SELF_SIGNED|UNABLE_TO_/;

/** TLS errors that mean that the server speaks plain HTTP. */
const PLAIN_HTTP = /wrong version number|packet length too long|unknown protocol/i;

/** A connection that was closed before there was any TLS, for example by a proxy. */
const NO_TLS = /before secure TLS connection was established|before receiving CONNECT response/i;

const CHECK_CONNECTION =
	'Check the Base URL of the credential (https:// or http://, host and port), the proxy that n8n is set to use, its certificates (NODE_EXTRA_CA_CERTS), and whether the service is running';

/**
 * Returns what an error of n8n's HTTP helper means. The helper wraps the cause, so the error code is anywhere in the chain
 * of causes. An unlisted code may have come after the request was sent: a broken connection, an unreadable response. n8n's
 * own refusals are n8n errors without a code.
 *
 * @internal
 */
export function networkError(
	thrown: unknown,
	service: string,
	{ baseUrl, redact }: Pick<Credential, 'baseUrl' | 'redact'>,
): Failure {
	const chain = causesOf(thrown);
	const cause = chain.filter((error) => errorCode(error) !== undefined).at(-1);
	const code = cause && errorCode(cause);
	// Node's own words name the host, or the address of a proxy.
	const reason = redact(String((cause ?? chain.at(-1))?.message || code));
	const unreachable = `${service} could not be reached at ${baseUrl}`;
	const isPlain = PLAIN_HTTP.test(reason);
	if (isPlain || NEVER_CONNECTED.test(code ?? '') || NO_TLS.test(reason)) {
		const message = `${unreachable}: ${isPlain ? 'the server speaks plain HTTP there' : reason}`;
		return new Failure('neverConnected', message, { hint: CHECK_CONNECTION });
	}
	if (code === undefined) {
		const { message, hint } = Failure.from(thrown);
		const kind = isN8nError(chain.at(-1)) ? 'failed' : 'lost';
		return new Failure(kind, redact(message), { hint: hint && redact(hint) });
	}
	const message = `The connection to ${service} closed before the response was complete`;
	return new Failure('lost', message, { hint: 'Try again later' });
}

function causesOf(thrown: unknown): IDataObject[] {
	const chain: IDataObject[] = [];
	for (let error = thrown; isObject(error) && chain.length < 6; error = error.cause) {
		chain.push(error);
	}
	return chain;
}

/** n8n 1.123 drops the cause, and keeps its code in `httpCode`. */
function errorCode({ code, httpCode }: IDataObject): string | undefined {
	if (typeof code === 'string') return code;
	return typeof httpCode === 'string' && /^[A-Z]/.test(httpCode) ? httpCode : undefined;
}
