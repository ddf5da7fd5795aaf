import { z } from 'zod/v4';

import { useSandbox } from '../support/sandbox';

const sandbox = useSandbox();

async function request(service: 'a' | 'b', path: string, body?: object) {
	const { url, apiKey } = sandbox[service];
	const authorization = service === 'a' ? `api_key=${apiKey}` : `Token ${apiKey}`;
	const method = body === undefined ? 'GET' : 'POST';
	const headers = { authorization, 'content-type': 'application/json' };
	const response = await fetch(url + path, { method, headers, body: JSON.stringify(body) });
	return { status: response.status, text: await response.text() };
}

const listOf = (key: string, text: string) =>
	z
		.object({ data: z.record(z.string(), z.unknown()) })
		.transform(({ data }) => z.array(z.record(z.string(), z.unknown())).parse(data[key]))
		.parse(JSON.parse(text));

describe('the sandbox answers where the contract is silent', () => {
	test('errors can come with status 200', async () => {
		sandbox.b.settings.errors = 'status200';
		const { status, text } = await request('b', '/api/v2/feedback/999999/');
		expect(status).toBe(200);
		expect(text).toContain('Not Found');
	});

	test('errors can be the HTML page of a proxy', async () => {
		sandbox.a.settings.errors = 'html';
		const { status, text } = await request('a', '/api/v2/companies/unknown.example');
		expect(status).toBe(404);
		expect(text).toMatch(/^<!doctype html>/);
	});

	test('a rate limit keeps the form of the contract', async () => {
		const rateLimit = { requests: 1, perMs: 60_000 };
		Object.assign(sandbox.b.settings, { errors: 'status200', rateLimit });
		await request('b', '/api/lists/');
		expect((await request('b', '/api/lists/')).status).toBe(429);
	});

	test('a refused request counts as not carried out, whatever status it has', async () => {
		sandbox.a.settings.errors = 'status200';
		await request('a', '/api/v2/survey', { campaign: 'none', subscribers: [{ email: 'a@b.co' }] });
		expect(sandbox.a.requests.map(({ carriedOut }) => carriedOut)).toEqual([false]);
	});

	test('timestamps can lack their zone', async () => {
		sandbox.a.settings.timesWithoutZone = true;
		const { text } = await request('a', '/api/v2/nps/customers');
		const [customer] = listOf('subscribers', text);
		expect(customer?.createdDate).toMatch(/^[\d-]+T[\d:.]+$/);
	});

	test('IDs of Survey B can be text', async () => {
		sandbox.b.settings.idsAsText = true;
		const { text } = await request('b', '/api/v2/contacts/1001/');
		expect(JSON.parse(text)).toMatchObject({ id: '1001' });
	});

	test('lists of Survey A can ignore page and limit', async () => {
		sandbox.a.settings.ignoresLimit = true;
		const whole = await request('a', '/api/v2/feedback?page=2&limit=1');
		expect(listOf('responses', whole.text)).toHaveLength(sandbox.a.state.feedback.length);
	});

	test('properties can come with their names only', async () => {
		sandbox.a.settings.propertiesBy = 'name';
		const { text } = await request('a', '/api/v2/nps/customers?email=ada@acme.example');
		expect(listOf('subscribers', text)).toMatchObject([{ properties: [{ name: 'plan' }] }]);
		expect(text).not.toContain('"label"');
	});

	test('a campaign without feedback can be a 404', async () => {
		sandbox.a.state.feedback = [];
		const path = `/api/v2/feedback/${sandbox.a.state.campaigns[0]?.id}`;
		expect(listOf('responses', (await request('a', path)).text)).toEqual([]);
		sandbox.a.settings.campaignWithoutFeedback = 404;
		expect((await request('a', path)).status).toBe(404);
	});

	test('companies can be sorted by companyIndustry instead of industryName', async () => {
		sandbox.a.settings.industrySort = 'companyIndustry';
		const statusOf = async (sort: string) =>
			(await request('a', `/api/v2/companies?sort=${sort}`)).status;
		expect([await statusOf('companyIndustry'), await statusOf('industryName')]).toEqual([200, 400]);
	});

	test('a survey can appear in the outbox minutes after it was sent', async () => {
		const { state, settings } = sandbox.a;
		const campaign = state.campaigns.find(({ isActive, type }) => isActive && type !== 'regular');
		const [email] = [...state.customers.keys()];
		state.outbox = [];
		await request('a', '/api/v2/survey', { campaign: campaign?.id, subscribers: [{ email }] });
		const shown = async () => listOf('surveys', (await request('a', '/api/v2/nps/outbox')).text);
		expect(await shown()).toHaveLength(1);
		settings.outboxLag = 600;
		expect(await shown()).toEqual([]);
	});

	test('validation errors, a wrong key, and success can have other statuses', async () => {
		const { settings } = sandbox.b;
		Object.assign(settings, { validationStatus: 422, successes: 'always200' });
		expect((await request('b', '/api/v2/contacts/', {})).status).toBe(422);
		const created = await request('b', '/api/v2/contacts/', { email: 'New@example.com' });
		expect(created.status).toBe(200);
		settings.wrongKeyStatus = 403;
		const wrong = { headers: { authorization: 'Token wrong' } };
		expect((await fetch(`${sandbox.b.url}/api/lists/`, wrong)).status).toBe(403);
	});

	test('emails can come in lower case, and names and attributes as null', async () => {
		await request('b', '/api/v2/contacts/', { email: 'New@example.com' });
		Object.assign(sandbox.b.settings, { lowercaseEmails: true, nullScalars: true });
		const { text } = await request('b', '/api/v2/contacts/?email=new@example.com');
		const nulls = { first_name: null, last_name: null, attributes: null };
		expect(JSON.parse(text)).toMatchObject({ results: [{ email: 'new@example.com', ...nulls }] });
	});

	test('an ineligible contact can be named by another field', async () => {
		const { settings, state } = sandbox.b;
		const campaign_id = state.campaigns.find(({ permitted, listId }) => permitted && listId)?.record
			.id;
		const send = async () =>
			await request('b', '/api/v2/survey/', { campaign_id, contact: { email: 'new@example.com' } });
		await send();
		settings.ineligibleField = 'contact';
		expect(JSON.parse((await send()).text)).toHaveProperty('contact');
		settings.ineligibleField = 'detail';
		expect(JSON.parse((await send()).text)).toHaveProperty('detail');
	});

	test('a page after the last one, and the results of Unsubscribe, can be empty', async () => {
		Object.assign(sandbox.b.settings, { pageAfterLast: 'empty', unsubscribeResults: 'none' });
		const page = await request('b', '/api/v2/contacts/?page=9');
		expect(JSON.parse(page.text)).toMatchObject({ results: [] });
		const emails = ['ada@acme.example'];
		const { text } = await request('b', '/api/v2/contacts/unsubscribe/', { emails });
		expect(JSON.parse(text)).toMatchObject({ count: 1, results: [] });
	});

	test('an equal webhook can be returned instead of created', async () => {
		const hook = { event: 'feedback.removed', target: 'http://127.0.0.1:9/hook' };
		sandbox.b.settings.equalWebhook = 'existing';
		const first = await request('b', '/api/v2/hooks', hook);
		const second = await request('b', '/api/v2/hooks', hook);
		expect(JSON.parse(second.text)).toEqual(JSON.parse(first.text));
		expect(sandbox.b.state.hooks).toHaveLength(1);
	});
});
