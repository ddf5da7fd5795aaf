import type { IAllExecuteFunctions, ICredentialsDecrypted } from 'n8n-workflow';
import { z } from 'zod';

import { rateLimiterFor } from './rateLimiter';
import type { RateLimiter } from './rateLimiter';
import { Failure } from './failure';
import type { Service } from './service';

/** A credential, checked, and the rate limiter that all its users share. */
export interface Credential {
	/** Without a trailing slash. */
	baseUrl: string;
	apiKey: string;
	/** 0 for no pacing. */
	requestsPerMinute: number;
	rateLimiter: RateLimiter;
	/** What n8n signs with. Without it, n8n would read the credential anew for each request. */
	credentialsDecrypted: ICredentialsDecrypted;
}

const credentialSchema = z.object({
	baseUrl: z.string().trim().min(1),
	apiKey: z.string().trim().min(1),
	requestsPerMinute: z.coerce.number().min(0).catch(0),
});

/**
 * Reads the node's credential.
 *
 * @throws Failure when it has no usable base URL or no key
 */
export async function readCredential(
	context: IAllExecuteFunctions,
	service: Service,
): Promise<Credential> {
	const type = service.credential;
	const data = await context.getCredentials(type);
	const read = credentialSchema.safeParse(data);
	if (!read.success) throw incomplete(service, read.error);
	const { apiKey, requestsPerMinute } = read.data;
	const baseUrl = addressOf(service, read.data.baseUrl);
	const rateLimiter = rateLimiterFor(service.name, baseUrl, apiKey);
	const credentialsDecrypted = { id: '', name: type, type, data };
	return { baseUrl, apiKey, requestsPerMinute, rateLimiter, credentialsDecrypted };
}

function incomplete(service: Service, error: z.ZodError): Failure {
	const field = error.issues[0]?.path[0] === 'apiKey' ? 'API key' : 'Base URL';
	return new Failure({
		words: `The ${service.name} credential has no ${field}`,
		advice: `Open the credential and fill in its ${field}`,
	});
}

/** The base URL without its query and trailing slashes. */
function addressOf(service: Service, text: string): string {
	const url = URL.canParse(text) ? new URL(text) : undefined;
	if (url?.protocol !== 'http:' && url?.protocol !== 'https:') {
		throw new Failure({
			words: `The Base URL of the ${service.name} credential is no web address`,
			advice: 'Open the credential and write it in full, with https:// in front',
		});
	}
	return url.origin + url.pathname.replace(/\/+$/, '');
}
