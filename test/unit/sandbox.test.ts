import { z } from 'zod/v4';

import { outboxRecord } from '../../sandbox/a/surveys';
import { openReceiver } from '../support/receiver.mts';
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

const rows = z.array(z.record(z.string(), z.unknown()));
const listed = (
	schema: z.ZodType<{ data: Record<string, unknown> }>,
	name: string,
	body: unknown,
) => rows.parse(schema.parse(body).data[name]);
const dataA = z.object({ data: z.record(z.string(), z.unknown()) });

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
		for (const path of ['log', 'log.json']) {
			const log = await page(name, path);
			expect(log).not.toContain(sandbox[name].apiKey);
			expect(log).not.toContain('secret-session');
			expect(log).toContain(name === 'a' ? 'api_key=••••' : 'Token ••••');
		}
	});

	test('the request log is a table with the newest request first', async () => {
		await callA('/api/v2/campaigns');
		await callA('/api/v2/templates');
		const html = await page('a', 'log');
		expect(html.indexOf('<td>/api/v2/templates</td>')).toBeGreaterThan(0);
		expect(html.indexOf('<td>/api/v2/templates</td>')).toBeLessThan(
			html.indexOf('<td>/api/v2/campaigns</td>'),
		);
	});
});

describe('seeds of the sandbox', () => {
	test('two services with the same start date hold the same records', async () => {
		const seedFrom = new Date('2026-01-01T00:00:00Z');
		const { startServiceA } = await import('../../sandbox');
		const [one, other] = [await startServiceA({ seedFrom }), await startServiceA({ seedFrom })];
		expect(one.state).toEqual(other.state);
		await Promise.all([one.close(), other.close()]);
	});
});

describe('lists of Survey A in the sandbox', () => {
	test.each([...['companyName', 'contactsCount', 'cxMetrics.CSAT']])(
		'companies are sorted by %s in both directions',
		async (sort) => {
			sandbox.a.seedCompanies(20);
			sandbox.a.state.companies.forEach(({ cxMetrics }, index) => {
				Object.assign(cxMetrics, { CSAT: index % 7, CES: index % 5, STAR: index % 3 });
			});
			const read = async (by: string) => {
				const response = await callA(`/api/v2/companies?limit=100&sort=${by}`);
				return listed(dataA, 'companies', response).map((company) =>
					z
						.union([z.string(), z.number(), z.null()])
						.parse(
							sort
								.split('.')
								.reduce<unknown>(
									(part, key) => z.record(z.string(), z.unknown()).parse(part)[key],
									company,
								),
						),
				);
			};
			const ascending = await read(sort);
			const inOrder = [...ascending].sort((one, other) => {
				if (one === null || other === null) return Number(other === null) - Number(one === null);
				return one < other ? -1 : Number(one > other);
			});
			expect(ascending).toHaveLength(23);
			expect(ascending).toEqual(inOrder);
			expect(await read(`-${sort}`)).toEqual([...ascending].reverse());
		},
	);

	test('an unknown sort of companies is refused with the allowed values', async () => {
		const body = await callA('/api/v2/companies?sort=name');
		expect(body).toMatchObject({
			code: 400,
			message: 'Validation failed',
			error: expect.stringContaining('companyIndustry, -companyIndustry'),
		});
	});

	test('the outbox is sorted by surveyCreatedDate, which its records do not contain', async () => {
		const { state } = sandbox.a;
		const [customer] = state.customers.values();
		const [campaign] = state.campaigns;
		if (!customer || !campaign) throw new Error('The seed is empty');
		const record = (sentDate: string, surveyCreatedDate: string) => ({
			...outboxRecord(customer, campaign, sentDate, 'manual'),
			surveyCreatedDate,
		});
		state.outbox = [
			record('2026-01-05T00:00:00.000Z', '2026-01-01T00:00:00.000Z'),
			record('2026-01-02T00:00:00.000Z', '2026-01-02T00:00:00.000Z'),
		];
		const list = listed(dataA, 'surveys', await callA('/api/v2/nps/outbox'));
		expect(list.map(({ sentDate }) => String(sentDate).slice(0, 10))).toEqual([
			'2026-01-02',
			'2026-01-05',
		]);
		expect(list[0]).not.toHaveProperty('surveyCreatedDate');
	});

	test.each(['nps/customers', 'companies', 'feedback', 'nps/outbox', 'nps/customers/response'])(
		'GET %s has no total with the setting withoutTotal',
		async (path) => {
			expect((await callA(`/api/v2/${path}`)).data).toHaveProperty('total');
			sandbox.a.settings.withoutTotal = true;
			expect((await callA(`/api/v2/${path}`)).data).not.toHaveProperty('total');
		},
	);

	test('optional scalars are null with the setting nullScalars', async () => {
		sandbox.a.settings.nullScalars = true;
		const { data } = dataA.parse(await callA('/api/v2/nps/customers?email=ada@acme.example'));
		expect(rows.parse(data.subscribers)).toMatchObject([
			{ email: 'ada@acme.example', firstName: null, companyId: null, tags: [] },
		]);
	});

	test('the deprecated send ignores properties', async () => {
		const properties = [{ label: 'Plan', type: 'string', value: 'Changed' }];
		const subscribers = [{ email: 'ada@acme.example', properties }];
		const campaign = sandbox.a.state.campaigns[0]?.id;
		await callA('/api/v2/nps/customers/survey', { campaign, subscribers });
		expect(sandbox.a.state.customers.get('ada@acme.example')?.properties).toMatchObject([
			{ label: 'Plan', value: 'Team' },
		]);
	});
});

describe('responses of Survey B in the sandbox', () => {
	test.each<[name: string, value: null | '']>([
		['null', null],
		['an empty string', ''],
	])('next of the last page can be %s', async (_, lastNext) => {
		sandbox.b.settings.lastNext = lastNext;
		expect((await callB('/api/v2/feedback/')).next).toBe(lastNext);
	});

	test('count and next of the last page can be absent', async () => {
		Object.assign(sandbox.b.settings, { lastNext: 'absent', withoutCount: true });
		const envelope = await callB('/api/v2/contacts/');
		expect(Object.keys(envelope).sort()).toEqual(['previous', 'results']);
	});

	test('unsubscribed can be a string', async () => {
		sandbox.b.settings.unsubscribedAsText = true;
		const { results } = await callB('/api/v2/contacts/?email=ada@acme.example');
		expect(results).toMatchObject([{ unsubscribed: 'false' }]);
		expect(await callB('/api/v2/contacts/1001/')).toMatchObject({ unsubscribed: 'false' });
	});

	test.each([true, false])('the survey of an event has an ID: %p', async (surveyIdInEvents) => {
		const receiver = await openReceiver();
		sandbox.b.settings.surveyIdInEvents = surveyIdInEvents;
		await callB('/api/v2/hooks', { event: 'feedback.added_or_changed', target: receiver.url });
		sandbox.b.answer({ email: 'ada@acme.example', campaignId: 101, score: 3 });
		await sandbox.b.idle();
		await receiver.close();
		const body = z
			.object({ data: z.object({ survey: z.record(z.string(), z.unknown()) }).loose() })
			.parse(receiver.calls[0]?.body);
		expect('id' in body.data.survey).toBe(surveyIdInEvents);
		expect(body.data).not.toHaveProperty('href');
	});
});
