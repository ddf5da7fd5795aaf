import { credentialTestTransport } from '../../../nodes/shared/http/exchange';

// The request of a credential test.

const REQUEST = { method: 'GET' as const, url: 'https://survey.example.com/api', qs: { page: 1 } };

/** Sends a request by n8n's helper `request`. */
const send = async (request: unknown) => {
	const { signal } = new AbortController();
	const others = { getSSHClient: jest.fn(), updateLastUsed: jest.fn() };
	const transport = credentialTestTransport(
		{ helpers: { ...others, ...Object({ request }) } },
		{ Authorization: 'Token example' },
	);
	return await transport(REQUEST, { timeout: 700, signal });
};

test('a credential test sends its request signed, without redirects, and reads the response as a stream', async () => {
	const response = { statusCode: 200, headers: {}, body: '' };
	const request = jest.fn().mockResolvedValue({ ...response, request: {} });
	expect(await send(request)).toEqual(response);
	expect(request.mock.calls).toEqual([
		[
			{
				...REQUEST,
				body: undefined,
				headers: { Authorization: 'Token example' },
				json: true,
				useStream: true,
				resolveWithFullResponse: true,
				simple: false,
				followRedirect: false,
				timeout: 700,
			},
		],
	]);
});

test.each([undefined, 'text', [], {}, { statusCode: '200', headers: {} }, { statusCode: 200 }])(
	'a response that n8n returns as %j is an error',
	async (returned) => {
		await expect(send(async () => returned)).rejects.toThrow(
			'n8n returned a response without a status and headers',
		);
	},
);
