import type { IDataObject, IWebhookFunctions } from 'n8n-workflow';
import { z } from 'zod/v4';

import { isObject } from '../../../shared/http/json';
import { hookRecord } from '../events';
import type { Settings } from '../settings';
import { webhookId } from '../state/registration';
import type { Registration, Webhook } from '../state/registration';
import type { TriggerStore } from '../state/triggerStore';
import { isEqualHash, readTarget, tokenHash, tokenIn } from '../webhookTarget';
import type { Response } from './response';

/** A delivery: `{hook: {id, event, target}, data}` (contract, section Events). */
const deliveryRecord = z.object({
	hook: hookRecord(),
	data: z.custom<IDataObject>(isObject),
});

export type Delivery = z.infer<typeof deliveryRecord>;

type Verdict =
	| { delivery: Delivery }
	/** `unknown` is a delivery with an unknown token. */
	| { response: Response; unknown?: Delivery };

/** Decides whether a call of the webhook URL comes from the service. */
export async function verifyDelivery(
	context: IWebhookFunctions,
	store: TriggerStore,
	{ requireToken, events }: Settings,
): Promise<Verdict> {
	const query: object = context.getQueryData();
	const token = 'token' in query ? query.token : undefined;
	const { data: delivery } = deliveryRecord.safeParse(context.getBodyData());
	const proof = requireToken
		? await proofOf(context, store, token)
		: delivery && (await proofOfHook(context, store, delivery));
	if (!proof) return rejection(requireToken, delivery);
	if (!delivery) return { response: NO_DELIVERY };
	const { id, event } = delivery.hook;
	if (!events.includes(event)) {
		const message = `Ignored: the workflow does not listen to '${event}'`;
		return { response: { status: 200, message } };
	}
	rememberWebhook(store, id, event, proof);
	return { delivery };
}

/** The target that a token proves. */
type Proof = Pick<Registration, 'url' | 'baseUrl' | 'tokenHash'>;

const NO_DELIVERY = { status: 400, message: 'This is not a Survey B delivery' };

function rejection(requireToken: boolean, delivery?: Delivery): Verdict {
	const response = requireToken
		? { status: 401, message: 'The token is missing or wrong' }
		: { status: 400, message: 'This delivery names no webhook of this workflow' };
	return { response, unknown: requireToken ? delivery : undefined };
}

/** Accepts the token of the last publish, and that of the current credential, which survives lost state. */
async function proofOf(
	context: IWebhookFunctions,
	store: TriggerStore,
	token: unknown,
): Promise<Proof | undefined> {
	if (typeof token !== 'string' || token === '') return undefined;
	const hash = tokenHash(token);
	const { registration } = store;
	if (isEqualHash(hash, registration.tokenHash)) return registration;
	const target = await readTarget(context, urlOf(context, store));
	return isEqualHash(hash, tokenHash(target.token)) ? { ...target, tokenHash: hash } : undefined;
}

/** Accepts a delivery that names a known webhook, or a target with the token. */
async function proofOfHook(
	context: IWebhookFunctions,
	store: TriggerStore,
	{ hook }: Delivery,
): Promise<Proof | undefined> {
	const known = store.registration.webhooks.find(({ id }) => String(id) === String(hook.id));
	return known ?? (await proofOf(context, store, tokenIn(hook.target)));
}

/** Returns the webhook URL. n8n 2.41.1 returns the live one to a delivery of the test URL too. */
export function urlOf(context: IWebhookFunctions, { slot, registration }: TriggerStore): string {
	return slot === 'test' ? registration.url : (context.getNodeWebhookUrl('default') ?? '');
}

/** Stores a webhook that lost state does not list, so that it is removed one day. */
function rememberWebhook(
	store: TriggerStore,
	id: Webhook['id'],
	event: string,
	proof: Proof,
): void {
	const { webhooks } = store.registration;
	const isKnown = webhooks.some((one) => String(one.id) === String(id) && one.event === event);
	if (isKnown || store.slot === 'test' || !webhookId.safeParse(id).success) return;
	const { url, baseUrl, tokenHash } = proof;
	store.add([{ id, event, url, baseUrl, tokenHash, createdAt: 0 }]);
}
