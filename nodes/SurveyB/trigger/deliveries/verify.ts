import type { IDataObject, IWebhookFunctions } from 'n8n-workflow';
import { z } from 'zod/v4';

import { isObject } from '../../../shared/base/json';
import { hookRecord } from '../events';
import type { NodeState } from '../state/nodeState';
import { isEqualHash, readAccount, tokenHash, tokenIn } from '../token';
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

const NO_TOKEN: Response = { status: 401, message: 'The token is missing or wrong' };
const NO_DELIVERY: Response = { status: 400, message: 'This is not a Survey B delivery' };

/**
 * Decides whether a call of the webhook URL comes from the service. The token is in the URL, and in the target that the
 * body names, in case a proxy removes it from the URL.
 */
export async function verifyDelivery(
	context: IWebhookFunctions,
	state: NodeState,
): Promise<Verdict> {
	const query: object = context.getQueryData();
	const { data: delivery } = deliveryRecord.safeParse(context.getBodyData());
	const tokens = ['token' in query ? query.token : undefined, tokenIn(delivery?.hook.target ?? '')];
	if (!(await isAnyKnown(context, state, tokens))) return { response: NO_TOKEN, unknown: delivery };
	return delivery ? { delivery } : { response: NO_DELIVERY };
}

/** Accepts the token of the last publish, and that of the current credential, which survives lost state. */
async function isAnyKnown(
	context: IWebhookFunctions,
	state: NodeState,
	tokens: unknown[],
): Promise<boolean> {
	const hashes = tokens.filter((one) => typeof one === 'string' && one !== '').map(hashOf);
	if (hashes.length === 0) return false;
	if (hashes.some((hash) => isEqualHash(hash, state.tokenHash))) return true;
	const current = tokenHash((await readAccount(context)).token);
	return hashes.some((hash) => isEqualHash(hash, current));
}

function hashOf(token: unknown): string {
	return tokenHash(String(token));
}
