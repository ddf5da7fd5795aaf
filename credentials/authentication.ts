import type {
	IAuthenticateGeneric,
	ICredentialDataDecryptedObject,
	IHttpRequestOptions,
} from 'n8n-workflow';

/** The headers of a request, in n8n's generic form, and as the function that n8n calls where there is one. */
type Authentication = IAuthenticateGeneric &
	((
		credentials: ICredentialDataDecryptedObject,
		request: IHttpRequestOptions,
	) => Promise<IHttpRequestOptions>);

/**
 * Gives what signs a request: both services take the key in the Authorization header (contracts, section
 * Authentication). For the generic form alone n8n would evaluate an expression for each request, which takes it
 * longer than the rest of what it does for one.
 *
 * @param scheme what stands before the key
 */
export function keyAfter(scheme: string): Authentication {
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
		headers: { ...request.headers, Authorization: `${scheme}${String(apiKey)}`, ...contentType },
	});
	return Object.assign(sign, generic);
}
