import type {
	IAllExecuteFunctions,
	ICredentialDataDecryptedObject,
	ICredentialsDecrypted,
} from 'n8n-workflow';
import { z } from 'zod/v4';

import { lazy } from '../base/cache';
import { Failure } from '../base/failure';
import { takesValuesOfItems } from '../n8nInternals';
import { rateLimiterFor } from './rateLimiter';
import type { RateLimiter } from './rateLimiter';
import { redactor } from './redact';
import type { Service } from './service';

/** A credential that was checked, and the rate limiter that all its users share. */
export interface Credential {
	/** Without a trailing slash. */
	baseUrl: string;
	apiKey: string;
	/** 0 for no pacing. */
	requestsPerMinute: number;
	/** Replaces the API key in a text. */
	redact(text: string): string;
	rateLimiter: RateLimiter;
	credentialsDecrypted: ICredentialsDecrypted;
}

/** Characters that n8n's HTTP client leaves out of a header, such as invisible ones that were copied with a key. */
const UNSENDABLE = /[^\t\x20-\x7e\x80-\xff]/g;

const credentialSchema = lazy(() =>
	z.object({
		baseUrl: z.string().trim().min(1),
		apiKey: z
			.string()
			.overwrite((key) => key.replace(UNSENDABLE, ''))
			.trim()
			.min(1),
		requestsPerMinute: z.coerce.number().min(0).catch(0),
	}),
);

/** Reads the node's credential. @throws Failure when it has no usable base URL or no key */
export async function readCredential(
	context: IAllExecuteFunctions,
	service: Service,
): Promise<Credential> {
	const data = await context.getCredentials(service.credential);
	if (await takesValuesOfItems(context, service.credential, data)) {
		throw new Failure('run', 'The credential takes a value from the input rows by an expression', {
			hint: 'Use one credential for each account, for example with a Switch node in front',
		});
	}
	return checkCredential(service, data);
}

/** Checks the values of a credential. @throws Failure that says which field is missing or wrong */
export function checkCredential(
	service: Service,
	data: ICredentialDataDecryptedObject,
): Credential {
	const { credential: type, name } = service;
	const read = credentialSchema().safeParse(data);
	if (!read.success) {
		const field = read.error.issues[0]?.path[0] === 'apiKey' ? 'API key' : 'Base URL';
		const message = `The ${name} credential has no ${field}`;
		throw new Failure('run', message, { hint: `In the credential, fill in the ${field}` });
	}
	const { apiKey, requestsPerMinute } = read.data;
	const [scheme] = apiKey.match(/^(?:token\s+|api_key\s*=\s*)/i) ?? [];
	if (scheme !== undefined) {
		throw new Failure(
			'run',
			`The API key of the ${name} credential begins with '${scheme.trim()}'`,
			{
				hint: 'In the credential, enter the key alone: the node writes what stands before it',
			},
		);
	}
	const baseUrl = baseUrlOf(service, read.data.baseUrl);
	return {
		...{ baseUrl, apiKey, requestsPerMinute },
		redact: redactor(apiKey),
		rateLimiter: rateLimiterFor(name, baseUrl, apiKey),
		credentialsDecrypted: { id: '', name: type, type, data },
	};
}

/** Returns the base URL without its query, its trailing slashes, and the start of the API's paths. */
function baseUrlOf(service: Service, text: string): string {
	const name = `The Base URL of the ${service.name} credential`;
	if (!/^https?:/i.test(text)) {
		throw new Failure('run', `${name} does not begin with https://`, {
			hint: 'In the credential, write it in full, with https:// in front',
		});
	}
	if (!URL.canParse(text)) {
		throw new Failure('run', `${name} names no host`, {
			hint: 'In the credential, write it in full, for example https://survey.example.com',
		});
	}
	const { origin, pathname } = new URL(text);
	const withoutSlashes = (path: string) => path.replace(/\/+$/, '');
	return origin + withoutSlashes(withoutSlashes(pathname).replace(service.apiPath, ''));
}
