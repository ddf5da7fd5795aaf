import type { INodeExecutionData, IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';
import { sleep } from 'n8n-workflow';

import { reportingResult, storesRunBeforeResponding } from '../../../shared/n8nInternals';

/** A response to the service. */
export interface Response {
	status: number;
	message: string;
}

/** What may happen to a run on its way into n8n. */
interface RunEvents {
	/** The sender hung up before n8n has responded; n8n may hold the run in its queue. */
	onHangUp: () => void;
	/** Called once, with true if the run is stored. */
	onEnd: (isStored: boolean) => void;
}

const STARTED = { message: 'Workflow was started' };

/** How often to check whether n8n has responded to a sender that hung up, in ms. */
const POLL_INTERVAL = 1000;

/** How long n8n before 2.20 may take to store a run after it has responded, in ms. */
const STORING_TIME = 1000;

/**
 * Responds to a delivery that starts no run. n8n saves the static data before it responds with 200; it knows no other
 * status, so those are sent here.
 */
export function respond(
	context: IWebhookFunctions,
	{ status, message }: Response,
): IWebhookResponseData {
	if (status === 200) return { webhookResponse: { message } };
	context.getResponseObject().status(status).json({ message });
	return { noWebhookResponse: true };
}

/**
 * Starts a run, and lets n8n respond to the service: 200 once the run is stored, 500 if it cannot be.
 *
 * n8n stores the run, then reads `webhookResponse`, then saves the static data, then responds. So `onEnd(true)` may
 * still change the static data. If n8n responds without having read it, the run was not stored.
 */
export function startRun(
	context: IWebhookFunctions,
	workflowData: INodeExecutionData[][],
	{ onHangUp, onEnd }: RunEvents,
): IWebhookResponseData {
	let isRead = false;
	let isSettled = false;
	const settleOnce = (isStored: boolean) => {
		if (!isSettled) onEnd(isStored);
		isSettled = true;
	};
	const isStoredFirst = storesRunBeforeResponding();
	const responded = untilResponded(context, () => isRead, onHangUp);
	void responded.then(async () => {
		if (isRead && !isStoredFirst) await sleep(STORING_TIME);
		settleOnce(isRead);
	});
	return reportingResult(workflowData, STARTED, () => {
		isRead = true;
		if (isStoredFirst) settleOnce(true);
	});
}

/**
 * Resolves when n8n has responded; never rejects. A sender that hangs up ends the response before n8n does, which may
 * hold the run in its queue for hours and start it after all.
 */
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
