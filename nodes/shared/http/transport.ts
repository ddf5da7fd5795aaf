import type {
	IAllExecuteFunctions,
	ICredentialsDecrypted,
	ICredentialTestFunctions,
	IHttpRequestOptions,
	IN8nHttpFullResponse,
} from 'n8n-workflow';

/** A signed request on its way: what n8n's helpers send, with the body of the answer as a stream. */
export type Transport = (
	request: Pick<IHttpRequestOptions, 'method' | 'url' | 'qs' | 'body'>,
	limits: { timeoutMs: number; signal: AbortSignal },
) => Promise<IN8nHttpFullResponse>;

/** Sends by n8n's helper, which signs with the credential. */
export function nodeTransport(
	context: IAllExecuteFunctions,
	credentialsDecrypted: ICredentialsDecrypted,
): Transport {
	const { httpRequestWithAuthentication } = context.helpers;
	return async (request, { timeoutMs, signal }) => {
		// In a run, n8n's helper takes the run's signal in place of the request's.
		const caller: IAllExecuteFunctions = Object.create(context, {
			getExecutionCancelSignal: { value: () => signal },
		});
		const reply: IN8nHttpFullResponse = await httpRequestWithAuthentication.call(
			caller,
			credentialsDecrypted.type,
			{
				...request,
				json: true,
				encoding: 'stream',
				returnFullResponse: true,
				ignoreHttpStatusErrors: true,
				disableFollowRedirect: true,
				timeout: timeoutMs,
				abortSignal: signal,
			},
			{ credentialsDecrypted },
		);
		return reply;
	};
}

/** Sends by the only helper that n8n gives to the test of a credential; it signs nothing. */
export function credentialTestTransport(
	{ helpers }: Pick<ICredentialTestFunctions, 'helpers'>,
	authorization: string,
): Transport {
	return async ({ method, url, qs, body }, { timeoutMs, signal }) => {
		const tooLate = new Promise<never>((_, reject) => {
			signal.addEventListener('abort', () => reject(signal.reason));
		});
		const reply: Promise<IN8nHttpFullResponse> = helpers.request({
			method,
			url,
			qs,
			body,
			headers: { Authorization: authorization, 'Content-Type': 'application/json' },
			json: true,
			useStream: true,
			resolveWithFullResponse: true,
			simple: false,
			followRedirect: false,
			timeout: timeoutMs,
		});
		return await Promise.race([reply, tooLate]);
	};
}
