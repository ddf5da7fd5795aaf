import { useBench } from './bench';

const bench = useBench();

const DATES = { postedAfter: '2026-01-01', postedBefore: '2026-02-01' };
const QUERY = 'posted_date_0=2026-01-01&posted_date_1=2026-02-01';

test('getAll: the request to the letter, and its output', async () => {
	const { items } = await bench().run('metric.getAll', { filters: DATES });
	expect(bench().sent()).toEqual([{ line: `GET /api/v2/metrics/?${QUERY}` }]);
	expect(items.map(({ campaign_name }) => campaign_name)).toEqual([
		'Relationship',
		'After support ticket',
		'Without contact list',
	]);
	expect(items[0]).toEqual({
		href: `${bench().service.url}/api/v2/metrics/101/`,
		campaign_name: 'Relationship',
		nps: expect.any(Number),
		score_analysis: expect.any(String),
		promoter_percentage: expect.any(Number),
		passive_percentage: expect.any(Number),
		detractor_percentage: expect.any(Number),
		feedback_count: 4,
		surveys_delivered_count: 4,
		feedback_rate_percentage: expect.any(Number),
	});
});

test('getAll: without dates none are sent', async () => {
	await bench().run('metric.getAll');
	expect(bench().sent()).toEqual([{ line: 'GET /api/v2/metrics/' }]);
});

test('getAll: older answers come out as the contract has them', async () => {
	const parameters = { filters: DATES, simplify: false, returnAll: true };
	const { items } = await bench().run('metric.getAll', parameters);
	bench().service.settings.olderMetrics = true;
	const older = await bench().run('metric.getAll', parameters);
	expect(older.items).toEqual(items.map((item) => ({ ...item, campaign: item.campaign_name })));
	expect(items[0]).toHaveProperty('potential_new_revenue', expect.any(Number));
});

test('get: the assumed request, and its output', async () => {
	const item = await bench().one('metric.get', { campaignId: '101', filters: DATES });
	expect(bench().sent()).toEqual([{ line: `GET /api/v2/metrics/101/?${QUERY}` }]);
	expect(item).toMatchObject({ campaign_name: 'Relationship', feedback_count: 4 });
	expect(Object.keys(item)).toHaveLength(10);
});

test('get: the ID takes its place in a path of the user, encoded', async () => {
	await bench().failure('metric.get', {
		campaignId: { __rl: true, mode: 'id', value: 'a/b' },
		options: { path: '/api/v2/campaigns/{campaign_id}/metrics/' },
	});
	expect(bench().sent()).toEqual([{ line: 'GET /api/v2/campaigns/a%2Fb/metrics/' }]);
});

test('get: a path without a place for the ID is told before anything is sent', async () => {
	const parameters = { campaignId: '101', options: { path: '/api/v2/metrics/' } };
	expect(await bench().failure('metric.get', parameters)).toContain(
		"'Path' must contain {campaign_id}",
	);
	expect(bench().service.requests).toEqual([]);
});

test.each([
	['an envelope', { count: 1, next: null, results: [{ nps: '50.0', campaign: 'One' }] }],
	['a bare list', [{ nps: 50, campaign_name: 'One' }]],
	['the record', { nps: '50', campaign_name: 'One' }],
])('get: %s is read', async (_form, body) => {
	bench().service.faults.add({ kind: { status: 200, body } });
	const item = await bench().one('metric.get', { campaignId: '101', simplify: false });
	expect(item).toMatchObject({ nps: 50, campaign_name: 'One' });
});

test.each([
	['an empty list', { count: 0, next: null, results: [] }],
	['an empty array', []],
])('get: %s is told', async (_form, body) => {
	bench().service.faults.add({ kind: { status: 200, body } });
	const errorText = await bench().failure('metric.get', { campaignId: '101' });
	expect(errorText).toContain('Survey B returned no metrics for campaign 101');
});
