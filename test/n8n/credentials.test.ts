/** @jest-environment ./test/support/n8nEnvironment.mts */
import { credentialOf, host, sandbox, withHost } from '../support/n8n.mts';

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
});
