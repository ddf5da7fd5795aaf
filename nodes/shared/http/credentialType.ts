import type {
	ICredentialDataDecryptedObject,
	IHttpRequestOptions,
	INodeProperties,
} from 'n8n-workflow';

import type { Service } from './service';

/** Returns the fields of a credential. */
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
 * Returns the authentication of a credential type: the headers that the service takes the key in. n8n would evaluate the
 * expression of a declared header for each request, which takes longer than everything else it does for one.
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

/** Returns the headers of every request (contracts, section Authentication). */
export function signature(authorization: Service['authorization'], apiKey: string) {
	return { Authorization: authorization(apiKey), 'Content-Type': 'application/json' };
}
