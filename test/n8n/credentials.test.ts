/** @jest-environment ./test/support/n8nEnvironment.mts */
import { credentialOf, host, sandbox, withHost } from '../support/n8n.mts';
import { startRawServer } from '../support/rawServer.mts';

withHost();

const types = ['surveyAApi', 'surveyBApi'] as const;
type Type = (typeof types)[number];

const serviceOf = (type: Type) => (type === 'surveyAApi' ? sandbox.a : sandbox.b);

/** Tests the stored credential, changed by the values that the user has typed in. */
async function pressTest(type: Type, typed: object = {}) {
	const data = { ...credentialOf(serviceOf(type)), ...typed };
	return await host.n8n.testCredential(host.credentials[type].id, data);
}

describe.each(types)('%s', (type) => {
	test.each(['', '/', '/api', '/api/v2/'])(
		'passes with a base URL that ends with %j',
		async (end) => {
			const baseUrl = `${serviceOf(type).url}${end}`;
			expect(await pressTest(type, { baseUrl })).toMatchObject({ status: 'OK' });
		},
	);

	test.each([
		[{ apiKey: 'example-wrong' }, /HTTP 401\).*Check the API key/],
		[{ baseUrl: 'survey.example.com' }, /does not begin with https:\/\//],
		[{ baseUrl: 'https://' }, /names no host/],
		[{ baseUrl: 'http://127.0.0.1:9' }, /the connection was refused/],
	])('fails and explains the credential %j', async (typed, message) => {
		expect(await pressTest(type, typed)).toEqual({
			status: 'Error',
			message: expect.stringMatching(message) as string,
		});
	});

	test('fails and explains a web page in place of the service', async () => {
		const errorText = await pressTest(type, { baseUrl: host.n8n.url });
		expect(errorText.status).toBe('Error');
	});

	test('does not follow a redirect to another host with the key', async () => {
		const stranger = await startRawServer();
		const { faults, requests } = serviceOf(type);
		try {
			const location = `${stranger.url}/api/v2/campaigns`;
			faults.add({ kind: { status: 302, headers: { location } } });
			const before = requests.length;
			const errorText = await pressTest(type);
			expect(requests).toHaveLength(before + 1);
			expect(errorText.status).toBe('Error');
			expect(errorText.message).toContain(`redirects to ${location}, where the key is not sent`);
			expect(stranger.requests).toEqual([]);
		} finally {
			stranger.close();
		}
	});
});
