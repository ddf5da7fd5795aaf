import type { IWebhookResponseData, INodeExecutionData } from 'n8n-workflow';
import { getCredentialAllowedDomains } from 'n8n-workflow';

// Behavior of n8n that its interface does not promise, with the versions that it was seen in. A test compares each
// with the n8n that is installed: test/unit/n8nInternals.test.ts.

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
