import { sleep } from 'n8n-workflow';
import type { INodeExecutionData, IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';

import { Failure } from '../base/failure';
import { isOnlyReceiver } from '../n8nInternals';
import { HourlyLog } from '../triggers/hourlyLog';
import { routeItems } from '../triggers/routing';
import { changeOf } from './deliveries';
import { memoryOf } from './memory';
import { SAMPLE_ID } from './sample';
import { verifyDelivery } from './verify';
import type { CallResponse } from './verify';
import type { WebhookTrigger } from './webhookTrigger';

const FAILED: CallResponse = { status: 500, message: 'This could not be handled. Send it again' };

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
	const settings = trigger.read(context);
	const { events, failures, options } = settings;
	const delivery = await verifyDelivery(context, trigger, log);
	if ('status' in delivery) return respond(context, delivery);
	const { hook, data } = delivery;
	const { event } = hook;
	if (!events.includes(event)) return ignore(`the workflow does not listen to '${event}'`);
	for (const { field, message } of failures) log.warn(`${message}. It does not apply`, field);

	const change = changeOf(event, data, trigger.subjectOf(event, data), trigger.links);
	const about = { deliveryId: change.deliveryId, isSample: isTest && hook.id === SAMPLE_ID };
	const item = trigger.itemOf(delivery, about, settings);
	const { deliveries } = memoryOf(context.getNodeWebhookUrl('default') ?? '');
	// The first delivery ends a test, in which a user may cause the same event again.
	const ignoresRepeats = !isTest && options.ignoreRepeats !== false;
	const isOnly = isOnlyReceiver(context);
	// promise: no-duplicates
	const endClaim = ignoresRepeats ? await deliveries.claim(change, isOnly) : () => {};
	if (!endClaim) return ignore('this was delivered before');
	if (!item) {
		endClaim(false);
		return ignore("the workflow's filters hold it back");
	}
	const outputs = routeItems(settings.isByScoreType, [{ json: item.json }], () => item.scoreType);
	return startRun(context, outputs, endClaim);
}

/** Responds with 200 to a delivery that starts no run. */
function ignore(reason: string): IWebhookResponseData {
	return { webhookResponse: { message: `Ignored: ${reason}` } };
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
 * Starts a run. n8n responds with 200 once it has stored the run, or else with an error; before 2.20, it stores it last.
 *
 * @param onEnd called once n8n has responded, with true if the run is stored
 * @internal
 */
export function startRun(
	context: IWebhookFunctions,
	workflowData: INodeExecutionData[][],
	onEnd: (isStored: boolean) => void,
): IWebhookResponseData {
	// promise: stored
	void untilResponded(context).then((status) => onEnd(status < 300));
	return { workflowData };
}

/** Returns the status of n8n's own response, which may come hours after the sender hung up. Never rejects. */
async function untilResponded(context: IWebhookFunctions): Promise<number> {
	const response = context.getResponseObject();
	if (!response.closed) {
		await new Promise<void>((resolve) => response.once('close', () => resolve()));
	}
	while (!response.writableEnded) await sleep(POLL_INTERVAL);
	return response.statusCode;
}
