import { createHmac } from 'crypto';

import { tokenIn, withoutToken, withToken } from '../../../nodes/SurveyB/trigger/token';

const URL_OF_NODE = 'https://n8n.example.com/webhook/x/survey-b';

test('a token can be added to a target, read, and removed', () => {
	const token = createHmac('sha256', 'key').update('any').digest('base64url');
	const target = withToken(URL_OF_NODE, token);
	expect(tokenIn(target)).toBe(token);
	expect(withoutToken(target)).toBe(URL_OF_NODE);
});

test('a target keeps its other query parameters without its token', () => {
	expect(withoutToken(`${URL_OF_NODE}?a=1&token=b`)).toBe(`${URL_OF_NODE}?a=1`);
});

test.each([
	['no URL', 'no URL'],
	['', ''],
	['/webhook?token=a', '/webhook'],
])('reads no token from the target %j', (target, address) => {
	expect(tokenIn(target)).toBe(undefined);
	expect(withoutToken(target)).toBe(address);
});
