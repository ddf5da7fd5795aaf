import { sleep } from 'n8n-workflow';
import type { IHookFunctions, IHttpRequestOptions } from 'n8n-workflow';

import { Failure } from '../base/failure';
import { ApiClient } from '../http/client';
import { readCredential } from '../http/credential';
import { targetOf, tokenOf } from './token';
import type { WebhookSettings, WebhookTrigger } from './webhookTrigger';

/** The webhook ID in a sample, which the node delivers to itself while the editor listens. */
export const SAMPLE_ID = 'sample';

/** Short, because the editor does not listen until `create` returns. */
const TIME_LIMITS = { maxWait: 8000, timeout: 5000, isInteractive: true };

/** n8n listens shortly after `create` has returned, in ms. */
const DELIVERY_DELAY = 500;
const MOST_SAMPLE_TRIES = 5;

/**
 * Prepares the request that delivers a sample to the test URL, before `create` returns, because n8n decrypts no credentials
 * afterwards. Never throws: a test works without a sample. The log says why it has none.
 */
export async function readSample(
	context: IHookFunctions,
	{ service, sample }: WebhookTrigger,
	settings: WebhookSettings,
	url: string,
): Promise<IHttpRequestOptions | undefined> {
	const event = settings.events.find((name) => sample?.isOf(name));
	if (!sample || event === undefined) return undefined;
	try {
		const client = new ApiClient(context, service, TIME_LIMITS);
		const target = targetOf(url, tokenOf(context, await readCredential(context, service)));
		const body = await sample.read(client, { id: SAMPLE_ID, event, target }, settings);
		if (body) return { method: 'POST', url: target, body };
		log(context, `${service.name} has no record yet for a sample`);
	} catch (error) {
		const { headline } = Failure.from(error);
		log(context, `A sample could not be read from ${service.name}: ${headline}`);
	}
	return undefined;
}

/**
 * Delivers a sample once n8n listens.
 *
 * @param signal aborts when the test is over, also when another one has begun
 * @throws Failure if n8n cannot call itself
 */
export async function deliverSample(
	context: IHookFunctions,
	request: IHttpRequestOptions,
	signal: AbortSignal,
): Promise<void> {
	let reason = '';
	for (let tries = 0; tries < MOST_SAMPLE_TRIES; tries++) {
		await sleep(DELIVERY_DELAY);
		if (signal.aborted) return;
		try {
			return void (await context.helpers.httpRequest(request));
		} catch (error) {
			// n8n may not listen yet.
			reason = Failure.from(error).headline;
		}
	}
	const message = `A sample could not be delivered, because n8n does not reach its own webhook URL: ${reason}. The test waits for a real event. If n8n's protection against SSRF blocks the URL, add n8n's host to N8N_SSRF_ALLOWED_HOSTNAMES`;
	log(context, message);
	throw new Failure('failed', message);
}

function log(context: IHookFunctions, message: string): void {
	context.logger.info(message, { nodeName: context.getNode().name });
}
