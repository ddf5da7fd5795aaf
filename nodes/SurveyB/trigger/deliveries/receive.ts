import type { INodeExecutionData, IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';

import { Failure } from '../../../shared/base/failure';
import { routeItems } from '../../../shared/triggerOutputs';
import { SAMPLE_ID, scoreTypeOf } from '../events';
import { passes } from '../filters';
import { settingsOf } from '../settings';
import type { Settings } from '../settings';
import { changeOf } from '../state/change';
import type { Change } from '../state/change';
import { TriggerStore } from '../state/triggerStore';
import { confirm } from './confirm';
import { logOtherAccount, logUnknownToken } from './warnings';
import { itemOf, simplifiedItem } from './item';
import { normalize } from './normalize';
import { respond, startRun } from './response';
import type { Response } from './response';
import { verifyDelivery } from './verify';
import type { Delivery } from './verify';

const DUPLICATE = { status: 200, message: 'Ignored: this was delivered before' };
const FILTERED = { status: 200, message: "Ignored: the workflow's filters hold it back" };
const NOT_STORED = { status: 503, message: 'This could not be handled. Send it again' };
const FAILED = { status: 500, message: 'This could not be handled' };

/**
 * How long an equal delivery without a date counts as a repeat, in ms. A contact who unsubscribes, returns and
 * unsubscribes again sends equal data.
 */
const UNDATED_LIFETIME = 60 * 60 * 1000;

interface Handling {
	context: IWebhookFunctions;
	settings: Settings;
	store: TriggerStore;
	delivery: Delivery;
	change: Change;
}

/** Responds to a call of the webhook URL. An error starts no run. */
export async function receive(context: IWebhookFunctions): Promise<IWebhookResponseData> {
	try {
		const settings = settingsOf(context);
		const store = new TriggerStore(context, context.getMode() === 'manual' ? 'test' : 'live');
		const verdict = await verifyDelivery(context, store, settings);
		store.writeIfNewer();
		if ('response' in verdict) {
			if (verdict.unknown) logUnknownToken(context, store, settings, verdict.unknown);
			return respond(context, verdict.response);
		}
		const { delivery } = verdict;
		await logOtherAccount(context, store);
		const change = changeOf(delivery.hook.event, delivery.data);
		return await handle({ context, settings, store, delivery, change });
	} catch (error) {
		context.logger.error(
			`A delivery could not be handled: ${Failure.from(error).messageWithAdvice()}`,
		);
		return respond(context, FAILED);
	}
}

/** Claims a delivery before the first `await`, then remembers or forgets it. */
async function handle(handling: Handling): Promise<IWebhookResponseData> {
	const { context, settings, store, delivery, change } = handling;
	const { publishedAt } = store.registration;
	const claim = store.loadDuplicates().claim(change, {
		webhookId: String(delivery.hook.id),
		since: change.isDated ? -Infinity : Math.max(Date.now() - UNDATED_LIFETIME, publishedAt),
		onlyOtherWebhooks: !settings.ignoreRepeats,
	});
	if (claim.kind === 'repeat') return respond(context, (await claim.outcome) ?? DUPLICATE);
	const result = await outputsOf(handling).catch((error: unknown) => Failure.from(error));
	if (Array.isArray(result)) {
		claim.handOver();
		return startRun(context, result, {
			onHangUp: () => claim.respondToRepeats({ ...NOT_STORED, isDelivered: false }),
			onEnd: (isDelivered) =>
				claim.settle({ ...(isDelivered ? DUPLICATE : NOT_STORED), isDelivered }),
			onRead: () => settings.ignoreRepeats && store.saveDuplicates(),
		});
	}
	const response = result instanceof Failure ? FAILED : result;
	claim.settle({ ...(response === FILTERED ? FILTERED : NOT_STORED), isDelivered: false });
	if (result instanceof Failure) throw result;
	return respond(context, response);
}

/** Returns the items of each output, or a response if no run is to start. */
async function outputsOf({
	context,
	settings,
	store,
	delivery,
	change,
}: Handling): Promise<INodeExecutionData[][] | Response> {
	const { event, id } = delivery.hook;
	const isSample = store.slot === 'test' && id === SAMPLE_ID;
	const confirmation =
		settings.confirm && !isSample
			? await confirm(context, store, delivery)
			: { data: delivery.data, isRemoved: false };
	if ('response' in confirmation) return confirmation.response;
	const { data, isRemoved } = confirmation;
	const normalized = normalize(event, data);
	if (!isSample && !passes(settings.filters, normalized.data)) return FILTERED;
	const { deliveryId } = change;
	const item = itemOf({ ...delivery, data }, normalized, { deliveryId, isSample, isRemoved });
	const json = settings.simplify
		? simplifiedItem(item, normalized, settings.answersAsColumns)
		: { ...item };
	const route = { event, scoreType: scoreTypeOf(normalized.data) };
	return routeItems(settings.routing, [{ json }], () => route);
}
