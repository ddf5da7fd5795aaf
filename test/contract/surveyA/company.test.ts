import { useBench } from './bench';

const bench = useBench();

const sortedBy = (field: string, direction: string) => ({
	sort: { property: { field, direction } },
});
const acme = () => bench().service.state.companies[0];

describe('get', () => {
	test.each(['id', 'domain'] as const)('by %s', async (mode) => {
		const value = String(acme()?.[mode]);
		expect(await bench().one('company.get', { company: { __rl: true, mode, value } })).toEqual(
			acme(),
		);
		expect(bench().sent()).toEqual([{ line: `GET /api/v2/companies/${value}` }]);
	});

	test('what is chosen cannot leave its place in the path', async () => {
		await bench().run('company.get', { company: '../campaigns?x=1' });
		expect(bench().sent()).toEqual([{ line: 'GET /api/v2/companies/..%2Fcampaigns%3Fx%3D1' }]);
	});
});

describe('getAll', () => {
	test('the request to the letter', async () => {
		const items = await bench().all('company.getAll');
		expect(items).toEqual([...bench().service.state.companies].reverse());
		expect(bench().sent()).toEqual([{ line: 'GET /api/v2/companies?page=1&limit=50' }]);
	});

	test('sorted, and all of them, although the answer counts no pages', async () => {
		bench().service.seedCompanies(250);
		const items = await bench().all('company.getAll', {
			returnAll: true,
			sort: { property: { field: 'cxMetrics.NPS', direction: 'desc' } },
		});
		expect(new Set(items.map(({ id }) => id)).size).toBe(253);
		expect(bench().sent()[0]).toEqual({
			line: 'GET /api/v2/companies?sort=-cxMetrics.NPS&page=1&limit=100',
		});
	});

	test.each([
		'createdDate',
		'domain',
		'companyName',
		'industryName',
		'contactsCount',
		'cxMetrics.NPS',
		'cxMetrics.CSAT',
		'cxMetrics.CES',
		'cxMetrics.STAR',
	])('the service takes %s in both orders', async (field) => {
		const up = await bench().all('company.getAll', sortedBy(field, 'asc'));
		const down = await bench().all('company.getAll', sortedBy(field, 'desc'));
		expect([up.length, down.length]).toEqual([3, 3]);
		expect(bench().sent()).toEqual([
			{ line: `GET /api/v2/companies?sort=${field}&page=1&limit=50` },
			{ line: `GET /api/v2/companies?sort=-${field}&page=1&limit=50` },
		]);
	});
});
