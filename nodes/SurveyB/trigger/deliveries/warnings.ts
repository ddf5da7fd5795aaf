import type { IWebhookFunctions } from 'n8n-workflow';

import type { Settings } from '../settings';
import type { TriggerStore } from '../state/triggerStore';
import { readTarget, tokenHash } from '../webhookTarget';
import { urlOf } from './verify';
import type { Delivery } from './verify';

// Problems that show only in deliveries: n8n does not ask the trigger about its webhooks while a workflow is published.

const REPUBLISH = 'unpublish the workflow and publish it again';

export const OTHER_ACCOUNT = `The base URL or API key of the credential was changed, and this workflow still receives the events of the earlier Survey B account. To receive those of the new one, ${REPUBLISH}`;

/** Logs a delivery with an unknown token: the service may be calling a workflow that rejects its deliveries. */
export function logUnknownToken(
	context: IWebhookFunctions,
	store: TriggerStore,
	{ events }: Settings,
	{ hook }: Delivery,
): void {
	// Anyone can send an unknown event name, so it is not logged.
	const subject = events.includes(hook.event) ? `A delivery of '${hook.event}'` : 'A delivery';
	const message = `${subject} with a token that this workflow does not know was rejected. It may come from a webhook of an earlier API key or URL. If this workflow receives no events, ${REPUBLISH}`;
	warn(context, store, 'unknownToken', message);
}

/** Logs that the credential was changed after the workflow was published. */
export async function logOtherAccount(
	context: IWebhookFunctions,
	store: TriggerStore,
): Promise<void> {
	if (!store.shouldLog('accountCheck')) return;
	try {
		if (await isOtherAccount(context, store)) warn(context, store, 'otherAccount', OTHER_ACCOUNT);
	} catch {
		// A delivery does not need the credential, so its errors are reported where it is used.
	}
}

/** True if the workflow was published with another base URL or API key than the credential has now. */
export async function isOtherAccount(
	context: IWebhookFunctions,
	store: TriggerStore,
): Promise<boolean> {
	const { token } = await readTarget(context, urlOf(context, store));
	return store.registration.tokenHash !== tokenHash(token);
}

/** Logs a warning once an hour. */
export function warn(
	context: IWebhookFunctions,
	store: TriggerStore,
	warning: 'unknownToken' | 'otherAccount',
	message: string,
): void {
	if (!store.shouldLog(warning)) return;
	const workflowId = context.getWorkflow().id;
	context.logger.warn(message, { workflowId, nodeName: context.getNode().name });
}
