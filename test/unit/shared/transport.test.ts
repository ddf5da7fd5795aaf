import { credentialTestTransport } from '../../../nodes/shared/http/exchange';

// The request of a credential test.

const helpers = (request: jest.Mock) => ({
	request,
	getSSHClient: jest.fn(),
	updateLastUsed: jest.fn(),
});

const REQUEST = { method: 'GET' as const, url: 'https://survey.example.com/api', qs: { page: 1 } };

test('a credential test sends its request signed, without redirects, and reads the response as a stream', async () => {
	const response = { statusCode: 200, headers: {}, body: '' };
	const request = jest.fn().mockResolvedValue({ ...response, request: {} });
	const send = credentialTestTransport({ helpers: helpers(request) }, 'Token example');
	const { signal } = new AbortController();
	expect(await send(REQUEST, { timeoutMs: 700, signal })).toEqual(response);
	expect(request.mock.calls).toEqual([
		[
			{
				...REQUEST,
				body: undefined,
				headers: { Authorization: 'Token example', 'Content-Type': 'application/json' },
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

test('a credential test ends at its time limit if no response comes', async () => {
	const request = jest.fn().mockReturnValue(new Promise(() => {}));
	const send = credentialTestTransport({ helpers: helpers(request) }, 'Token example');
	const controller = new AbortController();
	const sending = send(REQUEST, { timeoutMs: 700, signal: controller.signal });
	controller.abort(new Error('Too late'));
	await expect(sending).rejects.toThrow('Too late');
});

test('a credential test says so if n8n gives it no way to send a request', async () => {
	const others = { ...helpers(jest.fn()), request: undefined };
	const send = credentialTestTransport({ helpers: Object.assign({}, others) as never }, 'Token x');
	const { signal } = new AbortController();
	await expect(send(REQUEST, { timeoutMs: 700, signal })).rejects.toThrow(
		'This version of n8n cannot run the test of this credential',
	);
});

test.each([undefined, 'text', [], {}, { statusCode: '200', headers: {} }, { statusCode: 200 }])(
	'a response that n8n returns as %j is an error',
	async (returned) => {
		const request = jest.fn().mockResolvedValue(returned);
		const send = credentialTestTransport({ helpers: helpers(request) }, 'Token example');
		const { signal } = new AbortController();
		await expect(send(REQUEST, { timeoutMs: 700, signal })).rejects.toThrow(
			'n8n returned a response without a status and headers',
		);
	},
);
