import { getCredentialAllowedDomains } from 'n8n-workflow';
import type {
	IAllExecuteFunctions,
	ICredentialsDecrypted,
	IHttpRequestOptions,
	INodeExecutionData,
	IWebhookResponseData,
} from 'n8n-workflow';

// Everything here relies on n8n code that no documentation promises. Each entry names the versions in which
// it was read or run; test/contract/n8nInternals.test.ts and test/unit/n8nInternals.test.mts fail when n8n changes it.

/**
 * Sends a request with n8n's HTTP helper, signed with a credential that was already decrypted.
 *
 * n8n 1.123 to 2.41: in a run, the helper replaces the request's `abortSignal` by the run's, which it reads
 * from the context, so a proxy of the context hands it the request's. With `credentialsDecrypted`, it does not
 * read the credential again for each request.
 */
export async function signedRequest(
	context: IAllExecuteFunctions,
	credentialsDecrypted: ICredentialsDecrypted,
	request: IHttpRequestOptions & { abortSignal: AbortSignal },
): Promise<unknown> {
	const caller = new Proxy(context, {
		get: (target, name): unknown =>
			name === 'getExecutionCancelSignal'
				? () => request.abortSignal
				: Reflect.get(target, name, target),
	});
	const { httpRequestWithAuthentication } = context.helpers;
	const { type } = credentialsDecrypted;
	return await httpRequestWithAuthentication.call(caller, type, request, { credentialsDecrypted });
}

/**
 * Marks an item as failed, so that n8n moves it to the error output, whatever its JSON and binary data hold.
 *
 * n8n 1.123 to 2.41 moves each item with a truthy `error`, puts the columns of its input item under its JSON, and
 * copies its enumerable properties. Later it replaces the JSON of each item that still has an `error` by the
 * message alone; the copy has none, because this `error` is not enumerable.
 */
export function markAsFailed(item: INodeExecutionData, message: string): INodeExecutionData {
	return Object.defineProperty(item, 'error', { value: { message }, enumerable: false });
}

/**
 * True if n8n stores a run before it reads the trigger's response (seen in 2.20.12 and 2.41.1). Earlier versions
 * read it first, answer, and store the run then (seen in 1.123.81 and 2.3.6). A node cannot ask for the version:
 * `getCredentialAllowedDomains` is in n8n-workflow 2.20.0 and is not in 2.17.2.
 */
export function storesRunBeforeResponding(): boolean {
	return getCredentialAllowedDomains !== undefined;
}

/**
 * A webhook's result that reports when n8n reads its response. An empty `responseData` in the webhook's description
 * makes n8n read it (seen in 1.123.81 to 2.41.1).
 */
export function reportingResult(
	workflowData: INodeExecutionData[][],
	response: object,
	onRead: () => void,
): IWebhookResponseData {
	return {
		workflowData,
		get webhookResponse() {
			onRead();
			return response;
		},
	};
}
