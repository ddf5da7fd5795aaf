import type { IWebhookFunctions } from 'n8n-workflow';

import { isObject } from '../base/json';
import type { Service } from '../http/service';
import { rawBody } from '../n8nInternals';
import type { HourlyLog } from '../triggers/hourlyLog';
import { readToken, tokenHash, tokenIn } from './token';
import type { NodeState } from './memory';
import type { Delivery, WebhookTrigger } from './webhookTrigger';

/** A response to the service. */
export interface CallResponse {
	status: number;
	message: string;
}

const NO_TOKEN: CallResponse = { status: 401, message: 'The token is missing or wrong' };

const REPUBLISH = 'unpublish the workflow and publish it again';

/** Deeper data would end in an error of n8n or of this node each time it comes. The contract's has five levels. */
const DEEPEST = 100;

/**
 * Returns the delivery in a call of the webhook URL, or the response to a call that is not the service's. The token is in
 * the URL, and in the target that the body names, in case a proxy removes it from the URL.
 */
export async function verifyDelivery(
	context: IWebhookFunctions,
	trigger: WebhookTrigger,
	state: NodeState,
	log: HourlyLog,
): Promise<Delivery | CallResponse> {
	const { service, body } = trigger;
	const query: { token?: unknown } = context.getQueryData();
	const delivery = await readDelivery(context, trigger);
	const tokens = [query.token, delivery && tokenIn(delivery.hook.target)];
	if (await isTokenKnown(context, service, state, tokens, log)) {
		if (delivery && !isDeeper(delivery.data, DEEPEST)) return delivery;
		const message = `A delivery with the right token was rejected and started no run, because its body is not ${body} as JSON. Check whether a proxy between ${service.name} and n8n changes it`;
		log.warn(message);
		return { status: 400, message: `This is not a ${service.name} delivery` };
	}
	if (delivery) {
		const message = `A delivery with a token that this workflow does not know was rejected. It may come from a webhook of an earlier API key. If this workflow receives no events, ${REPUBLISH}`;
		log.warn(message);
	}
	return NO_TOKEN;
}

/** Reads the body. n8n parses only JSON with its content type, so the text is read for any other one. */
async function readDelivery(
	context: IWebhookFunctions,
	{ readBody }: WebhookTrigger,
): Promise<Delivery | undefined> {
	const parsed: unknown = context.getBodyData();
	const delivery = isObject(parsed) ? readBody(parsed) : undefined;
	if (delivery) return delivery;
	try {
		const body: unknown = JSON.parse(await rawBody(context));
		return isObject(body) ? readBody(body) : undefined;
	} catch {
		return undefined;
	}
}

function isDeeper(value: unknown, levels: number): boolean {
	if (typeof value !== 'object' || value === null) return false;
	return levels === 0 || Object.values(value).some((inside) => isDeeper(inside, levels - 1));
}

/** Accepts the token of a live webhook, and that of the current credential, which survives lost state. */
async function isTokenKnown(
	context: IWebhookFunctions,
	service: Service,
	state: NodeState,
	tokens: unknown[],
	log: HourlyLog,
): Promise<boolean> {
	const hashes = tokens.filter((one) => typeof one === 'string').map(tokenHash);
	// promise: token
	if (hashes.length === 0) return false;
	const isOfCredential = async () => hashes.includes(tokenHash(await readToken(context, service)));
	const isOfPublish = state.webhooks.some(
		(one) => one.state === 'live' && hashes.includes(one.tokenHash),
	);
	// promise: token-state
	if (!isOfPublish) return await isOfCredential();
	// A delivery does not need the credential, so its errors are reported where it is used.
	const isOther = log.isDue('accountCheck') && !(await isOfCredential().catch(() => true));
	if (isOther) log.warn(otherAccount(service));
	return true;
}

function otherAccount({ name }: Service): string {
	return `The base URL or API key of the credential was changed, and this workflow still receives the events of the earlier ${name} account. To receive those of the new one, ${REPUBLISH}`;
}
