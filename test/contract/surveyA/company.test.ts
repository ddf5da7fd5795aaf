import { useBench } from './bench';

const bench = useBench();

const sortedBy = (field: string, direction: string) => ({
	sort: { property: { field, direction } },
});
const acme = () => bench.service.state.companies[0];

test.each(['id', 'domain'] as const)('Get Company requests a company by %s', async (mode) => {
	const value = String(acme()?.[mode]);
	expect(await bench.one('company.get', { company: { __rl: true, mode, value } })).toEqual(acme());
	bench.expectSent(`GET /api/v2/companies/${value}`);
});

describe('Get Many Companies', () => {
	test('sends the request of the contract', async () => {
		const items = await bench.all('company.getAll');
		expect(items).toEqual([...bench.service.state.companies].reverse());
		bench.expectSent('GET /api/v2/companies?page=1&limit=50');
	});

	test('returns all companies although the response has no page count', async () => {
		bench.service.seedCompanies(250);
		const items = await bench.all('company.getAll', { returnAll: true });
		expect(new Set(items.map(({ id }) => id)).size).toBe(253);
	});

	test.each(['createdDate', 'cxMetrics.NPS'])('sorts by %s in both directions', async (field) => {
		for (const direction of ['asc', 'desc']) {
			expect(await bench.all('company.getAll', sortedBy(field, direction))).toHaveLength(3);
		}
		expect(bench.lines()).toEqual([
			`GET /api/v2/companies?sort=${field}&page=1&limit=50`,
			`GET /api/v2/companies?sort=-${field}&page=1&limit=50`,
		]);
	});

	test('sorts by companyIndustry, which only a message of the contract names, by an expression', async () => {
		await bench.run('company.getAll', sortedBy('={{ "companyIndustry" }}', 'asc'));
		expect(bench.lines()[0]).toBe('GET /api/v2/companies?sort=companyIndustry&page=1&limit=50');
	});
});
