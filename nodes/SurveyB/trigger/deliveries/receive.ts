import type { INodeExecutionData, IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';

import { Failure } from '../../../shared/http/failure';
import { routeItems } from '../../../shared/triggerOutputs';
import { isFeedbackEvent, scoreTypeOf } from '../events';
import { passes } from '../filters';
import { settingsOf } from '../settings';
import type { Settings } from '../settings';
import { changeOf } from '../state/hash';
import type { Change } from '../state/hash';
import { SubscriptionStore } from '../state/subscriptionStore';
import { answer, answerOnceStored } from './answer';
import type { Answer } from './answer';
import { confirm } from './confirm';
import { logOtherAccount, logStranger } from './findings';
import { itemOf } from './item';
import { verifyDelivery } from './verify';
import type { Delivery } from './verify';

const DUPLICATE = { status: 200, message: 'Ignored: this was delivered before' };
const FILTERED = { status: 200, message: "Ignored: the workflow's filters hold it back" };
const NOT_STORED = { status: 503, message: 'This could not be handled. Send it again' };
const FAILED = { status: 500, message: 'This could not be handled' };

/**
 * How long an equal delivery counts as a repeat where the data bears no date of its change, in ms. A
 * contact who unsubscribed, came back and unsubscribed again looks the same both times.
 */
const UNDATED_LIFETIME = 60 * 60 * 1000;

/** A delivery that is to start a run. */
interface Accepted {
	delivery: Delivery;
	isSample?: boolean;
}

/** Who wants to know how far a delivery came. */
interface Progress {
	/** n8n is about to store its run. */
	handOver: () => void;
	/** Told once whether it is done with: its run is stored, or it starts none. */
	settle: (isDone: boolean) => void;
}

/** Answers a call of the webhook URL. Whatever goes wrong, it starts no run. */
export async function receive(context: IWebhookFunctions): Promise<IWebhookResponseData> {
	try {
		return await respond(context, settingsOf(context));
	} catch (error) {
		context.logger.error(`A delivery could not be handled: ${Failure.from(error).wholeMessage()}`);
		return answer(context, FAILED);
	}
}

async function respond(
	context: IWebhookFunctions,
	settings: Settings,
): Promise<IWebhookResponseData> {
	const store = new SubscriptionStore(context, isTest(context) ? 'test' : 'live');
	const query: object = context.getQueryData();
	const verdict = verifyDelivery({
		token: 'token' in query ? query.token : undefined,
		body: context.getBodyData(),
		registration: store.registration,
		making: store.processState.making,
		requireToken: settings.requireToken,
		events: settings.events,
	});
	if (verdict.kind === 'refuse') {
		if (verdict.stranger) logStranger(context, store, settings, verdict.stranger);
		return answer(context, verdict);
	}
	store.mend();
	await logOtherAccount(context, store);
	if (verdict.kind === 'accept') return await accept(context, settings, store, verdict);
	if (verdict.orphan) store.saw(verdict.orphan, verdict.delivery.hook.id);
	return answer(context, { status: 200, message: verdict.message });
}

/** Claims a delivery, before anything is waited for, and settles it: stored, dropped or given back. */
async function accept(
	context: IWebhookFunctions,
	settings: Settings,
	store: SubscriptionStore,
	accepted: Accepted,
): Promise<IWebhookResponseData> {
	const { delivery } = accepted;
	const { event } = delivery.hook;
	const change = changeOf(event, delivery.data);
	if (!settings.ignoreRepeats) {
		const settle = () => store.mend();
		return await start(context, settings, accepted, change, { handOver: () => {}, settle });
	}
	const lifetime = isFeedbackEvent(event) ? Infinity : UNDATED_LIFETIME;
	const claim = store.loadDuplicates().claim(change, lifetime);
	if (claim.kind === 'duplicate') {
		return answer(context, (await claim.stored) ? DUPLICATE : NOT_STORED);
	}
	const settle = (isDone: boolean) => {
		claim.settle(isDone);
		if (isDone) store.saveDuplicates();
	};
	return await start(context, settings, accepted, change, { handOver: claim.handOver, settle });
}

async function start(
	context: IWebhookFunctions,
	settings: Settings,
	accepted: Accepted,
	change: Change,
	{ handOver, settle }: Progress,
): Promise<IWebhookResponseData> {
	let outcome: INodeExecutionData[][] | Answer = FAILED;
	try {
		outcome = await outcomeOf(context, settings, accepted, change);
	} finally {
		if ('message' in outcome) settle(outcome === FILTERED);
	}
	if ('message' in outcome) return answer(context, outcome);
	handOver();
	return answerOnceStored(context, outcome, settle);
}

/** Gives the items of each output, or an answer where no run is to start. */
async function outcomeOf(
	context: IWebhookFunctions,
	settings: Settings,
	{ delivery, isSample }: Accepted,
	{ deliveryId }: Change,
): Promise<INodeExecutionData[][] | Answer> {
	const delivered = itemOf(delivery, deliveryId, isSample);
	const isToConfirm = settings.confirm && !isSample;
	const confirmation = isToConfirm ? await confirm(context, delivered) : undefined;
	if (confirmation?.kind === 'refused') return confirmation;
	const item = confirmation?.item ?? delivered;
	if (!isSample && !passes(settings.filters, item.data)) return FILTERED;
	const route = { event: item.event, scoreType: scoreTypeOf(item.data) };
	return routeItems(settings.routing, [{ json: item }], () => route);
}

function isTest(context: IWebhookFunctions): boolean {
	return context.getMode() === 'manual';
}
