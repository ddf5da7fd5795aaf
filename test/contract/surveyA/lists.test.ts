import { sleep } from 'n8n-workflow';
import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { methods } from '../../../nodes/SurveyA/methods';
import { runOperation } from '../../support/runOperation';
import { useRunner } from './runner';

const runner = useRunner();

const INCOMPLETE = 'List may be incomplete: type more of the name, or enter the ID';

describe('Get Many of the outbox', () => {
	test('sends the request of the contract and returns simplified records', async () => {
		const items = await runner.all('outbox.getAll', {
			filters: { email: 'ada@acme.example' },
			sort: { property: { field: 'surveyCreatedDate', direction: 'asc' } },
		});
		const [sent = {}] = runner.service.state.outbox;
		expect(items[0]).toMatchObject({ email: 'ada@acme.example', campaign: 'After purchase' });
		expect(Object.keys(items[0] ?? {})).toHaveLength(10);
		const { isOptedOut, isBounced, ...others } = items[0] ?? {};
		expect(sent).toMatchObject({ ...others, detailedStatus: { isOptedOut, isBounced } });
		expect([isOptedOut, isBounced]).toEqual([false, false]);
		runner.expectSent(
			'GET /api/v2/nps/outbox?email=ada%40acme.example&sort=surveyCreatedDate&page=1&limit=50',
		);
	});
});

test.each([
	['campaign.getAll', 'GET /api/v2/campaigns', 'campaigns'],
	['template.getAll', 'GET /api/v2/templates', 'templates'],
] as const)('%s returns all records of one request', async (name, line, key) => {
	expect(await runner.all(name)).toEqual(runner.service.state[key]);
	runner.expectSent(line);
});

test.each([
	['campaign', 'campaigns', 'After purchase'],
	['template', 'templates', 'Relationship NPS'],
])('%s.getAllLegacy reads a bare array', async (resource, path, value) => {
	const items = await runner.all(`${resource}.getAllLegacy`, { limit: 1 });
	expect(items).toEqual([{ id: expect.any(String), value }]);
	runner.expectSent(`GET /api/v2/nps/${path}`);
});

test.each(['customer', 'company', 'feedback', 'outbox'])(
	'an empty list of %s that counts one page is read by one request',
	async (resource) => {
		const arrays = { subscribers: [], companies: [], responses: [], surveys: [] };
		const data = { ...arrays, page: 1, pages: 1, limit: 20, total: 0 };
		runner.respond(200, { code: 200, message: 'OK', data });
		expect(await runner.all(`${resource}.getAll`, { returnAll: true })).toEqual([]);
		expect(runner.lines()).toHaveLength(1);
	},
);

test('200 input items read their lists several at once, and each list once', async () => {
	let [inFlight, most] = [0, 0];
	const customers = Array.from({ length: 100 }, (_, i) => ({ email: `c${i}@example.com` }));
	runner.service.faults.add({
		times: Infinity,
		when: () => {
			most = Math.max(most, ++inFlight);
			void sleep(20).then(() => inFlight--);
			return false;
		},
		kind: 'reset-before',
	});
	const { output } = await runOperation(
		runner.service,
		'feedback.getAll',
		{ filters: { email: '={{ $json.email }}' } },
		{ input: [...customers, ...customers] },
	);
	expect(output).toHaveLength(1);
	expect(runner.lines()).toHaveLength(100);
	expect(most).toBeGreaterThan(1);
});

test('two rows that read the same list share no object, so that a change to one leaves the other', async () => {
	const parameters = { returnAll: false, limit: 1, simplify: false };
	const { items } = await runner.run('feedback.getAll', parameters, { input: [{}, {}] });
	const [one, other] = items.map(({ tags }) => tags);
	expect(items).toHaveLength(2);
	expect(one).toEqual(other);
	expect(one).not.toBe(other);
});

describe('Report', () => {
	test('Get returns a report simplified or raw', async () => {
		const campaignId = runner.campaign('After purchase');
		const campaign = { __rl: true, mode: 'id', value: campaignId };
		expect(await runner.one('report.get', { campaign })).toEqual({
			campaignId,
			name: 'After purchase',
			metric: 'NPS',
			isActive: true,
			latestScore: -100,
			promoters: 0,
			passives: 0,
			detractors: 2,
			total: 2,
			responded: 0,
		});
		const whole = await runner.one('report.get', { campaign, simplify: false });
		expect(whole).toMatchObject({ campaignId, score: 'EMAIL', trend: [{ total: 2 }] });
		const line = `GET /api/v2/reports/${campaignId}`;
		expect(runner.lines()).toEqual([line, line]);
	});

	test('Get Many returns all reports', async () => {
		const items = await runner.all('report.getAll', { returnAll: true });
		expect(items.map(({ name }) => name)).toEqual([
			'After purchase',
			'After support ticket',
			'After onboarding',
			'Yearly check-up',
		]);
		runner.expectSent('GET /api/v2/reports/');
	});
});

test.each<[string, INodeParameters, unknown, IDataObject]>([
	['customer', { customerId: '7' }, { subscribers: [{ id: 6 }, { id: 7 }] }, { id: 7 }],
	['feedback', { feedbackId: '7' }, { responses: [{ id: 6 }, { id: 7 }] }, { id: 7 }],
	['feedback', { feedbackId: '7' }, { id: 7 }, { id: 7 }],
	['report', { campaign: '7' }, { campaignId: 7 }, { campaignId: 7 }],
	['company', { company: '7' }, { companies: [{ id: 6 }, { id: 7 }] }, { id: 7 }],
	['company', { company: 'b' }, { companies: [{ id: 6 }, { id: 7, domain: 'b' }] }, { id: 7 }],
	['report', { campaign: '7' }, [{ campaignId: 6 }, { campaignId: 7 }], { campaignId: 7 }],
])('%s.get with %j finds the record in %j', async (...given) => {
	const [resource, parameters, data, found] = given;
	runner.respond(200, { code: 200, data });
	expect(await runner.one(`${resource}.get`, parameters)).toMatchObject(found);
});

test('feedback.get fails if the response has other records only, although one is of a campaign with that ID', async () => {
	runner.respond(200, { code: 200, data: { responses: [{ id: 'y', campaignId: 'x' }] } });
	const error = await runner.failure('feedback.get', { feedbackId: 'x' });
	expect(error).toMatch(/^Feedback x: .*not found/);
});

test.each(['nps', 'csat', 'ces', 'star'])(
	'Score returns the headline score of %s',
	async (metric) => {
		const named = await runner.one('score.get', { metric });
		const expected = { metric, score: expect.any(Number), totalResponses: expect.any(Number) };
		expect(named).toMatchObject(expected);
		expect(named).not.toHaveProperty(metric);
		runner.service.settings.scoreHeadline = 'score';
		const general = await runner.one('score.get', { metric });
		expect(general).toMatchObject({ metric, score: named.score });
		runner.respond(200, { code: 200, data: { [metric.toUpperCase()]: 7 } });
		expect(await runner.one('score.get', { metric })).toMatchObject({ score: 7 });
		const line = `GET /api/v2/${metric}/score`;
		expect(runner.lines()).toEqual([line, line, line]);
		runner.respond(400, { code: 400, message: 'No' });
		expect(await runner.failure('score.get', { metric })).toMatch(
			new RegExp(`^Metric ${metric}: No`),
		);
	},
);

describe('drop-downs', () => {
	const choose = async (method: keyof typeof methods.listSearch, typed?: string) => {
		const { results } = await methods.listSearch[method].call(runner.dropDown, typed);
		return results.map(({ name }) => name);
	};

	test('show a customer by email and name if known, else by ID', async () => {
		const email = 'ada@acme.example';
		const subscribers = [
			{ id: 'id 0', email, firstName: 'Ada', lastName: 'Lovelace' },
			{ id: 'id 1', email, firstName: '', lastName: 'Lovelace' },
			{ id: 'id 2', email: '', firstName: '', lastName: '' },
		];
		runner.respond(200, { code: 200, data: { subscribers, total: 3, pages: 1 } });
		expect(await choose('searchCustomers')).toEqual([
			'ada@acme.example Ada Lovelace',
			'ada@acme.example Lovelace',
			'id 2',
		]);
	});

	test('show campaigns with metric and channel', async () => {
		expect(await choose('searchCampaigns')).toHaveLength(4);
		expect(await choose('searchCampaigns', 'TICKET')).toEqual([
			'After support ticket (CSAT, EMAIL)',
		]);
		expect(await choose('searchCampaigns', 'nps')).toHaveLength(3);
		expect(await choose('searchSendableCampaigns')).toEqual([
			'After purchase (NPS, EMAIL)',
			'After support ticket (CSAT, EMAIL)',
		]);
	});

	test('find a campaign by a part of its ID, in any case', async () => {
		const id = runner.campaign('After support ticket');
		const names = ['After support ticket (CSAT, EMAIL)'];
		expect(await choose('searchCampaigns', id.slice(1).toUpperCase())).toEqual(names);
	});

	test('show campaigns and companies by what is known of them, and none without an ID', async () => {
		const show = async (method: keyof typeof methods.listSearch, data: IDataObject) => {
			runner.respond(200, { code: 200, data: { ...data, total: 2 } });
			return await choose(method);
		};
		const campaigns = [{ id: 'id 1', name: 'Tour', channel: 'EMAIL' }, { id: 'id 2' }];
		const companies = [{ id: 'id 1', domain: 'acme.example' }, { id: 'id 2' }, { domain: 'b' }];
		expect(await show('searchSendableCampaigns', { campaigns })).toEqual(['Tour (EMAIL)', 'id 2']);
		expect(await show('searchCompanies', { companies })).toEqual(['acme.example', 'id 2']);
	});

	test.each([
		[500, 'Tour (499)'],
		[501, INCOMPLETE],
	])('a drop-down of %i campaigns ends with: %s', async (length, last) => {
		const campaigns = Array.from({ length }, (_, index) => ({ id: `${index}`, name: 'Tour' }));
		runner.respond(200, { code: 200, data: { campaigns } });
		const names = await choose('searchCampaigns');
		expect(names).toHaveLength(length);
		expect(names.at(-1)).toBe(last);
	});

	test('a drop-down that searched only the newest 100 customers says so', async () => {
		runner.service.seedCustomers(101);
		expect((await choose('searchCustomers', 'person1')).at(-1)).toBe(INCOMPLETE);
	});

	test('show companies by name and domain', async () => {
		runner.service.seedCompanies(150);
		expect(await choose('searchCompanies', 'acme')).toEqual(['Acme, acme.example']);
	});

	test('show customers by a part of the name, and find any customer by email', async () => {
		expect(await choose('searchCustomers', ' lovelace ')).toEqual([
			'ada@acme.example Ada Lovelace',
		]);
		expect(await choose('searchCustomers', ' Ada@acme.example ')).toHaveLength(1);
		expect(runner.lines()).toEqual([
			'GET /api/v2/nps/customers?page=1&limit=100',
			'GET /api/v2/nps/customers?email=Ada%40acme.example&page=1&limit=100',
		]);
	});
});

test('a list that fills a page ends there, also if the page comes again in another order past the end', async () => {
	const { service } = runner;
	Object.assign(service.settings, { maxLimit: 20, pageAfterLast: 'last', equalDates: 'changing' });
	service.state.customers.clear();
	for (const customer of service.seedCustomers(20)) customer.createdDate = '2026-01-01T00:00:00Z';
	const items = await runner.all('customer.getAll', { returnAll: true });
	expect(new Set(items.map(({ id }) => id)).size).toBe(20);
});

test.each([
	['campaign.getAll', { code: 200, campaigns: null }],
	['template.getAll', { code: 200, templates: null }],
] as const)('an empty list may be null: %s', async (name, body) => {
	runner.respond(200, body);
	const { output, error } = await runner.run(name, { returnAll: true });
	expect(error).toBeUndefined();
	expect(output[0]).toEqual([]);
});
