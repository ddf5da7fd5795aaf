import { useRunner } from './runner';

const runner = useRunner();

const sortedBy = (field: string, direction: string) => ({
	sort: { property: { field, direction } },
});
const acme = () => runner.service.state.companies[0];

test.each(['id', 'domain'] as const)('Get Company requests a company by %s', async (mode) => {
	const value = String(acme()?.[mode]);
	expect(await runner.one('company.get', { company: { __rl: true, mode, value } })).toEqual(acme());
	runner.expectSent(`GET /api/v2/companies/${value}`);
});

describe('Get Many Companies', () => {
	test('sends the request of the contract', async () => {
		const items = await runner.all('company.getAll');
		expect(items).toEqual([...runner.service.state.companies].reverse());
		runner.expectSent('GET /api/v2/companies?page=1&limit=50');
	});

	test.each(['createdDate', 'cxMetrics.NPS'])('sorts by %s in both directions', async (field) => {
		for (const direction of ['asc', 'desc']) {
			expect(await runner.all('company.getAll', sortedBy(field, direction))).toHaveLength(3);
		}
		expect(runner.lines()).toEqual([
			`GET /api/v2/companies?sort=${field}&page=1&limit=50`,
			`GET /api/v2/companies?sort=-${field}&page=1&limit=50`,
		]);
	});

	test('sorts by companyIndustry, which only a message of the contract names, by an expression', async () => {
		await runner.run('company.getAll', sortedBy('={{ "companyIndustry" }}', 'asc'));
		expect(runner.lines()[0]).toBe('GET /api/v2/companies?sort=companyIndustry&page=1&limit=50');
	});
});
