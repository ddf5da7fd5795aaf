import type { IHookFunctions } from 'n8n-workflow';

import { Failure } from '../base/failure';
import { notTriedAgain } from '../n8nInternals';
import { toNodeError } from '../nodeError';
import { NodeWebhooks } from './nodeWebhooks';
import { deliverSample, readSample } from './sample';
import type { WebhookTrigger } from './webhookTrigger';

/**
 * Returns the methods that create and remove a trigger's webhooks. n8n calls `create` when a workflow is published, when the
 * editor begins to listen, and before 2.40 when n8n starts. It calls `delete` when a workflow is unpublished, before it
 * publishes an edit, when `create` has failed, and when the editor stops listening.
 */
export function webhookMethods(trigger: WebhookTrigger) {
	return {
		/** Returns false, because the service cannot list its webhooks. `create` knows which ones are missing. */
		async checkExists(this: IHookFunctions): Promise<boolean> {
			return false;
		},

		async create(this: IHookFunctions): Promise<boolean> {
			const isTest = this.getMode() === 'manual';
			try {
				await (isTest ? listen(this, trigger) : publish(this, trigger));
				return true;
			} catch (error) {
				const failure = Failure.from(error);
				if (isTest) throw toNodeError(this.getNode(), failure);
				// n8n shows no description of an error of a publish. Another try could create further webhooks.
				throw notTriedAgain(this.getNode(), failure.with({ doubt: undefined }).messageWithAdvice());
			}
		},

		/** Never throws: the log names every webhook that stays. */
		async delete(this: IHookFunctions): Promise<boolean> {
			webhooksOf(this, trigger).unsubscribe();
			return true;
		},
	};
}

async function publish(context: IHookFunctions, trigger: WebhookTrigger): Promise<void> {
	const { events } = trigger.read(context);
	if (events.length === 0) throw nothingChosen();
	await webhooksOf(context, trigger).subscribe(events);
}

/** Listens for a test: a sample needs no webhook. If there is none, or n8n cannot call itself, real events may arrive. */
async function listen(context: IHookFunctions, trigger: WebhookTrigger): Promise<void> {
	const settings = trigger.read(context);
	const { events, failures } = settings;
	if (events.length === 0) throw nothingChosen();
	if (failures.length > 0) throw unreadable(failures);
	const webhooks = webhooksOf(context, trigger);
	const { url, signal } = webhooks;
	const sample = await readSample(context, trigger, settings, url);
	if (!sample) return await webhooks.subscribe(events);
	void deliverSample(context, sample, signal)
		.then(async (isDelivered) => (isDelivered ? undefined : await webhooks.subscribe(events)))
		.catch(() => undefined);
}

function webhooksOf(context: IHookFunctions, trigger: WebhookTrigger): NodeWebhooks {
	return new NodeWebhooks(context, trigger, context.getNodeWebhookUrl('default') ?? '');
}

function nothingChosen(): Failure {
	const hint = 'Choose at least one event';
	return new Failure('value', "No event is chosen under 'Trigger On'", { hint });
}

function unreadable(failures: Failure[]): Failure {
	return Failure.all(failures).with({
		hint: 'Correct the value or its expression. While the workflow is published, such a filter does not apply, and the log says so',
	});
}
