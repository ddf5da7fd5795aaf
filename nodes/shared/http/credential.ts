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

/** A credential that was checked, and the rate limiter that all its users share. */
export interface Credential {
	/** Without a trailing slash. */
	baseUrl: string;
	apiKey: string;
	/** 0 for no pacing. */
	requestsPerMinute: number;
	rateLimiter: RateLimiter;
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
	const data = await context.getCredentials(service.credential);
	await requireOneForAllRows(context, service.credential, data);
	return checkCredential(service, data);
}

/**
 * Rejects a credential that takes values from the rows: a run uses one account. Reading it for a row that does not exist
 * shows this without reading it for each row; secrets and variables are the same for it.
 */
async function requireOneForAllRows(
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
 * Checks the values of a credential.
 *
 * @throws Failure that says which field is missing or wrong
 */
export function checkCredential(
	service: Service,
	data: ICredentialDataDecryptedObject,
): Credential {
	const read = credentialSchema().safeParse(data);
	if (!read.success) throw incomplete(service, read.error);
	const { credential: type, name } = service;
	const { apiKey, requestsPerMinute } = read.data;
	const baseUrl = baseUrlOf(service, read.data.baseUrl);
	return {
		...{ baseUrl, apiKey, requestsPerMinute },
		rateLimiter: rateLimiterFor(name, baseUrl, apiKey),
		credentialsDecrypted: { id: '', name: type, type, data },
	};
}

function incomplete(service: Service, error: z.ZodError): Failure {
	const field = error.issues[0]?.path[0] === 'apiKey' ? 'API key' : 'Base URL';
	return new Failure({
		words: `The ${service.name} credential has no ${field}`,
		advice: `In the credential, fill in the ${field}`,
	});
}

/** Returns the base URL without its query, its trailing slashes, and the start of the API's paths. */
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
