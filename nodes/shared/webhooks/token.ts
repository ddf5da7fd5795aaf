import { createHmac, randomUUID } from 'crypto';
import type { IHookFunctions, IWebhookFunctions } from 'n8n-workflow';

import type { Credential } from '../http/credential';

/**
 * Returns the token that proves a delivery. It derives from the API key, the base URL, the workflow and the node, so that lost
 * state cannot make it unknown, and an edit does not change it.
 */
export function tokenOf(
	context: IHookFunctions | IWebhookFunctions,
	{ baseUrl, apiKey }: Credential,
): string {
	const message = ['webhook', baseUrl, context.getWorkflow().id, context.getNode().id].join(' ');
	return createHmac('sha256', apiKey).update(message).digest('base64url');
}

/**
 * Returns the URL that the service calls: with the token, and with a mark that no other one has. A service may refuse to add an
 * equal webhook, or return one whose removal has begun.
 */
export function targetOf(url: string, token: string): string {
	const target = new URL(url);
	target.searchParams.set('token', token);
	target.searchParams.set('mark', randomUUID());
	return target.href;
}

/** Returns a target without its query, which has the token, a secret. */
export function withoutToken(target: string): string {
	return target.replace(/\?.*/s, '');
}

/** Returns the token in a target URL; null if it has none. */
export function tokenIn(target: string): string | null {
	return URL.canParse(target) ? new URL(target).searchParams.get('token') : null;
}
