import { createHash, createHmac } from 'crypto';
import type { IHookFunctions, IWebhookFunctions } from 'n8n-workflow';

import { readCredential } from '../http/credential';
import type { Service } from '../http/service';

/** The account that calls a node, and the token that proves it. */
export interface Account {
	/** The service's base URL. */
	baseUrl: string;
	/** Derived from the API key, the base URL, the workflow and the node, so that lost state cannot make it unknown. */
	token: string;
}

/**
 * Reads the node's account from the credential.
 *
 * @throws Failure if the credential cannot be read
 */
export async function readAccount(
	context: IHookFunctions | IWebhookFunctions,
	service: Service,
): Promise<Account> {
	const { baseUrl, apiKey } = await readCredential(context, service);
	const message = ['webhook', baseUrl, context.getWorkflow().id, context.getNode().id].join(' ');
	return { baseUrl, token: createHmac('sha256', apiKey).update(message).digest('base64url') };
}

/** Returns the hash of a token, which is stored and compared in its place. */
export function tokenHash(token: string): string {
	return createHash('sha256').update(token).digest('base64url');
}

/** Returns the URL with the token, which the service calls. */
export function withToken(url: string, token: string): string {
	const target = new URL(url);
	target.searchParams.set('token', token);
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
