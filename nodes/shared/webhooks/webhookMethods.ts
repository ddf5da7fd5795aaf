import type { IHookFunctions } from 'n8n-workflow';

import { Failure } from '../base/failure';
import { isPassing } from '../http/outcome';
import { notTriedAgain } from '../n8nInternals';
import { toNodeError } from '../nodeError';
import { keyOfNode, WorkflowMemory } from './memory';
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
				// n8n shows no description of an error of a publish.
				const message = failure.messageWithAdvice();
				if (!isPassing(failure.kind)) throw notTriedAgain(this.getNode(), message);
				throw toNodeError(this.getNode(), failure, message);
			}
		},

		/** Never throws: the log names every webhook that stays. */
		async delete(this: IHookFunctions): Promise<boolean> {
			const url = webhookUrl(this);
			const memory = WorkflowMemory.of(this);
			// n8n calls it in the same mode for both URLs.
			const key = [true, false]
				.map((isTest) => keyOfNode(this, isTest))
				.find((one) => memory.node(one).url === url);
			if (key === undefined) return true;
			memory.tests.delete(key);
			if (key === keyOfNode(this, false)) memory.deliveries.forgetUndated();
			const webhooks = new NodeWebhooks(this, trigger, memory, key, url);
			const events = publishedEvents(this, trigger);
			await memory.serialize(async () => await webhooks.unsubscribe(events));
			memory.save(this);
			return true;
		},
	};
}

async function publish(context: IHookFunctions, trigger: WebhookTrigger): Promise<void> {
	const { events } = trigger.read(context);
	if (events.length === 0) throw nothingChosen();
	const memory = WorkflowMemory.of(context);
	const key = keyOfNode(context, false);
	const webhooks = new NodeWebhooks(context, trigger, memory, key, webhookUrl(context));
	await memory.serialize(async () => await webhooks.subscribe(events));
	memory.save(context);
}

/** Listens for a test: a sample needs no webhook. If there is none, or n8n cannot call itself, real events may arrive. */
async function listen(context: IHookFunctions, trigger: WebhookTrigger): Promise<void> {
	const settings = trigger.read(context);
	const { events, failures } = settings;
	if (events.length === 0) throw nothingChosen();
	if (failures.length > 0) throw unreadable(failures);
	const memory = WorkflowMemory.of(context);
	const [key, url] = [keyOfNode(context, true), webhookUrl(context)];
	// `delete` knows a test by its URL.
	memory.change(key, { url });
	const test = Symbol('test');
	memory.tests.set(key, test);
	const isListening = () => memory.tests.get(key) === test;
	const webhooks = new NodeWebhooks(context, trigger, memory, key, url);
	const subscribe = async () =>
		await memory.serialize(async () => {
			if (isListening()) await webhooks.subscribe(events);
		});
	const sample = await readSample(context, trigger, settings, url);
	if (!sample) return await subscribe();
	void deliverSample(context, sample, isListening)
		.then(async (isDelivered) => (isDelivered ? undefined : await subscribe()))
		.catch(() => undefined);
}

/** Returns the events of the version that n8n deactivates; none if their expression fails. */
function publishedEvents(context: IHookFunctions, trigger: WebhookTrigger): string[] {
	try {
		return trigger.read(context).events;
	} catch {
		return [];
	}
}

function webhookUrl(context: IHookFunctions): string {
	return context.getNodeWebhookUrl('default') ?? '';
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
