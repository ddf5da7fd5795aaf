import type { IHookFunctions } from 'n8n-workflow';

import { Failure } from '../base/failure';
import { notTriedAgain } from '../n8nInternals';
import { toNodeError } from '../nodeError';
import { NodeWebhooks } from './nodeWebhooks';
import { deliverSample, readSample } from './sample';
import type { WebhookSettings, WebhookTrigger } from './webhookTrigger';

/**
 * n8n calls `create` when a workflow is published, when the editor begins to listen, and before 2.40 when n8n starts. It calls
 * `delete` when a workflow is unpublished, before it publishes an edit, when `create` has failed, and when the editor stops
 * listening.
 */
export function webhookMethods(trigger: WebhookTrigger) {
	return {
		/** The service cannot list its webhooks. `create` knows which ones are missing. */
		async checkExists(this: IHookFunctions): Promise<boolean> {
			return false;
		},

		async create(this: IHookFunctions): Promise<boolean> {
			const isTest = this.getMode() === 'manual';
			try {
				const settings = trigger.read(this);
				const { events } = settings;
				if (events.length === 0) {
					const hint = 'Choose at least one event';
					throw new Failure('value', "No event is chosen under 'Trigger On'", { hint });
				}
				const webhooks = new NodeWebhooks(this, trigger);
				await (isTest ? listen(this, trigger, settings, webhooks) : webhooks.subscribe(events));
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
			new NodeWebhooks(this, trigger).unsubscribe();
			return true;
		},
	};
}

/** Listens for a test: a sample needs no webhook. If there is none, or n8n cannot call itself, real events may arrive. */
async function listen(
	context: IHookFunctions,
	trigger: WebhookTrigger,
	settings: WebhookSettings,
	webhooks: NodeWebhooks,
): Promise<void> {
	const { events, failures } = settings;
	if (failures.length > 0) {
		const hint =
			'Correct the value or its expression. While the workflow is published, such a filter does not apply, and the log says so';
		throw Failure.all(failures).with({ hint });
	}
	const { url, signal } = webhooks;
	const sample = await readSample(context, trigger, settings, url);
	if (!sample) return await webhooks.subscribe(events);
	void deliverSample(context, sample, signal)
		.catch(async () => await webhooks.subscribe(events))
		.catch(() => undefined);
}
