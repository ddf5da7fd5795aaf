import type { IHookFunctions } from 'n8n-workflow';

import { readCredential } from '../../../shared/http/credential';
import { Failure, toNodeError } from '../../../shared/http/failure';
import { surveyB } from '../../service';
import { settingsOf } from '../settings';
import { accountHash } from '../state/records';
import { SubscriptionStore } from '../state/subscriptionStore';
import { planOf } from './plan';
import type { Place } from './plan';
import { SubscriptionSync } from './sync';
import { deliverSample } from './testSample';

/**
 * How the trigger's subscriptions begin and end, called by n8n: `checkExists`, and `create` where that
 * says no, when the workflow is activated and when the editor begins to listen; `delete` when the
 * workflow is deactivated or changed and when the editor stops listening. n8n leaves subscriptions
 * alone when it shuts down, and when it starts again.
 */
export const webhookMethods = {
	/** Only checks, and only what was noted: the service cannot list its subscriptions. */
	async checkExists(this: IHookFunctions): Promise<boolean> {
		return await withNodeErrors(this, async (store, place) => {
			const { events } = settingsOf(this);
			const { keep, leftover } = planOf(store.foundation, events, place);
			return events.length > 0 && keep.length === events.length && leftover.length === 0;
		});
	},

	async create(this: IHookFunctions): Promise<boolean> {
		return await withNodeErrors(this, async (store, place) => {
			const settings = settingsOf(this);
			const { events } = settings;
			if (events.length === 0) throw nothingChosen();
			await store.serialize(async () => {
				await new SubscriptionSync(this, store, place).begin(events);
			});
			const isTest = this.getMode() === 'manual';
			if (isTest && settings.sampleOnTest) await deliverSample(this, store, place, settings);
			return true;
		});
	},

	/** Never fails for the service: what it does not confirm is remembered as an orphan. */
	async delete(this: IHookFunctions): Promise<boolean> {
		return await withNodeErrors(this, async (store, place) => {
			await store.serialize(async () => await new SubscriptionSync(this, store, place).end());
			return true;
		});
	},
};

/** Does work on the node's store, at the node's place, and turns failures into the node's errors. */
async function withNodeErrors(
	context: IHookFunctions,
	work: (store: SubscriptionStore, place: Place) => Promise<boolean>,
): Promise<boolean> {
	try {
		const url = context.getNodeWebhookUrl('default') ?? '';
		const store = storeOf(context, url);
		const { baseUrl, apiKey } = await readCredential(context, surveyB);
		return await work(store, { url, service: baseUrl, account: accountHash(baseUrl, apiKey) });
	} catch (error) {
		const failure = Failure.from(error);
		throw toNodeError(context.getNode(), failure, failure.headline);
	}
}

/**
 * The store of the live URL, or that of the test URL. n8n begins to listen for a test in mode
 * `manual`, but ends a test and a live workflow alike: then only the URL tells which one it is.
 */
function storeOf(context: IHookFunctions, url: string): SubscriptionStore {
	const test = new SubscriptionStore(context, 'test');
	const live = new SubscriptionStore(context, 'live');
	const isManual = context.getMode() === 'manual';
	const isTest = isManual || (test.serves(url) && !live.serves(url));
	const store = isTest ? test : live;
	store.processState.url = url;
	return store;
}

function nothingChosen(): Failure {
	return new Failure({
		words: "No event is chosen under 'Trigger On'",
		advice: "Choose at least one event, or type one under 'Custom Events' in the options",
	});
}
