import { sleep } from 'n8n-workflow';
import type { IHookFunctions, IHttpRequestOptions } from 'n8n-workflow';

import { Failure } from '../base/failure';
import { ApiClient } from '../http/client';
import { readAccount, withToken } from './account';
import type { WebhookSettings, WebhookTrigger } from './webhookTrigger';

/** The webhook ID in a sample, which the node delivers to itself while the editor listens. */
export const SAMPLE_ID = 'sample';

/** Short, because the editor does not listen until `create` returns. */
const TIME_LIMITS = { maxWait: 8, timeout: 5, isInteractive: true };

/** n8n listens shortly after `create` has returned, in ms. */
const DELIVERY_DELAY = 500;
const MOST_SAMPLE_TRIES = 5;

/** The errors of n8n's protection against SSRF (seen in 2.41.1). */
const BLOCKED = /\bblocked\b/i;

/**
 * Reads a sample, and delivers it to the test URL once n8n listens. It is read before `create` returns, because n8n
 * decrypts no credentials afterwards. Never throws: a test works without a sample.
 *
 * @param isListening returns false once the test is over, also when another one has begun
 */
export async function deliverSample(
	context: IHookFunctions,
	{ service, sample }: WebhookTrigger,
	settings: WebhookSettings,
	url: string,
	isListening: () => boolean,
): Promise<void> {
	const event = settings.events.find((one) => sample?.isOf(one));
	if (!sample || event === undefined) return;
	const log = (message: string) =>
		context.logger.info(message, { nodeName: context.getNode().name });
	try {
		const client = new ApiClient(context, service, TIME_LIMITS);
		const target = withToken(url, (await readAccount(context, service)).token);
		const body = await sample.read(client, { id: SAMPLE_ID, event, target }, settings);
		if (!body) return log(`${service.name} has no ${sample.records} yet for a sample`);
		void deliver(context, { method: 'POST', url: target, body }, isListening).then(log);
	} catch (error) {
		log(`A sample could not be read from ${service.name}: ${Failure.from(error).headline}`);
	}
}

/** Returns the line for the log. Never throws. */
async function deliver(
	context: IHookFunctions,
	request: IHttpRequestOptions,
	isListening: () => boolean,
): Promise<string> {
	let reason = '';
	for (let tries = 0; tries < MOST_SAMPLE_TRIES; tries++) {
		await sleep(DELIVERY_DELAY);
		if (!isListening()) return 'No sample was delivered, because the test was over';
		try {
			await context.helpers.httpRequest(request);
			return 'A sample was delivered to the test URL';
		} catch (error) {
			// n8n may not listen yet.
			reason = Failure.from(error).headline;
		}
	}
	if (BLOCKED.test(reason)) {
		return `A sample could not be delivered, because n8n's protection against SSRF blocks its own webhook URL: ${reason}. Real events arrive. For samples, add n8n's host to N8N_SSRF_ALLOWED_HOSTNAMES`;
	}
	return `A sample could not be delivered, because n8n does not reach its own webhook URL: ${reason}`;
}
