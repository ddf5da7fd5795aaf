import type {
	IAuthenticateGeneric,
	ICredentialDataDecryptedObject,
	IHttpRequestOptions,
	INodeProperties,
} from 'n8n-workflow';

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

/** The headers of a request in n8n's generic form, and as a function, which n8n prefers. */
type Authentication = IAuthenticateGeneric &
	((
		credentials: ICredentialDataDecryptedObject,
		request: IHttpRequestOptions,
	) => Promise<IHttpRequestOptions>);

/**
 * Returns the authentication of a credential, with the key in the Authorization header (contracts, section
 * Authentication). With the generic form alone, n8n would evaluate an expression for each request, which takes longer
 * than everything else it does for one.
 *
 * @param scheme the text before the key
 */
export function keyInHeader(scheme: string): Authentication {
	const contentType = { 'Content-Type': 'application/json' };
	const generic: IAuthenticateGeneric = {
		type: 'generic',
		properties: {
			headers: { Authorization: `=${scheme}{{$credentials.apiKey}}`, ...contentType },
		},
	};
	const sign = async (
		{ apiKey }: ICredentialDataDecryptedObject,
		request: IHttpRequestOptions,
	): Promise<IHttpRequestOptions> => ({
		...request,
		headers: {
			...request.headers,
			// A secret that was read from a file often ends with a line break.
			Authorization: `${scheme}${String(apiKey).trim()}`,
			...contentType,
		},
	});
	return Object.assign(sign, generic);
}
