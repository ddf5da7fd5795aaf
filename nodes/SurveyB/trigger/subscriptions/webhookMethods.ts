import type { IHookFunctions } from 'n8n-workflow';

import { Failure } from '../../../shared/base/failure';
import { toNodeError } from '../../../shared/nodeError';
import { settingsOf } from '../settings';
import { storeForHook } from '../state/triggerStore';
import { readTarget } from '../webhookTarget';
import { logUnreachable, Subscriptions } from './subscriptions';
import { deliverSample } from './testSample';

/**
 * n8n calls `create` when a workflow is published, n8n starts, or the editor begins to listen. It calls `delete` when a
 * workflow is unpublished or changed, `create` has failed, or the editor stops listening.
 */
export const webhookMethods = {
	/** Returns false, because the service cannot list its webhooks. `create` creates only the missing ones. */
	async checkExists(this: IHookFunctions): Promise<boolean> {
		return false;
	},

	async create(this: IHookFunctions): Promise<boolean> {
		try {
			const url = this.getNodeWebhookUrl('default') ?? '';
			const store = storeForHook(this, url);
			const settings = settingsOf(this);
			const { events } = settings;
			if (events.length === 0) throw nothingChosen();
			const target = await readTarget(this, url);
			// A user may test with the same event again.
			if (store.slot === 'test') store.process.duplicates.clear();
			await store.serialize(async () => {
				await new Subscriptions(this, store, target).subscribe(events);
			});
			store.saveDuplicates();
			const isTest = store.slot === 'test';
			if (isTest && settings.sampleOnTest) await deliverSample(this, store, target, settings);
			return true;
		} catch (error) {
			const failure = Failure.from(error);
			throw toNodeError(this.getNode(), failure, failure.headline);
		}
	},

	/** Never throws: the log names every webhook that stays. */
	async delete(this: IHookFunctions): Promise<boolean> {
		const url = this.getNodeWebhookUrl('default') ?? '';
		const store = storeForHook(this, url);
		try {
			const target = await readTarget(this, url);
			await store.serialize(async () => {
				await new Subscriptions(this, store, target).unsubscribe();
			});
		} catch (error) {
			logUnreachable(this, store, Failure.from(error));
		}
		store.process.url = undefined;
		return true;
	},
};

function nothingChosen(): Failure {
	return new Failure('value', "No event is chosen under 'Trigger On'", {
		hint: "Choose at least one event, or type one under 'Custom Events' in the options",
	});
}
