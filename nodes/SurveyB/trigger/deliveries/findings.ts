import type { IWebhookFunctions } from 'n8n-workflow';

import { readCredential } from '../../../shared/http/credential';
import { surveyB } from '../../service';
import type { Settings } from '../settings';
import { accountHash } from '../state/records';
import type { SubscriptionStore } from '../state/subscriptionStore';
import type { Delivery } from './verify';

// What only deliveries show, since n8n asks the trigger about its subscriptions when a workflow is published and
// not when it starts. Each is told to the log once an hour at most.

const REPUBLISH = 'unpublish the workflow and publish it again';

/** The service may be calling with a token that n8n forgot: then the trigger is deaf, and somebody has to know. */
export function logStranger(
	context: IWebhookFunctions,
	store: SubscriptionStore,
	{ events }: Settings,
	{ hook }: Delivery,
): void {
	if (!store.isTimeFor('stranger')) return;
	const what = events.includes(hook.event) ? `A delivery of '${hook.event}'` : 'A delivery';
	warn(
		context,
		`${what} with a token that this workflow does not know was refused. If n8n was moved, restored from a backup or killed while the workflow was being published, ${REPUBLISH}`,
	);
}

/** The key may have been replaced by that of another account: then the trigger still hears the earlier one. */
export async function logOtherAccount(
	context: IWebhookFunctions,
	store: SubscriptionStore,
): Promise<void> {
	const { subscriptions } = store.registration;
	const [{ account } = { account: undefined }] = subscriptions;
	if (account === undefined || !store.isTimeFor('account')) return;
	try {
		const { baseUrl, apiKey } = await readCredential(context, surveyB);
		if (account === accountHash(baseUrl, apiKey)) return;
		warn(
			context,
			`The base URL or API key of the credential was changed, and this workflow still receives the events of the earlier Survey B account. To receive those of the new one, ${REPUBLISH}`,
		);
	} catch {
		// A delivery needs no credential: what is wrong with it shows where it is used.
	}
}

function warn(context: IWebhookFunctions, message: string): void {
	const { id } = context.getWorkflow();
	context.logger.warn(message, { workflowId: id, nodeName: context.getNode().name });
}
