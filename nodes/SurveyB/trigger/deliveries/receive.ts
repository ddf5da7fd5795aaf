import type { IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';

import { Failure } from '../../../shared/http/failure';
import { routeItems } from '../../../shared/triggerOutputs';
import { confirm } from './confirm';
import { scoreTypeOf } from '../events';
import type { TriggerItem } from '../events';
import { passes } from './filters';
import { itemOf } from './item';
import { verifyDelivery } from './verify';
import type { Delivery } from './verify';
import { SubscriptionStore } from '../state/subscriptionStore';
import type { Claim } from '../state/duplicates';
import { settingsOf } from '../settings';
import type { Settings } from '../settings';

/** An answer, and no run. */
interface Refusal {
	status: number;
	message: string;
}

/** What comes of a call. */
type Outcome = { item: TriggerItem } | Refusal;

const STARTED = { status: 200, message: 'Workflow was started' };
const DUPLICATE = { status: 200, message: 'Ignored: this was delivered before' };
const FILTERED = { status: 200, message: "Ignored: the workflow's filters hold it back" };

/** Answers a call of the webhook URL. Whatever goes wrong, it starts no run. */
export async function receive(context: IWebhookFunctions): Promise<IWebhookResponseData> {
	try {
		const settings = settingsOf(context);
		const outcome = await outcomeOf(context, settings);
		if ('message' in outcome) return answer(context, outcome);
		const { item } = outcome;
		const route = { event: item.event, scoreType: scoreTypeOf(item.data) };
		const workflowData = routeItems(settings.routing, [{ json: item }], () => route);
		return { workflowData, ...answer(context, STARTED) };
	} catch (error) {
		context.logger.error(`A delivery could not be handled: ${Failure.from(error).headline}`);
		return answer(context, { status: 500, message: 'This could not be handled' });
	}
}

/**
 * Answers the service. A delivery that starts a run is answered here too, before n8n has stored the
 * run: where n8n answers, it forgets to save the static data, and with it what was delivered (seen in
 * 2.41).
 */
function answer(context: IWebhookFunctions, { status, message }: Refusal): IWebhookResponseData {
	context.getResponseObject().status(status).json({ message });
	return { noWebhookResponse: true };
}

async function outcomeOf(context: IWebhookFunctions, settings: Settings): Promise<Outcome> {
	const store = new SubscriptionStore(context, context.getMode() === 'manual' ? 'test' : 'live');
	const query: object = context.getQueryData();
	const verdict = verifyDelivery({
		token: 'token' in query ? query.token : undefined,
		body: context.getBodyData(),
		registration: store.registration,
		making: store.processState.making,
		requireToken: settings.requireToken,
		events: settings.events,
	});
	if (verdict.kind === 'refuse') return verdict;
	store.mend();
	if (verdict.kind === 'accept') return await accepted(context, settings, store, verdict.delivery);
	if (verdict.orphan) store.saw(verdict.orphan, verdict.delivery.hook.id);
	return { status: 200, message: verdict.message };
}

/** Claims a delivery, before anything is waited for, and gives it back where it starts no run. */
async function accepted(
	context: IWebhookFunctions,
	settings: Settings,
	store: SubscriptionStore,
	delivery: Delivery,
): Promise<Outcome> {
	if (!settings.ignoreRepeats) return await itemFor(context, settings, delivery);
	const claim: Claim = store.loadDuplicates().claim(delivery.hook.event, delivery.data);
	if (claim.kind === 'duplicate') {
		return (await claim.started) ? DUPLICATE : { status: 503, message: 'Send it again' };
	}
	let done = false;
	try {
		const outcome = await itemFor(context, settings, delivery);
		done = 'item' in outcome || outcome === FILTERED;
		return outcome;
	} finally {
		claim.end(done);
		store.saveDuplicates();
	}
}

async function itemFor(
	context: IWebhookFunctions,
	{ confirm: isToConfirm, filters }: Settings,
	delivery: Delivery,
): Promise<Outcome> {
	const delivered = itemOf(delivery);
	const confirmation = isToConfirm ? await confirm(context, delivered) : undefined;
	if (confirmation?.kind === 'refused') return confirmation;
	const item = confirmation?.item ?? delivered;
	return passes(filters, item.data) ? { item } : FILTERED;
}
