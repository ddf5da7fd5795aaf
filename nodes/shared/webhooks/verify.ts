import type { IWebhookFunctions } from 'n8n-workflow';

import { isObject } from '../base/json';
import { readCredential } from '../http/credential';
import type { HourlyLog } from '../triggers/hourlyLog';
import { savedWebhooks } from './memory';
import { tokenHash, tokenIn, tokenOf } from './token';
import type { Delivery, WebhookTrigger } from './webhookTrigger';

/** A response to the service. */
export interface CallResponse {
	status: number;
	message: string;
}

/**
 * Returns the delivery in a call of the webhook URL, or the response to a call that is not the service's. The token is in
 * the URL, and in the target that the body names, in case a proxy removes it from the URL.
 */
export async function verifyDelivery(
	context: IWebhookFunctions,
	trigger: WebhookTrigger,
	log: HourlyLog,
): Promise<Delivery | CallResponse> {
	const { service, body } = trigger;
	const query: { token?: unknown } = context.getQueryData();
	const called: unknown = context.getBodyData();
	const delivery = isObject(called) ? trigger.readBody(called) : undefined;
	const tokens = [query.token, delivery && tokenIn(delivery.hook.target)];
	const isKnown = await isTokenKnown(context, trigger, tokens);
	if (isKnown && delivery) return delivery;
	if (isKnown) {
		const message = `A delivery with the right token was rejected and started no run, because its body is not ${body} as JSON. Check whether a proxy between ${service.name} and n8n changes it`;
		log.warn(message);
		return { status: 400, message: `This is not a ${service.name} delivery` };
	}
	if (delivery) {
		const message =
			'A delivery with a token that this workflow does not know was rejected. It may come from a webhook of an earlier API key. If this workflow receives no events, unpublish the workflow and publish it again';
		log.warn(message);
	}
	return { status: 401, message: 'The token is missing or wrong' };
}

/** Accepts the token of a live webhook, and that of the current credential, which survives lost state. */
async function isTokenKnown(
	context: IWebhookFunctions,
	{ service }: WebhookTrigger,
	tokens: unknown[],
): Promise<boolean> {
	const hashes = tokens.filter((one) => typeof one === 'string').map(tokenHash);
	// promise: token
	if (hashes.length === 0) return false;
	const live = savedWebhooks(context).filter(({ isLive }) => isLive);
	// A delivery does not need the credential.
	if (live.some((one) => hashes.includes(one.tokenHash))) return true;
	// promise: token-state
	return hashes.includes(tokenHash(tokenOf(context, await readCredential(context, service))));
}
