import type {
	IAllExecuteFunctions,
	ICredentialsDecrypted,
	ICredentialTestFunctions,
	IDataObject,
	IHttpRequestOptions,
} from 'n8n-workflow';

import { Failure } from '../base/failure';
import { isObject } from '../base/json';
import { credentialTestRequest, signedRequest, isN8nError } from '../n8nInternals';
import type { Credential } from './credential';
import type { ApiRequest } from './request';
import type { Received } from './response';
import { CANCELLED } from './retry';

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
): Promise<(Received & { isRedacted: boolean }) | Failure> {
	const { method, path, query, body } = request;
	const url = credential.baseUrl + path;
	if (!path.startsWith('/') || !isNormalizedUrl(url)) return invalidPath(path);
	const timeoutMs = Math.min(Math.ceil(timeout * 1000), MAX_TIMER_MS);
	const time = AbortSignal.timeout(timeoutMs);
	const end = () => controller.abort();
	// promise: slow-response
	time.addEventListener('abort', end);
	try {
		const limits = { timeoutMs, signal: controller.signal };
		// Of an object, n8n's helper would drop entries called `constructor` or `prototype`.
		const json = isObject(body) ? JSON.stringify(body) : body;
		const response = await transport({ method, url, qs: query, body: json }, limits);
		const text = await responseText(response, controller.signal);
		if (text === undefined) {
			controller.abort();
			return tooLarge(service);
		}
		const { statusCode: status, headers } = response;
		const { redact } = credential;
		const location = headers.location && redact(String(headers.location));
		// promise: no-key
		const clean = redact(text);
		const isRedacted = clean !== text;
		return { status, headers: { ...headers, location }, body: parsed(clean), isRedacted };
	} catch (error) {
		const isEnded = controller.signal.aborted;
		// Nothing reads the rest of the response.
		controller.abort();
		if (time.aborted) return tooSlow(service, timeout);
		if (isEnded) return new Failure('lost', CANCELLED);
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

function invalidPath(path: string): Failure {
	const message = `The path '${path}' cannot be requested`;
	const hint = 'Enter a path that begins with a slash and has no query';
	return new Failure('value', message, { hint });
}

function tooLarge(service: string): Failure {
	const hint = 'Check the Base URL of the credential, or narrow the list by a filter';
	return new Failure('tooLarge', `${service} returned more than ${MAX_BODY_MB} MB`, { hint });
}

function tooSlow(service: string, timeout: number): Failure {
	const message = `${service} did not respond within ${timeout} s`;
	return new Failure('lost', message, { hint: 'Try again later' });
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
	// promise: no-redirect
	return async (request, { timeoutMs, signal }) =>
		rawResponse(
			await signedRequest(context, credentialsDecrypted, {
				...request,
				headers: { 'Content-Type': 'application/json' },
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
	signal.addEventListener('abort', end);
	try {
		const text = await bodyText(body, headers);
		signal.throwIfAborted();
		return text;
	} finally {
		signal.removeEventListener('abort', end);
		end();
	}
}

type ByteStream = AsyncIterable<unknown> & { destroy(): unknown };

function isStream(body: unknown): body is ByteStream {
	return isObject(body) && Symbol.asyncIterator in body;
}

async function bodyText(
	stream: ByteStream,
	headers: RawResponse['headers'],
): Promise<string | undefined> {
	const decoder = decoderFor(String(headers['content-type']));
	let bytes = 0;
	let text = '';
	if (Number(headers['content-length']) > MAX_BODY_BYTES) return undefined;
	for await (const chunk of stream) {
		if (!ArrayBuffer.isView(chunk)) throw new TypeError('The response is not a stream of bytes');
		bytes += chunk.byteLength;
		// promise: large-response
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

interface Cause {
	/** A text that follows a colon. */
	reason: string;
	hint?: string;
}

const CHECK_HOST = 'Check the Base URL of the credential, and whether the service is running';
const CHECK_NAME = { hint: 'Check the host name in the Base URL of the credential' };
const CHECK_TLS = {
	hint: "Check the Base URL of the credential, or have the service's certificate renewed",
};
const TRUST = {
	hint: 'Give n8n the certificate of its authority (NODE_EXTRA_CA_CERTS), or check the Base URL of the credential',
};

/** Codes that guarantee that nothing reached the service. */
const NEVER_CONNECTED: Record<string, Cause> = {
	ECONNREFUSED: { reason: 'the connection was refused' },
	ENOTFOUND: { reason: 'its host name is not known', ...CHECK_NAME },
	EAI_AGAIN: { reason: 'its host name could not be looked up', ...CHECK_NAME },
	EHOSTUNREACH: { reason: 'there is no route to its host' },
	ENETUNREACH: { reason: 'there is no route to its network' },
	EADDRNOTAVAIL: { reason: 'its address cannot be used from here' },
	CERT_HAS_EXPIRED: { reason: 'its TLS certificate has expired', ...CHECK_TLS },
	ERR_TLS_CERT_ALTNAME_INVALID: { reason: 'its TLS certificate is for another host', ...CHECK_TLS },
	DEPTH_ZERO_SELF_SIGNED_CERT: { reason: 'its TLS certificate is self-signed', ...TRUST },
	SELF_SIGNED_CERT_IN_CHAIN: {
		reason: 'its TLS certificate is signed by an authority of its own',
		...TRUST,
	},
};

/** Other codes of untrusted certificates. */
const UNTRUSTED = /CERT|SELF_SIGNED|UNABLE_TO_/;
const UNTRUSTED_CAUSE: Cause = { reason: 'its TLS certificate is not trusted', ...TRUST };

/** TLS errors that mean that the server speaks plain HTTP. */
const NO_TLS = /wrong version number|packet length too long|unknown protocol/i;
const NO_TLS_CAUSE: Cause = {
	reason: 'it does not use TLS',
	hint: 'Use http:// instead of https:// in the Base URL of the credential, or another port',
};

/** An invalid URL or header, or another protocol than HTTP. */
const NEVER_SENT = /^ERR_(INVALID_|UNESCAPED_|BAD_REQUEST$)/;
const CHECK_CHARACTERS =
	'Check the Base URL and the API key of the credential for stray characters';

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
	const code = chain.map(codeOf).find((one) => one !== undefined);
	if (code === undefined) {
		const { message, hint } = Failure.from(thrown);
		const kind = isN8nError(chain.at(-1)) ? 'failed' : 'lost';
		return new Failure(kind, redact(message), { hint: hint && redact(hint) });
	}
	const unreached = unreachedBy(code, chain, baseUrl);
	if (unreached) {
		const { reason, hint = CHECK_HOST } = unreached;
		const message = `${service} could not be reached at ${baseUrl}: ${reason}`;
		return new Failure('neverConnected', message, { hint });
	}
	if (NEVER_SENT.test(code)) {
		const message = `Nothing was sent to ${service}: the request contains characters that cannot be sent`;
		return new Failure('failed', message, { hint: CHECK_CHARACTERS });
	}
	const message = `The connection to ${service} closed before the response was complete`;
	return new Failure('lost', message, { hint: 'Try again later' });
}

/** Returns why nothing reached the service; undefined if something may have. An address with another port is a proxy's. */
function unreachedBy(code: string, chain: IDataObject[], baseUrl: string): Cause | undefined {
	const cause = NEVER_CONNECTED[code];
	const proxy = chain.map((error) => proxyOf(error, baseUrl)).find((one) => one !== undefined);
	if (cause) return proxy === undefined ? cause : proxyCause(proxy);
	if (UNTRUSTED.test(code)) return UNTRUSTED_CAUSE;
	return chain.some(({ message }) => NO_TLS.test(String(message))) ? NO_TLS_CAUSE : undefined;
}

function proxyCause(proxy: string): Cause {
	return {
		reason: `the proxy at ${proxy} could not be reached`,
		hint: 'Check the proxy that n8n is set to use (HTTP_PROXY, HTTPS_PROXY, NO_PROXY)',
	};
}

function causesOf(thrown: unknown): IDataObject[] {
	const chain: IDataObject[] = [];
	for (let error = thrown; isObject(error) && chain.length < 6; error = error.cause) {
		chain.push(error);
	}
	return chain;
}

/** Returns an error's code. n8n 1.123 drops the cause, and keeps its code in `httpCode`. */
function codeOf({ code, httpCode }: IDataObject): string | undefined {
	if (typeof code === 'string') return code;
	return typeof httpCode === 'string' && /^[A-Z]/.test(httpCode) ? httpCode : undefined;
}

function proxyOf({ address, port }: IDataObject, baseUrl: string): string | undefined {
	if (address === undefined || port === undefined) return undefined;
	const url = new URL(baseUrl);
	const expected = url.port || (url.protocol === 'https:' ? '443' : '80');
	return String(port) === expected ? undefined : `${String(address)}:${String(port)}`;
}
