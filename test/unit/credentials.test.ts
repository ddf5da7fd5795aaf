import { SurveyAApi } from '../../credentials/SurveyAApi.credentials';
import { SurveyBApi } from '../../credentials/SurveyBApi.credentials';

const VALUE = 'value of the field';

describe.each([
	['Survey A', new SurveyAApi(), `api_key=${VALUE}`],
	['Survey B', new SurveyBApi(), `Token ${VALUE}`],
])('the credential of %s', (_, { authenticate }, authorization) => {
	const headers = { Authorization: authorization, 'Content-Type': 'application/json' };

	test.each([{ Accept: '*/*' }, undefined])('signs a request with the headers %j', async (own) => {
		const request = { url: 'https://survey.example.com', headers: own };
		expect(await authenticate({ apiKey: VALUE }, request)).toEqual({
			...request,
			headers: { ...own, ...headers },
		});
	});

	test('signs a request with the key without white space around it', async () => {
		const request = { url: 'https://survey.example.com' };
		expect(await authenticate({ apiKey: ` ${VALUE}\n` }, request)).toEqual({ ...request, headers });
	});
});
