import { randomBytes } from 'crypto';
import { sleep } from 'n8n-workflow';
import type { IHookFunctions } from 'n8n-workflow';

import { ApiClient } from '../../../shared/http/client';
import { Failure } from '../../../shared/http/failure';
import { surveyB } from '../../service';
import type { Settings } from '../settings';
import { secretHash } from '../state/records';
import type { SubscriptionStore } from '../state/subscriptionStore';
import type { Place } from './plan';
import { newestSample } from './sample';
import type { Sample } from './sample';
import { targetOf } from './webhookApi';

/** The user waits for the editor to listen meanwhile. */
const TIME_LIMITS = { maxWait: 2, timeout: 5 };

/** n8n listens a moment after `create` has returned, in ms. */
const DELIVERY_DELAY = 500;
const MOST_TRIES = 5;

/**
 * Reads the newest event that the service has, and delivers it to the test URL as soon as n8n listens.
 * It is read at once, because n8n reads credentials for as long as `create` runs only. Never throws: a
 * real event does without.
 */
export async function deliverSample(
	context: IHookFunctions,
	store: SubscriptionStore,
	place: Place,
	{ events, filters }: Settings,
): Promise<void> {
	const log = (message: string) =>
		context.logger.info(message, { nodeName: context.getNode().name });
	try {
		const client = new ApiClient(context, surveyB, TIME_LIMITS);
		const sample = await newestSample(client, events, filters);
		if (sample === undefined) {
			return log(`Survey B has nothing yet to show as a sample of ${events.join(', ')}`);
		}
		const token = randomBytes(24).toString('hex');
		store.save({ sampleTokenHash: secretHash(token) });
		void deliver(context, store, place, sample, token).then((result) => result && log(result));
	} catch (error) {
		log(`A sample could not be read from Survey B: ${Failure.from(error).headline}`);
	}
}

/** Gives what to tell the log of the delivery; nothing where n8n stopped listening before. */
async function deliver(
	context: IHookFunctions,
	store: SubscriptionStore,
	{ url }: Place,
	{ event, data }: Sample,
	token: string,
): Promise<string | undefined> {
	const target = targetOf(url, token);
	const hook = { id: hookIdOf(store, event), event, target: url };
	for (let tries = 0; tries < MOST_TRIES; tries++) {
		await sleep(DELIVERY_DELAY);
		if (store.registration.sampleTokenHash !== secretHash(token)) return undefined;
		try {
			const body = { hook, data };
			await context.helpers.httpRequest({ method: 'POST', url: target, body });
			return `A sample of ${event} was delivered to the test URL`;
		} catch {
			// n8n may not listen yet.
		}
	}
	return `A sample of ${event} could not be delivered, because n8n does not reach its own webhook URL (${url})`;
}

function hookIdOf({ registration }: SubscriptionStore, event: string): number | string {
	return registration.subscriptions.find((one) => one.event === event)?.id ?? 'sample';
}
