import { createHmac, randomUUID } from 'crypto';
import type { IHookFunctions, IWebhookFunctions } from 'n8n-workflow';

import type { Credential } from '../http/credential';

/**
 * Derives the token that proves a delivery from the API key, the base URL, the workflow and the node, so that lost state cannot
 * make it unknown, and an edit does not change it.
 */
export function tokenOf(
	context: IHookFunctions | IWebhookFunctions,
	{ baseUrl, apiKey }: Credential,
): string {
	const message = ['webhook', baseUrl, context.getWorkflow().id, context.getNode().id].join(' ');
	return createHmac('sha256', apiKey).update(message).digest('base64url');
}

/**
 * Adds the token, and a mark that no other webhook has: a service may refuse to add an equal one, or return one whose removal
 * has begun.
 */
export function targetOf(url: string, token: string): string {
	const target = new URL(url);
	target.searchParams.set('token', token);
	target.searchParams.set('mark', randomUUID());
	return target.href;
}

/** Removes the query, which has the token, a secret. */
export function withoutToken(target: string): string {
	return target.replace(/\?.*/s, '');
}

export function tokenIn(target: string): string | null {
	return URL.canParse(target) ? new URL(target).searchParams.get('token') : null;
}
