import { sleep } from 'n8n-workflow';
import type { IHookFunctions } from 'n8n-workflow';

import { ApiClient } from '../../../shared/http/client';
import { Failure } from '../../../shared/base/failure';
import { surveyB } from '../../service';
import { SAMPLE_ID } from '../events';
import type { Settings } from '../settings';
import type { TriggerStore } from '../state/triggerStore';
import { newestSample } from './sample';
import type { Sample } from './sample';
import { withToken } from '../webhookTarget';
import type { WebhookTarget } from '../webhookTarget';

/** Short, because the editor does not listen until `create` returns. */
const TIME_LIMITS = { maxWait: 2, timeout: 5 };

/** n8n listens shortly after `create` has returned, in ms. */
const DELIVERY_DELAY = 500;
const MOST_TRIES = 5;

/**
 * Reads a sample of the newest event, and delivers it to the test URL once n8n listens. It is read before `create`
 * returns, because n8n decrypts no credentials afterwards. Never throws: a test works without a sample.
 */
export async function deliverSample(
	context: IHookFunctions,
	store: TriggerStore,
	target: WebhookTarget,
	{ events, filters }: Settings,
): Promise<void> {
	try {
		const client = new ApiClient(context, surveyB, TIME_LIMITS);
		const sample = await newestSample(client, events, filters);
		if (sample === undefined) {
			return log(context, `Survey B has nothing yet to show as a sample of ${events.join(', ')}`);
		}
		if (!sample.matchesFilters) {
			const message =
				'No recent feedback response passes the filters, so the sample is the newest one';
			log(context, message);
		}
		void deliver(context, store, target, sample);
	} catch (error) {
		log(context, `A sample could not be read from Survey B: ${Failure.from(error).headline}`);
	}
}

/** Gives up if n8n stops listening. Never throws. */
async function deliver(
	context: IHookFunctions,
	store: TriggerStore,
	{ url, token }: WebhookTarget,
	{ event, data }: Sample,
): Promise<void> {
	const target = withToken(url, token);
	const hook = { id: SAMPLE_ID, event, target };
	for (let tries = 0; tries < MOST_TRIES; tries++) {
		await sleep(DELIVERY_DELAY);
		if (store.process.url !== url) return;
		try {
			const body = { hook, data };
			await context.helpers.httpRequest({ method: 'POST', url: target, body });
			return log(context, `A sample of ${event} was delivered to the test URL`);
		} catch {
			// n8n may not listen yet.
		}
	}
	const message = `A sample of ${event} could not be delivered, because n8n does not reach its own webhook URL (${url})`;
	log(context, message);
}

function log(context: IHookFunctions, message: string): void {
	context.logger.info(message, { nodeName: context.getNode().name });
}
