import type { INodeExecutionData, IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';
import { sleep } from 'n8n-workflow';

/** An answer to the service, and no run. */
export interface Answer {
	status: number;
	message: string;
}

const STARTED = { message: 'Workflow was started' };

/** How often to look whether n8n is done with a delivery whose sender hung up, in ms. */
const POLL_INTERVAL = 250;

/** How long to wait for that at most, in ms. */
const LONGEST_WAIT = 15 * 60 * 1000;

/**
 * Answers a delivery that starts no run. n8n saves the static data before it answers 200; it knows no
 * other status, so that those are answered here.
 */
export function answer(
	context: IWebhookFunctions,
	{ status, message }: Answer,
): IWebhookResponseData {
	if (status === 200) return { webhookResponse: { message } };
	context.getResponseObject().status(status).json({ message });
	return { noWebhookResponse: true };
}

/**
 * Starts a run, and lets n8n answer the service: 200 once the run is stored, 500 where it cannot be.
 *
 * n8n stores the run, then reads `webhookResponse` (the webhook's description has it do so by an empty
 * `responseData`), then saves the static data, then answers. So `settle(true)` may still change the
 * static data. Where n8n answers without having read it, the run was not stored.
 *
 * @param settle called once, with whether the run is stored
 */
export function answerOnceStored(
	context: IWebhookFunctions,
	workflowData: INodeExecutionData[][],
	settle: (stored: boolean) => void,
): IWebhookResponseData {
	let isSettled = false;
	const settleOnce = (stored: boolean) => {
		if (!isSettled) settle(stored);
		isSettled = true;
	};
	void untilAnswered(context, () => isSettled).then(() => settleOnce(false));
	return {
		workflowData,
		get webhookResponse() {
			settleOnce(true);
			return STARTED;
		},
	};
}

/** Resolves when n8n has answered, or has given up on it; never rejects. */
async function untilAnswered(context: IWebhookFunctions, isSettled: () => boolean): Promise<void> {
	const response = context.getResponseObject();
	if (!response.closed) {
		await new Promise<void>((resolve) => response.once('close', () => resolve()));
	}
	// A sender that hung up ends the response before n8n does, which stores the run all the same.
	for (let waited = 0; waited < LONGEST_WAIT; waited += POLL_INTERVAL) {
		if (isSettled() || response.writableEnded) return;
		await sleep(POLL_INTERVAL);
	}
}
