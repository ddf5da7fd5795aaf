/** @jest-environment ./test/support/n8nEnvironment.mts */
import { credentialOf, host, rowsInto, sandbox, withHost } from '../support/n8n.mts';

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
	test('passes with a base URL that ends with /api/v2/', async () => {
		const baseUrl = `${serviceOf(type).url}/api/v2/`;
		expect(await pressTest(type, { baseUrl })).toMatchObject({ status: 'OK' });
	});

	test.each([
		[{ apiKey: 'example-wrong' }, /HTTP 401\).*Check the API key/],
		[{ baseUrl: 'http://127.0.0.1:9' }, /the connection was refused/],
	])('fails and explains the credential %j', async (typed, message) => {
		expect(await pressTest(type, typed)).toEqual({
			status: 'Error',
			message: expect.stringMatching(message) as string,
		});
	});

	test("n8n's HTTP Request node can use the credential for a request of its own", async () => {
		const { url, requests } = serviceOf(type);
		const path = type === 'surveyAApi' ? '/api/v2/nps/outbox' : '/api/v2/replies/';
		const parameters = {
			url: `${url}${path}`,
			authentication: 'predefinedCredentialType',
			nodeCredentialType: type,
			options: {},
		};
		const { credentials } = host;
		const http = { type: 'n8n-nodes-base.httpRequest', typeVersion: 4.2, parameters, credentials };
		const { error } = await host.n8n.run(
			await host.n8n.createWorkflow(rowsInto(http, [{ row: 1 }])),
		);
		expect(error).toBeUndefined();
		expect(requests.at(-1)).toMatchObject({ path, status: 200 });
	});
});
