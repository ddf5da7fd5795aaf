import type { INodeExecutionData, IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';
import { sleep } from 'n8n-workflow';

import { reportingResult, storesRunBeforeResponding } from '../../../shared/n8nInternals';

/** A response to the service. */
export interface Response {
	status: number;
	message: string;
}

interface RunEvents {
	/** Called if the sender hangs up before n8n responds. n8n may hold the run in its queue. */
	onHangUp: () => void;
	/** Called once, with true if the run is stored. */
	onEnd: (isStored: boolean) => void;
	/** Called before n8n saves the static data. */
	onRead: () => void;
}

const STARTED = { message: 'Workflow was started' };

/** How often to check whether n8n has responded to a sender that hung up, in ms. */
const POLL_INTERVAL = 1000;

/** The time that n8n before 2.20 gets to store a run after its response, in ms. */
const STORING_TIME = 1000;

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
 * that the run was not stored. Before 2.20 n8n stores the run last.
 */
export function startRun(
	context: IWebhookFunctions,
	workflowData: INodeExecutionData[][],
	{ onHangUp, onEnd, onRead }: RunEvents,
): IWebhookResponseData {
	let isRead = false;
	const isStoredFirst = storesRunBeforeResponding();
	const responded = untilResponded(context, () => isRead, onHangUp);
	void responded.then(async () => {
		if (isRead && isStoredFirst) return;
		if (isRead) await sleep(STORING_TIME);
		onEnd(isRead);
	});
	return reportingResult(workflowData, STARTED, () => {
		isRead = true;
		if (isStoredFirst) onEnd(true);
		onRead();
	});
}

/** Resolves when n8n has responded, which may be hours after the sender hung up. Never rejects. */
async function untilResponded(
	context: IWebhookFunctions,
	isRead: () => boolean,
	onHangUp: () => void,
): Promise<void> {
	const response = context.getResponseObject();
	if (!response.closed) {
		await new Promise<void>((resolve) => response.once('close', () => resolve()));
	}
	const isPending = () => !isRead() && !response.writableEnded;
	if (isPending()) onHangUp();
	while (isPending()) await sleep(POLL_INTERVAL);
}
