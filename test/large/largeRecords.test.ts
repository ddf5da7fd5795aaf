import { methods } from '../../nodes/SurveyA/methods';
import { automatic } from '../support/columns';
import { useRunner } from '../contract/surveyA/runner';

// An account of 1,500 customers with so many properties that a page of 1,000 has more than 32 MB.

const runner = useRunner();

jest.setTimeout(180_000);

/** Gives each of the customers so many properties, of about 100 bytes each. */
function seed(properties: number): void {
	const { service } = runner;
	service.state.customers.clear();
	const shared = Array.from({ length: properties }, (_, i) => ({
		label: `Property ${i} of the account`,
		name: `property_${i}_of_the_account`,
		type: 'string',
		value: 'value',
	}));
	for (const customer of service.seedCustomers(1500)) customer.properties = shared;
}

const rowsOfCustomers = () =>
	[...runner.service.state.customers.keys()].map((email) => ({ email, New: 'yes' }));

const NEW_COLUMN = automatic([{ id: 'email' }, { id: 'property:New' }]);

describe.each([350, 900])('with %i properties a customer', (properties) => {
	test('Get Many reads all customers in smaller pages', async () => {
		seed(properties);
		expect(await runner.all('customer.getAll', { returnAll: true })).toHaveLength(1500);
		const limits = runner.service.requests.map(({ query }) => query.limit);
		expect(limits.slice(0, 2)).toEqual(['1000', '100']);
		expect(new Set(limits.slice(1))).toEqual(new Set(['100']));
	});

	test('the panel lists all properties', async () => {
		seed(properties);
		const getColumns = methods.resourceMapping.getColumns;
		const { fields } = await getColumns.call(runner.dropDown);
		expect(fields.length).toBeGreaterThan(properties);
	});

	test('Send takes a new column', async () => {
		seed(properties);
		const campaign = { __rl: true, mode: 'id', value: runner.campaign('After purchase') };
		const input = rowsOfCustomers().slice(0, 100);
		const { items, error } = await runner.run(
			'survey.send',
			{ ...NEW_COLUMN, campaign },
			{ input },
		);
		expect(error).toBeUndefined();
		expect(items).toHaveLength(100);
	});

	test('Create or Update takes a new column, although the response has all properties', async () => {
		seed(properties);
		const input = rowsOfCustomers();
		const { items, error } = await runner.run('customer.upsert', NEW_COLUMN, { input });
		expect(error).toBeUndefined();
		expect(items).toHaveLength(1500);
	});
});
