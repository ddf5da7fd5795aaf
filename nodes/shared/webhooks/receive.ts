import { sleep } from 'n8n-workflow';
import type { INodeExecutionData, IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';

import { Failure } from '../base/failure';
import { reportingResult } from '../n8nInternals';
import { HourlyLog } from '../triggers/hourlyLog';
import { routeItems } from '../triggers/routing';
import { readAccount, tokenIn, withoutToken } from './account';
import { changeOf } from './change';
import type { Change } from './change';
import { keyOfNode, webhookId, WorkflowMemory } from './memory';
import type { NodeState } from './memory';
import { verifyDelivery } from './delivery';
import type { CallResponse } from './delivery';
import { SAMPLE_ID } from './sample';
import type { Delivery, WebhookTrigger } from './webhookTrigger';

const DUPLICATE: CallResponse = { status: 200, message: 'Ignored: this was delivered before' };
const FILTERED: CallResponse = {
	status: 200,
	message: "Ignored: the workflow's filters hold it back",
};
const FAILED: CallResponse = { status: 500, message: 'This could not be handled. Send it again' };
const STARTED = { message: 'Workflow was started' };

/** How often to check whether n8n has responded to a sender that hung up, in ms. */
const POLL_INTERVAL = 1000;

/**
 * How long an equal delivery without a date counts as a repeat, in ms. A contact who unsubscribes, returns and
 * unsubscribes again sends equal data.
 */
const UNDATED_LIFETIME = 60 * 60 * 1000;

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
	const delivery = await verifyDelivery(context, trigger, state, events, log);
	if ('status' in delivery) return respond(context, delivery);
	await noteStray(context, trigger, memory, key, delivery);
	const { event } = delivery.hook;
	if (!events.includes(event)) {
		const message = `Ignored: the workflow does not listen to '${event}'`;
		return respond(context, { status: 200, message });
	}
	for (const { field, message } of failures) log.warn(`${message}. It does not apply`, field);

	const change = changeOf(key, event, delivery.data, trigger.subjectOf(event, delivery.data));
	const isSample = isTest && delivery.hook.id === SAMPLE_ID;
	const about = { deliveryId: change.deliveryId, isSample };
	const item = trigger.itemOf(delivery, about, settings, log);
	if (!item) {
		const isNoted = !isTest && memory.holdBack(change);
		if (isNoted || memory.isOverwritten) memory.save(context);
		return respond(context, FILTERED);
	}
	const outputs = routeItems(settings.routing, [{ json: item.json }], () => ({ event, ...item }));
	// promise: no-duplicates
	if (options.ignoreRepeats === false) return startRun(context, outputs, () => {});
	const endClaim = await memory.claim(change, comparedSince(change, state, isTest));
	if (!endClaim) {
		if (memory.isOverwritten) memory.save(context);
		return respond(context, DUPLICATE);
	}
	return startRun(context, outputs, (isStored) => {
		endClaim(isStored);
		if (isStored) memory.save(context);
	});
}

/** Notes the webhook of a delivery if the memory has lost it, so that the next publish removes it. */
async function noteStray(
	context: IWebhookFunctions,
	{ service }: WebhookTrigger,
	memory: WorkflowMemory,
	key: string,
	{ hook }: Delivery,
): Promise<void> {
	const { success, data: id } = webhookId.safeParse(hook.id);
	if (!success || id === SAMPLE_ID || memory.knows(key, id)) return;
	const account = await readAccount(context, service).catch(() => undefined);
	const query: { token?: unknown } = context.getQueryData();
	// With the token of an earlier key, it belongs to another account.
	if (!account || ![query.token, tokenIn(hook.target)].includes(account.token)) return;
	const url = withoutToken(hook.target);
	memory.addStray(key, { id, event: hook.event, url, baseUrl: account.baseUrl });
}

/** Returns the time from which deliveries are compared, in ms since 1970. In a test, a user may cause the same event again. */
function comparedSince({ isDated }: Change, { publishedAt }: NodeState, isTest: boolean): number {
	if (isTest) return publishedAt;
	if (isDated) return -Infinity;
	const now = Date.now();
	// The clock may have been set back since the publish.
	return Math.max(now - UNDATED_LIFETIME, publishedAt > now ? -Infinity : publishedAt);
}

/** Responds to a delivery that starts no run. n8n responds with 200 only, so other statuses are sent here. */
function respond(
	context: IWebhookFunctions,
	{ status, message }: CallResponse,
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
