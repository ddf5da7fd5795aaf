import type {
	IAllExecuteFunctions,
	ICredentialDataDecryptedObject,
	ICredentialsDecrypted,
	IHttpRequestOptions,
	INodeProperties,
} from 'n8n-workflow';

import { Failure } from '../base/failure';
import { takesValuesOfItems } from '../n8nInternals';
import { fingerprintOf, rateLimiterFor } from './rateLimiter';
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
	redact(text: string): string;
	fingerprint: string;
	rateLimiter: RateLimiter;
	credentialsDecrypted: ICredentialsDecrypted;
}

/** Characters that n8n's HTTP client leaves out of a header, such as invisible ones that were copied with a key. */
const UNSENDABLE = /[^\t\x20-\x7e\x80-\xff]/g;

/** Texts that people copy with a key: the start of a header, or quotation marks. */
const NOT_OF_KEY = ['Bearer ', 'Token ', 'api_key=', '"', "'"];

/** An expression may return anything. */
const textOf = (value: unknown) => (typeof value === 'string' ? value.trim() : '');

/** @throws Failure if the credential has no usable base URL or no key */
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

/** @throws Failure that says which field is missing or wrong */
export function checkCredential(
	service: Service,
	data: ICredentialDataDecryptedObject,
): Credential {
	const { credential: type, name } = service;
	const url = textOf(data.baseUrl);
	const apiKey = textOf(data.apiKey).replace(UNSENDABLE, '').trim();
	if (url === '' || apiKey === '') {
		const field = url === '' ? 'Base URL' : 'API key';
		const message = `The ${name} credential has no ${field}`;
		throw new Failure('run', message, { hint: `In the credential, fill in the ${field}` });
	}
	const start = NOT_OF_KEY.find((text) => apiKey.toLowerCase().startsWith(text.toLowerCase()));
	if (start !== undefined) {
		const quoted = start === "'" ? `"${start}"` : `'${start}'`;
		throw new Failure('run', `The API key of the ${name} credential begins with ${quoted}`, {
			hint: 'In the credential, enter the key alone: the node adds the rest',
		});
	}
	const baseUrl = baseUrlOf(service, url);
	const fingerprint = fingerprintOf(name, baseUrl, apiKey);
	return {
		baseUrl,
		apiKey,
		requestsPerMinute: Math.max(0, Number(data.requestsPerMinute) || 0),
		redact: redactor(apiKey),
		fingerprint,
		rateLimiter: rateLimiterFor(fingerprint),
		credentialsDecrypted: { id: '', name: type, type, data },
	};
}

function baseUrlOf(service: Service, text: string): string {
	if (!/^https?:/i.test(text) || !URL.canParse(text)) {
		const message = `The Base URL of the ${service.name} credential is no URL that begins with https://`;
		const hint = 'In the credential, write it in full, for example https://survey.example.com';
		throw new Failure('run', message, { hint });
	}
	const { origin, pathname } = new URL(text);
	const withoutSlashes = (path: string) => path.replace(/\/+$/, '');
	return origin + withoutSlashes(withoutSlashes(pathname).replace(service.apiPath, ''));
}

export function credentialFields(apiKeyDescription: string): INodeProperties[] {
	return [
		{
			displayName: 'Base URL',
			name: 'baseUrl',
			type: 'string',
			required: true,
			default: '',
			placeholder: 'e.g. https://survey.example.com',
			description: 'Base URL of the API, without /api at the end',
		},
		{
			displayName: 'API Key',
			name: 'apiKey',
			type: 'string',
			typeOptions: { password: true },
			required: true,
			default: '',
			description: apiKeyDescription,
		},
		{
			displayName: 'Requests per Minute',
			name: 'requestsPerMinute',
			type: 'number',
			typeOptions: { minValue: 0 },
			default: 0,
			description:
				'Maximum number of requests per minute with this API key, counted in one n8n process. 0 means no limit. Rate limits of the service are always respected.',
		},
	];
}

/**
 * n8n would evaluate the expression of a declared header for each request, which takes longer than everything else it does for
 * one.
 */
export function signedBy({ authorization }: Service) {
	return async (
		{ apiKey }: ICredentialDataDecryptedObject,
		request: IHttpRequestOptions,
	): Promise<IHttpRequestOptions> => ({
		...request,
		// A secret that was read from a file often ends with a line break.
		headers: { ...request.headers, ...signature(authorization, String(apiKey).trim()) },
	});
}

/** Contracts, section Authentication. */
export function signature(authorization: Service['authorization'], apiKey: string) {
	return { Authorization: authorization(apiKey), 'Content-Type': 'application/json' };
}
