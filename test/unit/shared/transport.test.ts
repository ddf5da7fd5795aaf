import { credentialTestTransport } from '../../../nodes/shared/http/transport';

// The request by which a credential is tested.

const helpers = (request: jest.Mock) => ({
	request,
	getSSHClient: jest.fn(),
	updateLastUsed: jest.fn(),
});

const REQUEST = { method: 'GET' as const, url: 'https://survey.example.com/api', qs: { page: 1 } };

test('it is signed, goes where it was sent, and comes as a stream', async () => {
	const reply = { statusCode: 200, headers: {}, body: '' };
	const request = jest.fn().mockResolvedValue(reply);
	const send = credentialTestTransport({ helpers: helpers(request) }, 'Token example');
	const { signal } = new AbortController();
	expect(await send(REQUEST, { timeoutMs: 700, signal })).toBe(reply);
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

test('it ends when its time is up, although no answer comes', async () => {
	const request = jest.fn().mockReturnValue(new Promise(() => {}));
	const send = credentialTestTransport({ helpers: helpers(request) }, 'Token example');
	const controller = new AbortController();
	const sending = send(REQUEST, { timeoutMs: 700, signal: controller.signal });
	controller.abort(new Error('Too late'));
	await expect(sending).rejects.toThrow('Too late');
});
