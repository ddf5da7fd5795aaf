import { sleep } from 'n8n-workflow';
import type { INodeExecutionData, IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';

import { Failure } from '../base/failure';
import { isOnlyReceiver, reportingResult } from '../n8nInternals';
import { HourlyLog } from '../triggers/hourlyLog';
import { routeItems } from '../triggers/routing';
import { changeOf } from './deliveries';
import { verifyDelivery } from './verify';
import type { CallResponse } from './verify';
import { keyOfNode, WorkflowMemory } from './memory';
import { SAMPLE_ID } from './sample';
import type { WebhookTrigger } from './webhookTrigger';

const IGNORED = {
	duplicate: 'Ignored: this was delivered before',
	filtered: "Ignored: the workflow's filters hold it back",
};
const FAILED: CallResponse = { status: 500, message: 'This could not be handled. Send it again' };
const STARTED = { message: 'Workflow was started' };

/** How often to check whether n8n has responded to a sender that hung up, in ms. */
const POLL_INTERVAL = 1000;

/** Responds to a call of the webhook URL. After an error, the service sends the delivery again. */
export async function receive(
	context: IWebhookFunctions,
	trigger: WebhookTrigger,
): Promise<IWebhookResponseData> {
	const log = new HourlyLog(context);
	try {
		return await handle(context, trigger, log);
	} catch (error) {
		// Anyone can call the URL as often as they like.
		log.warn(`A delivery could not be handled: ${Failure.from(error).messageWithAdvice()}`);
		return respond(context, FAILED);
	}
}

async function handle(
	context: IWebhookFunctions,
	trigger: WebhookTrigger,
	log: HourlyLog,
): Promise<IWebhookResponseData> {
	const isTest = context.getMode() === 'manual';
	const key = keyOfNode(context, isTest);
	const memory = WorkflowMemory.of(context);
	const state = memory.node(key);
	const settings = trigger.read(context);
	const { events, failures, options } = settings;
	const delivery = await verifyDelivery(context, trigger, state, log);
	if ('status' in delivery) return respond(context, delivery);
	const { hook, data } = delivery;
	const { event } = hook;
	if (!events.includes(event)) return ignore(`Ignored: the workflow does not listen to '${event}'`);
	for (const { field, message } of failures) log.warn(`${message}. It does not apply`, field);

	const change = changeOf(key, event, data, trigger.subjectOf(event, data));
	const about = { deliveryId: change.deliveryId, isSample: isTest && hook.id === SAMPLE_ID };
	const item = trigger.itemOf(delivery, about, settings);
	if (!item) {
		memory.deliveries.holdBack(change);
		return ignore(IGNORED.filtered);
	}
	const items = [{ json: item.json }];
	const outputs = routeItems(settings.isByScoreType, items, () => item.scoreType);
	// The first delivery ends a test, in which a user may cause the same event again.
	// promise: no-duplicates
	if (isTest || options.ignoreRepeats === false) return startRun(context, outputs, () => {});
	const endClaim = await memory.deliveries.claim(change, isOnlyReceiver(context));
	if (!endClaim) return ignore(IGNORED.duplicate);
	return startRun(context, outputs, endClaim);
}

/** Responds with 200 to a delivery that starts no run. */
function ignore(message: string): IWebhookResponseData {
	return { webhookResponse: { message } };
}

/** Responds with another status, which n8n itself cannot do. */
function respond(
	context: IWebhookFunctions,
	{ status, message }: CallResponse,
): IWebhookResponseData {
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
 * @internal
 */
export function startRun(
	context: IWebhookFunctions,
	workflowData: INodeExecutionData[][],
	onEnd: (isStored: boolean) => void,
): IWebhookResponseData {
	let isRead = false;
	void untilResponded(context, () => isRead).then(() => {
		// promise: stored
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
