import type { INodeExecutionData, IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';

import { Failure } from '../../../shared/base/failure';
import { HourlyLog, routeItems } from '../../../shared/triggers';
import { SAMPLE_ID, scoreTypeOf } from '../events';
import { campaignMismatch, isWanted } from '../filters';
import { readSettings } from '../fields';
import type { Settings } from '../fields';
import { changeOf } from '../state/change';
import type { Change } from '../state/change';
import { WorkflowMemory } from '../state/memory';
import { keyOfNode } from '../state/nodeState';
import type { NodeState } from '../state/nodeState';
import { itemOf, normalize } from './item';
import { respond, startRun } from './response';
import type { Response } from './response';
import { verifyDelivery } from './verify';
import type { Delivery } from './verify';

const DUPLICATE: Response = { status: 200, message: 'Ignored: this was delivered before' };
const FILTERED: Response = { status: 200, message: "Ignored: the workflow's filters hold it back" };
const FAILED: Response = { status: 500, message: 'This could not be handled. Send it again' };

/**
 * How long an equal delivery without a date counts as a repeat, in ms. A contact who unsubscribes, returns and
 * unsubscribes again sends equal data.
 */
const UNDATED_LIFETIME = 60 * 60 * 1000;

/** Responds to a call of the webhook URL. After an error, the service sends the delivery again. */
export async function receive(context: IWebhookFunctions): Promise<IWebhookResponseData> {
	try {
		return await handle(context);
	} catch (error) {
		context.logger.error(
			`A delivery could not be handled: ${Failure.from(error).messageWithAdvice()}`,
		);
		return respond(context, FAILED);
	}
}

async function handle(context: IWebhookFunctions): Promise<IWebhookResponseData> {
	const isTest = context.getMode() === 'manual';
	const key = keyOfNode(context, isTest);
	const memory = WorkflowMemory.of(context);
	const log = new HourlyLog(context);
	const state = memory.node(key);
	const settings = { ...readSettings(context), isTest };
	const { events, failures, options } = settings;
	const delivery = await verifyDelivery(context, state, events, log);
	if ('status' in delivery) return respond(context, delivery);
	const { event } = delivery.hook;
	if (!events.includes(event)) {
		const message = `Ignored: the workflow does not listen to '${event}'`;
		return respond(context, { status: 200, message });
	}
	for (const { field, message } of failures) log.warn(`${message}. It does not apply`, field);

	const change = changeOf(key, event, delivery.data);
	const outputs = outputsOf(delivery, change, settings, log);
	if (!outputs) {
		if (!isTest && memory.forgetOther(change)) memory.save(context);
		return respond(context, FILTERED);
	}
	if (options.ignoreRepeats === false) return startRun(context, outputs, () => {});
	const endClaim = await memory.claim(change, comparedSince(change, state, isTest));
	if (!endClaim) return respond(context, DUPLICATE);
	return startRun(context, outputs, (isStored) => {
		endClaim(isStored);
		if (isStored) memory.save(context);
	});
}

/** Returns the time from which deliveries are compared, in ms since 1970. In a test, a user may cause the same event again. */
function comparedSince({ isDated }: Change, { publishedAt }: NodeState, isTest: boolean): number {
	if (isTest) return publishedAt;
	if (isDated) return -Infinity;
	const now = Date.now();
	// The clock may have been set back since the publish.
	return Math.max(now - UNDATED_LIFETIME, publishedAt > now ? -Infinity : publishedAt);
}

/** Returns the items of each output; undefined if a filter holds the delivery back. */
function outputsOf(
	delivery: Delivery,
	{ deliveryId }: Change,
	settings: Settings & { isTest: boolean },
	log: HourlyLog,
): INodeExecutionData[][] | undefined {
	const { event, id } = delivery.hook;
	const isSample = settings.isTest && id === SAMPLE_ID;
	const normalized = normalize(delivery);
	if (!isSample && !isWanted(settings.filters, normalized.data)) {
		const mismatch = campaignMismatch(settings.filters, normalized.data);
		if (mismatch !== undefined) log.warn(mismatch);
		return undefined;
	}
	const json = itemOf(delivery, normalized, { deliveryId, isSample }, settings.form);
	const route = { event, scoreType: scoreTypeOf(normalized.data) };
	return routeItems(settings.routing, [{ json }], () => route);
}
