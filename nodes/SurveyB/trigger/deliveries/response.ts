import type { INodeExecutionData, IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';
import { sleep } from 'n8n-workflow';

import { reportingResult } from '../../../shared/n8nInternals';

/** A response to the service. */
export interface Response {
	status: number;
	message: string;
}

const STARTED = { message: 'Workflow was started' };

/** How often to check whether n8n has responded to a sender that hung up, in ms. */
const POLL_INTERVAL = 1000;

/** Responds to a delivery that starts no run. n8n responds with 200 only, so other statuses are sent here. */
export function respond(
	context: IWebhookFunctions,
	{ status, message }: Response,
): IWebhookResponseData {
	if (status === 200) return { webhookResponse: { message } };
	context.getResponseObject().status(status).json({ message });
	return { noWebhookResponse: true };
}

/**
 * Starts a run, and lets n8n respond with 200 once the run is stored, or with 500.
 *
 * n8n stores the run, reads `webhookResponse`, saves the static data, and responds. So a response without a read means
 * that the run was not stored. Before 2.20, n8n stores the run last.
 *
 * @param onEnd called once, with true if the run is stored
 */
export function startRun(
	context: IWebhookFunctions,
	workflowData: INodeExecutionData[][],
	onEnd: (isStored: boolean) => void,
): IWebhookResponseData {
	let isRead = false;
	void untilResponded(context, () => isRead).then(() => {
		if (!isRead) onEnd(false);
	});
	return reportingResult(workflowData, STARTED, () => {
		isRead = true;
		onEnd(true);
	});
}

/** Resolves when n8n has responded, which may be hours after the sender hung up. Never rejects. */
async function untilResponded(context: IWebhookFunctions, isRead: () => boolean): Promise<void> {
	const response = context.getResponseObject();
	if (!response.closed) {
		await new Promise<void>((resolve) => response.once('close', () => resolve()));
	}
	while (!isRead() && !response.writableEnded) await sleep(POLL_INTERVAL);
}
