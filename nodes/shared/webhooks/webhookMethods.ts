import type { IHookFunctions } from 'n8n-workflow';

import { Failure } from '../base/failure';
import { toNodeError } from '../nodeError';
import { keyOfNode, WorkflowMemory } from './memory';
import { NodeWebhooks } from './nodeWebhooks';
import { deliverSample } from './sample';
import type { WebhookTrigger } from './webhookTrigger';

/**
 * Returns the methods that create and remove a trigger's webhooks. n8n calls `create` when a workflow is published, when n8n
 * starts, and when the editor begins to listen. It calls `delete` when a workflow is unpublished or changed, when `create` has
 * failed, and when the editor stops listening.
 */
export function webhookMethods(trigger: WebhookTrigger) {
	return {
		/** Returns false, because the service cannot list its webhooks. `create` knows which ones are missing. */
		async checkExists(this: IHookFunctions): Promise<boolean> {
			return false;
		},

		async create(this: IHookFunctions): Promise<boolean> {
			try {
				const isTest = this.getMode() === 'manual';
				const url = webhookUrl(this);
				const memory = WorkflowMemory.of(this);
				const key = keyOfNode(this, isTest);
				// Stored first, because `delete` knows a test by its URL.
				if (isTest) memory.change(key, { url });
				const settings = trigger.read(this);
				const { events, failures } = settings;
				if (events.length === 0) throw nothingChosen();
				if (isTest && failures.length > 0) throw unreadable(failures);
				const webhooks = new NodeWebhooks(this, trigger, memory, key, url);
				await memory.serialize(async () => await webhooks.subscribe(events));
				memory.save(this);
				const { publishedAt } = memory.node(key);
				const isListening = () => {
					const now = memory.node(key);
					return now.webhooks.length > 0 && now.publishedAt === publishedAt;
				};
				if (isTest) await deliverSample(this, trigger, settings, url, isListening);
				return true;
			} catch (error) {
				const failure = Failure.from(error);
				throw toNodeError(this.getNode(), failure, failure.headline);
			}
		},

		/** Never throws: the log names every webhook that stays. */
		async delete(this: IHookFunctions): Promise<boolean> {
			const url = webhookUrl(this);
			const memory = WorkflowMemory.of(this);
			// n8n calls it in the same mode for both URLs.
			const isTest = memory.node(keyOfNode(this, true)).url === url;
			const webhooks = new NodeWebhooks(this, trigger, memory, keyOfNode(this, isTest), url);
			await memory.serialize(async () => await webhooks.unsubscribe());
			memory.save(this);
			return true;
		},
	};
}

function webhookUrl(context: IHookFunctions): string {
	return context.getNodeWebhookUrl('default') ?? '';
}

function nothingChosen(): Failure {
	return new Failure('value', "No event is chosen under 'Trigger On'", {
		hint: "Choose at least one event, or type one under 'Custom Events' in the options",
	});
}

function unreadable(failures: Failure[]): Failure {
	return Failure.all(failures).with({
		hint: 'Correct the value or its expression. While the workflow is published, such a filter does not apply, and the log says so',
	});
}
