import { z } from 'zod/v4';

import { useSandbox } from '../support/sandbox';

const sandbox = useSandbox();

const headersA = () => ({
	authorization: `api_key=${sandbox.a.apiKey}`,
	'content-type': 'application/json',
	cookie: 'n8n-auth=secret-session',
});
const headersB = () => ({ ...headersA(), authorization: `Token ${sandbox.b.apiKey}` });

async function call(url: string, headers: Record<string, string>, body?: object) {
	const method = body === undefined ? 'GET' : 'POST';
	const response = await fetch(url, { method, headers, body: JSON.stringify(body) });
	return z.record(z.string(), z.unknown()).parse(await response.json());
}

const callA = async (path: string, body?: object) =>
	await call(sandbox.a.url + path, headersA(), body);
const callB = async (path: string, body?: object) =>
	await call(sandbox.b.url + path, headersB(), body);

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
		await callA('/api/v2/survey', { campaign: sandbox.a.state.campaigns[0]?.id, subscribers });
		const html = await page('a');
		expect(html).toContain('<td>Order &lt;b&gt; (string)</td><td>A &amp; B</td>');
		expect(html).toContain('<td>Seats (integer)</td><td>12</td>');
		expect(html).toContain('<td>Company</td><td>Analytical</td>');
	});

	test('a survey of B shows the attributes of its contact and of the survey', async () => {
		const contact = { email: 'new@example.com', attributes: { plan: 'pro' } };
		await callB('/api/v2/survey/', { campaign_id: 101, contact, attributes: { order: 7 } });
		const html = await page('b');
		expect(html).toContain('<td>plan</td><td>pro</td>');
		expect(html).toContain('<td>order</td><td>7</td>');
	});

	test.each(['a', 'b'] as const)('the request log of %s hides keys and cookies', async (name) => {
		await (name === 'a' ? callA('/api/v2/campaigns') : callB('/api/lists/'));
		const log = await page(name, 'log');
		expect(log).not.toContain(sandbox[name].apiKey);
		expect(log).not.toContain('secret-session');
		expect(log).toContain(name === 'a' ? 'api_key=••••' : 'Token ••••');
	});
});

test('two services of the sandbox with the same start date hold the same records', async () => {
	const seedFrom = new Date('2026-01-01T00:00:00Z');
	const { startServiceA } = await import('../../sandbox');
	const [one, other] = [await startServiceA({ seedFrom }), await startServiceA({ seedFrom })];
	expect(one.state).toEqual(other.state);
	await Promise.all([one.close(), other.close()]);
});

test('the deprecated send of the sandbox ignores properties', async () => {
	const properties = [{ label: 'Plan', type: 'string', value: 'Changed' }];
	const subscribers = [{ email: 'ada@acme.example', properties }];
	const campaign = sandbox.a.state.campaigns[0]?.id;
	await callA('/api/v2/nps/customers/survey', { campaign, subscribers });
	expect(sandbox.a.state.customers.get('ada@acme.example')?.properties).toMatchObject([
		{ label: 'Plan', value: 'Team' },
	]);
});
