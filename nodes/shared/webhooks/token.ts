import { createHash, createHmac } from 'crypto';
import type { IHookFunctions, IWebhookFunctions } from 'n8n-workflow';

import { readCredential } from '../http/credential';
import type { Credential } from '../http/credential';
import type { Service } from '../http/service';

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

/** Reads the credential, and returns its token. @throws Failure if it cannot be read */
export async function readToken(
	context: IHookFunctions | IWebhookFunctions,
	service: Service,
): Promise<string> {
	return tokenOf(context, await readCredential(context, service));
}

/** Returns the hash of a token, which is stored and compared in its place. */
export function tokenHash(token: string): string {
	return createHash('sha256').update(token).digest('base64url');
}

/** Returns the URL with the token, which the service calls. @param mark makes it differ from other URLs with the token */
export function withToken(url: string, token: string, mark?: string): string {
	const target = new URL(url);
	target.searchParams.set('token', token);
	if (mark) target.searchParams.set('mark', mark);
	return target.href;
}

/** Returns a target URL without its token, which is a secret. */
export function withoutToken(target: string): string {
	if (!URL.canParse(target)) return target.replace(/\?.*/s, '');
	const url = new URL(target);
	url.searchParams.delete('token');
	return url.href;
}

/** Returns the token in a target URL; null if it has none. */
export function tokenIn(target: string): string | null {
	return URL.canParse(target) ? new URL(target).searchParams.get('token') : null;
}
