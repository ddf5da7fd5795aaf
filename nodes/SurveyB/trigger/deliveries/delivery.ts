import type { IWebhookFunctions } from 'n8n-workflow';
import { z } from 'zod/v4';

import { lazy } from '../../../shared/base/cache';
import { anyObject } from '../../../shared/base/json';
import type { HourlyLog } from '../../../shared/triggers';
import { readAccount, tokenHash, tokenIn } from '../account';
import type { NodeState } from '../memory';

/** A response to the service. */
export interface Response {
	status: number;
	message: string;
}

/** A delivery: `{hook: {id, event, target}, data}` (contract, section Events). */
const deliveryRecord = lazy(() =>
	z.object({
		hook: z.object({
			id: z.union([z.number(), z.string()]),
			event: z.string(),
			target: z.string(),
		}),
		data: anyObject,
	}),
);

export type Delivery = z.infer<ReturnType<typeof deliveryRecord>>;

const NO_TOKEN: Response = { status: 401, message: 'The token is missing or wrong' };
const NO_DELIVERY: Response = { status: 400, message: 'This is not a Survey B delivery' };

const UNREADABLE =
	'A delivery with the right token was rejected and started no run, because its body is not {hook: {id, event, target}, data: {…}} as JSON. Check whether a proxy between Survey B and n8n changes it';

const REPUBLISH = 'unpublish the workflow and publish it again';

const OTHER_ACCOUNT = `The base URL or API key of the credential was changed, and this workflow still receives the events of the earlier Survey B account. To receive those of the new one, ${REPUBLISH}`;

/**
 * Returns the delivery in a call of the webhook URL, or the response to a call that is not the service's. The token is in
 * the URL, and in the target that the body names, in case a proxy removes it from the URL.
 *
 * @param events the chosen events
 */
export async function verifyDelivery(
	context: IWebhookFunctions,
	state: NodeState,
	events: string[],
	log: HourlyLog,
): Promise<Delivery | Response> {
	const query: { token?: unknown } = context.getQueryData();
	const { data: delivery } = deliveryRecord().safeParse(context.getBodyData());
	const tokens = [query.token, delivery && tokenIn(delivery.hook.target)];
	if (await isAnyKnown(context, state, tokens, log)) {
		if (!delivery) log.warn(UNREADABLE);
		return delivery ?? NO_DELIVERY;
	}
	if (delivery) {
		// Anyone can send an unknown event name, so it is not logged.
		const { event } = delivery.hook;
		const subject = events.includes(event) ? `A delivery of '${event}'` : 'A delivery';
		const message = `${subject} with a token that this workflow does not know was rejected. It may come from a webhook of an earlier API key. If this workflow receives no events, ${REPUBLISH}`;
		log.warn(message);
	}
	return NO_TOKEN;
}

/** Accepts the token of the last publish, and that of the current credential, which survives lost state. */
async function isAnyKnown(
	context: IWebhookFunctions,
	state: NodeState,
	tokens: unknown[],
	log: HourlyLog,
): Promise<boolean> {
	const hashes = tokens.filter((one) => typeof one === 'string').map(tokenHash);
	// promise: token
	if (hashes.length === 0) return false;
	const isCurrent = async () => hashes.includes(tokenHash((await readAccount(context)).token));
	// promise: token-state
	if (!hashes.includes(state.tokenHash)) return await isCurrent();
	// A delivery does not need the credential, so its errors are reported where it is used.
	const isOther = log.isDue('accountCheck') && !(await isCurrent().catch(() => true));
	if (isOther) log.warn(OTHER_ACCOUNT);
	return true;
}
