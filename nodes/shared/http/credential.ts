import type {
	IAllExecuteFunctions,
	ICredentialDataDecryptedObject,
	ICredentialsDecrypted,
} from 'n8n-workflow';
import { z } from 'zod/v4';

import { once } from './once';
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

const credentialSchema = once(() =>
	z.object({
		baseUrl: z.string().trim().min(1),
		apiKey: z.string().trim().min(1),
		requestsPerMinute: z.coerce.number().min(0).catch(0),
	}),
);

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
	await demandOneForAllRows(context, type, data);
	const checked = checkCredential(service, data);
	const rateLimiter = rateLimiterFor(service.name, checked.baseUrl, checked.apiKey);
	return { ...checked, rateLimiter, credentialsDecrypted: { id: '', name: type, type, data } };
}

/**
 * Rejects a credential that takes values from the rows: a run uses one account. Reading it for a row that does not exist
 * shows this without reading it for each row; secrets and variables are the same for it.
 */
async function demandOneForAllRows(
	context: IAllExecuteFunctions,
	type: string,
	data: ICredentialDataDecryptedObject,
): Promise<void> {
	const rows: unknown = 'getInputData' in context ? context.getInputData() : [];
	if (!Array.isArray(rows) || rows.length < 2) return;
	const other = await context.getCredentials(type, rows.length).catch(() => undefined);
	const isSame = JSON.stringify(other) === JSON.stringify(data);
	if (isSame) return;
	throw new Failure({
		words: 'The credential takes a value from the input rows by an expression',
		advice: 'Use one credential for each account, for example with a Switch node in front',
	});
}

/**
 * Checks what a user wrote into a credential.
 *
 * @throws Failure that says which field is missing or wrong
 */
export function checkCredential(
	service: Service,
	data: ICredentialDataDecryptedObject,
): Pick<Credential, 'baseUrl' | 'apiKey' | 'requestsPerMinute'> {
	const read = credentialSchema().safeParse(data);
	if (!read.success) throw incomplete(service, read.error);
	return { ...read.data, baseUrl: baseUrlOf(service, read.data.baseUrl) };
}

function incomplete(service: Service, error: z.ZodError): Failure {
	const field = error.issues[0]?.path[0] === 'apiKey' ? 'API key' : 'Base URL';
	return new Failure({
		words: `The ${service.name} credential has no ${field}`,
		advice: `In the credential, fill in the ${field}`,
	});
}

/** The base URL without its query, without slashes at its end and without the beginning of the paths. */
function baseUrlOf(service: Service, text: string): string {
	if (!/^https?:/i.test(text)) {
		throw unusable(
			service,
			'does not begin with https://',
			'write it in full, with https:// in front',
		);
	}
	if (!URL.canParse(text)) {
		throw unusable(
			service,
			'names no host',
			'write it in full, for example https://survey.example.com',
		);
	}
	const { origin, pathname } = new URL(text);
	return origin + withoutSlashes(withoutSlashes(pathname).replace(service.apiPath, ''));
}

function withoutSlashes(path: string): string {
	return path.replace(/\/+$/, '');
}

function unusable({ name }: Service, what: string, todo: string): Failure {
	return new Failure({
		words: `The Base URL of the ${name} credential ${what}`,
		advice: `In the credential, ${todo}`,
	});
}
