import { request, useSandbox } from '../support/sandbox';

const sandbox = useSandbox();

async function page(service: 'a' | 'b', path = '') {
	return await (await fetch(`${sandbox[service].url}/_sandbox/${path}`)).text();
}

describe('pages of the sandbox', () => {
	test('a survey of A shows the properties of its customer, escaped', async () => {
		const properties = [
			{ label: 'Order <b>', type: 'string', value: 'A & B' },
			{ label: 'Seats', type: 'integer', value: 12 },
		];
		const subscribers = [{ email: 'new@example.com', company: 'Analytical', properties }];
		const campaign = sandbox.a.state.campaigns[0]?.id;
		await request(sandbox.a, 'POST /api/v2/survey', { campaign, subscribers });
		const html = await page('a');
		expect(html).toContain('<td>Order &#60;b&#62; (string)</td><td>A &#38; B</td>');
		expect(html).toContain('<td>Seats (integer)</td><td>12</td>');
		expect(html).toContain('<td>Company</td><td>Analytical</td>');
	});

	test.each(['a', 'b'] as const)('the request log of %s hides keys and cookies', async (name) => {
		await request(sandbox[name], `GET ${name === 'a' ? '/api/v2/campaigns' : '/api/lists/'}`);
		const log = await page(name, 'log');
		expect(log).not.toContain(sandbox[name].apiKey);
		expect(log).not.toContain('secret-session');
		expect(log).toContain(name === 'a' ? 'api_key=••••' : 'Token ••••');
	});
});
