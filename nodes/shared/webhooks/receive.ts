import { sleep } from 'n8n-workflow';
import type { IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';

import { Failure } from '../base/failure';
import { sha256 } from '../base/hash';
import { isObject } from '../base/json';
import { readCredential } from '../http/credential';
import { processOf } from '../n8nInternals';
import { HourlyLog } from '../triggers/hourlyLog';
import { routeItems } from '../triggers/routing';
import { changeOf } from './deliveries';
import { SAMPLE_ID } from './sample';
import { savedWebhooks, urlStateOf } from './state';
import { tokenIn, tokenOf } from './token';
import type { Delivery, WebhookTrigger } from './webhookTrigger';

/** How often to check whether n8n has responded to a sender that hung up, in ms. */
const POLL_INTERVAL = 1000;

/** Responds to a call of the webhook URL. After an error, the service sends the delivery again. */
export async function receive(
	context: IWebhookFunctions,
	trigger: WebhookTrigger,
): Promise<IWebhookResponseData> {
	const log = new HourlyLog(context);
	const { service, body } = trigger;
	try {
		const payload: unknown = context.getBodyData();
		const delivery = isObject(payload) ? trigger.readDelivery(payload) : undefined;
		const isFromService = await hasRightToken(context, trigger, delivery);
		if (isFromService && delivery) return await handle(context, trigger, delivery, log);
		if (isFromService) {
			const message = `A delivery with the right token was rejected and started no run, because its body is not ${body} as JSON. Check whether a proxy between ${service.name} and n8n changes it`;
			log.warn(message);
			return respond(context, 400, `This is not a ${service.name} delivery`);
		}
		if (delivery) {
			const message =
				'A delivery with a token that this workflow does not know was rejected. It may come from a webhook of an earlier API key. If this workflow receives no events, unpublish the workflow and publish it again';
			log.warn(message);
		}
		return respond(context, 401, 'The token is missing or wrong');
	} catch (error) {
		// Anyone can call the URL as often as they like.
		log.warn(`A delivery could not be handled: ${Failure.from(error).messageWithAdvice()}`);
		return respond(context, 500, 'This could not be handled. Send it again');
	}
}

/**
 * The right token is that of a live webhook, or that of the current credential, which survives lost state. It is in the URL, and
 * in the target that the body names, in case a proxy removes it from the URL.
 */
async function hasRightToken(
	context: IWebhookFunctions,
	{ service }: WebhookTrigger,
	delivery?: Delivery,
): Promise<boolean> {
	const query: { token?: unknown } = context.getQueryData();
	const tokens = [query.token, delivery && tokenIn(delivery.hook.target)];
	const hashes = tokens.filter((token) => typeof token === 'string').map(sha256);
	// promise: token
	if (hashes.length === 0) return false;
	const live = savedWebhooks(context).filter(({ isLive }) => isLive);
	// A delivery does not need the credential.
	if (live.some(({ tokenHash }) => hashes.includes(tokenHash))) return true;
	// promise: token-state
	return hashes.includes(sha256(tokenOf(context, await readCredential(context, service))));
}

async function handle(
	context: IWebhookFunctions,
	trigger: WebhookTrigger,
	delivery: Delivery,
	log: HourlyLog,
): Promise<IWebhookResponseData> {
	const isTest = context.getMode() === 'manual';
	const settings = trigger.read(context);
	const { events, failures, options, isByScoreType } = settings;
	const { hook, data } = delivery;
	const { event } = hook;
	if (!events.includes(event)) return ignore(`the workflow does not listen to '${event}'`);
	for (const { field, message } of failures) log.warn(`${message}. It does not apply`, field);

	const change = changeOf(event, data, trigger.subjectOf(event, data), trigger.links);
	const about = { deliveryId: change.deliveryId, isSample: isTest && hook.id === SAMPLE_ID };
	const item = trigger.itemOf(delivery, about, settings);
	const { deliveries } = urlStateOf(context.getNodeWebhookUrl('default') ?? '');
	// The first delivery ends a test, in which a user may cause the same event again.
	const ignoresRepeats = !isTest && options.ignoreRepeats !== false;
	const { isOnlyReceiver } = processOf(context);
	// promise: no-duplicates
	const endClaim = ignoresRepeats ? await deliveries.claim(change, isOnlyReceiver) : () => {};
	if (!endClaim) return ignore('this was delivered before');
	if (!item) {
		endClaim(false);
		return ignore("the workflow's filters hold it back");
	}
	// promise: stored
	void untilStored(context).then(endClaim);
	return { workflowData: routeItems(isByScoreType, [{ json: item.json }], () => item.scoreType) };
}

/** Responds with 200 to a delivery that starts no run. */
function ignore(reason: string): IWebhookResponseData {
	return { webhookResponse: { message: `Ignored: ${reason}` } };
}

/** Responds with another status, which n8n itself cannot do. */
function respond(
	context: IWebhookFunctions,
	status: number,
	message: string,
): IWebhookResponseData {
	context.getResponseObject().status(status).json({ message });
	return { noWebhookResponse: true };
}

/**
 * Waits for n8n's own response, and returns whether it says that the run is stored; before 2.20, n8n stores it last. It may come
 * hours after the sender hung up. Never rejects.
 *
 * @internal
 */
export async function untilStored(context: IWebhookFunctions): Promise<boolean> {
	const response = context.getResponseObject();
	if (!response.closed) {
		await new Promise<void>((resolve) => response.once('close', () => resolve()));
	}
	while (!response.writableEnded) await sleep(POLL_INTERVAL);
	return response.statusCode < 300;
}
