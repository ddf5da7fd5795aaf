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
