import { useRunner } from './runner';

const runner = useRunner();

const DATES = { postedAfter: '2026-01-01', postedBefore: '2026-02-01' };
const QUERY = 'posted_date_0=2026-01-01&posted_date_1=2026-02-01';

test('Get Many requests the metrics of the days and returns ten fields of each campaign', async () => {
	const { items } = await runner.run('metric.getAll', { filters: DATES });
	runner.expectSent(`GET /api/v2/metrics/?${QUERY}`);
	expect(items.map(({ campaign_name }) => campaign_name)).toEqual([
		'Relationship',
		'After support ticket',
		'Without contact list',
	]);
	expect(items[0]).toEqual({
		href: `${runner.service.url}/api/v2/metrics/101/`,
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

test('metrics of an older server come out under the names and types of the contract', async () => {
	const parameters = { filters: DATES, returnAll: true };
	const { items } = await runner.run('metric.getAll', parameters);
	runner.service.settings.olderMetrics = true;
	const older = await runner.run('metric.getAll', parameters);
	expect(older.items).toEqual(items);
});

test('Get Many returns a campaign once that comes again with other numbers', async () => {
	for (const nps of [1, 2]) {
		const results = [{ href: '/api/v2/metrics/101/', campaign_name: 'Relationship', nps }];
		runner.respond(200, { next: nps === 1 ? '?page=2' : null, results });
	}
	expect(await runner.all('metric.getAll', { returnAll: true })).toHaveLength(1);
});

test.each(['metric.getAll', 'metric.get'])(
	'%s refuses a moment that is not the start of a day in UTC, and takes one that is',
	async (name) => {
		const read = async (postedBefore: string) => {
			const parameters = {
				campaignId: '101',
				filters: { postedAfter: '2026-01-01', postedBefore },
			};
			const { error } = await runner.run(name, parameters, { timezone: 'Europe/Berlin' });
			return error && `${error.message} ${error.description}`;
		};
		const says = `'End Date' must be a day: Survey B counts metrics by whole days in UTC`;
		for (const moment of ['2026-02-01T10:30:00', '2026-02-01T00:00:00', '={{ $today }}'])
			expect(await read(moment)).toContain(says);
		expect(runner.service.requests).toEqual([]);
		expect(await read('2026-02-01T01:00:00+01:00')).toBeUndefined();
		expect(
			await read("={{ DateTime.fromISO('2026-02-01').toFormat('yyyy-MM-dd') }}"),
		).toBeUndefined();
		const asked = name === 'metric.get' ? '/101/' : '/';
		expect(runner.lines()).toEqual([
			`GET /api/v2/metrics${asked}?${QUERY}`,
			`GET /api/v2/metrics${asked}?${QUERY}`,
		]);
	},
);

test('Get requests the metrics of a campaign on the assumed path', async () => {
	const item = await runner.one('metric.get', { campaignId: '101', filters: DATES });
	runner.expectSent(`GET /api/v2/metrics/101/?${QUERY}`);
	expect(item).toMatchObject({ campaign_name: 'Relationship', feedback_count: 4 });
	expect(Object.keys(item)).toHaveLength(10);
});

test.each([
	['an envelope', { count: 1, next: null, results: [{ nps: '50.0', campaign: 'One' }] }],
	['a bare list', [{ nps: 50, campaign_name: 'One' }]],
	['the record', { nps: '50', campaign_name: 'One' }],
])('Get reads %s', async (_form, body) => {
	runner.respond(200, body);
	const item = await runner.one('metric.get', { campaignId: '101' });
	expect(item).toMatchObject({ nps: 50, campaign_name: 'One' });
});

test.each([
	['an empty list', { count: 0, next: null, results: [] }],
	['an empty array', []],
])('Get fails on %s', async (_form, body) => {
	runner.respond(200, body);
	const errorText = await runner.failure('metric.get', { campaignId: '101' });
	expect(errorText).toContain('no metrics for campaign 101 | Check the campaign ID');
});
