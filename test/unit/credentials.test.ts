import { SurveyAApi } from '../../credentials/SurveyAApi.credentials';
import { SurveyBApi } from '../../credentials/SurveyBApi.credentials';

const VALUE = 'value of the field';

describe.each([
	['Survey A', new SurveyAApi(), `api_key=${VALUE}`],
	['Survey B', new SurveyBApi(), `Token ${VALUE}`],
])('the credential of %s', (_, { authenticate }, authorization) => {
	const headers = { Authorization: authorization, 'Content-Type': 'application/json' };

	test('signs a request that has headers of its own', async () => {
		const request = { url: 'https://survey.example.com', headers: { Accept: '*/*' } };
		expect(await authenticate({ apiKey: VALUE }, request)).toEqual({
			...request,
			headers: { Accept: '*/*', ...headers },
		});
	});

	test('signs a request without headers', async () => {
		const signed = await authenticate({ apiKey: VALUE }, { url: 'https://survey.example.com' });
		expect(signed.headers).toEqual(headers);
	});

	test("is equal to its declaration in n8n's generic form", () => {
		const { type, properties } = authenticate;
		const generic = Object.entries(properties.headers ?? {}).map(([name, value]) => [
			name,
			String(value).replace(/^=/, '').replace('{{$credentials.apiKey}}', VALUE),
		]);
		expect(type).toBe('generic');
		expect(Object.fromEntries(generic)).toEqual(headers);
	});
});
