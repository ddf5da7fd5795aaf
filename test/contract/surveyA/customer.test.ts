import { EMAIL_FROM_ROW, mapped, people } from '../../support/columns';
import { useRunner } from './runner';

const runner = useRunner();

const ADA = 'ada@acme.example';

const ada = () => runner.service.state.customers.get(ADA);
const answered = (data: unknown) => runner.respond(200, { code: 200, message: 'OK', data });

describe('Create or Update', () => {
	test('sends the request of the contract and returns the customer', async () => {
		const columns = {
			email: ' nathan@example.com ',
			firstName: 'Nathan',
			lastName: 'Smith',
			company: 'Acme',
			tags: 'vip, renewal,',
		};
		const item = await runner.one('customer.upsert', mapped(columns));
		const customer = {
			email: 'nathan@example.com',
			first_name: 'Nathan',
			last_name: 'Smith',
			company: 'Acme',
			tags: ['vip', 'renewal'],
		};
		runner.expectSent('POST /api/v2/nps/customers', { subscribers: [customer] });
		expect(item).toMatchObject(customer);
	});

	test('fails with the error of the first bad row of a refused batch if On Error = Stop', async () => {
		runner.service.faults.add({
			times: Infinity,
			when: ({ rawBody }) => rawBody.includes('"person138@example.com"'),
			kind: { status: 400, body: { code: 400, message: 'Validation failed', data: null } },
		});
		const input = people(200);
		const { error } = await runner.run('customer.upsert', EMAIL_FROM_ROW, { input });
		expect(error?.message).toBe(
			'person138@example.com: Validation failed (HTTP 400) [item 137]. 137 of 200 rows were sent',
		);
	});

	test('rows of one address go out in input order: one after the other, and none is left out [in-order]', async () => {
		const columns = mapped({ email: '={{ $json.email }}', firstName: '={{ $json.name }}' });
		const input = [
			{ email: ADA, name: 'A' },
			{ email: 'new@example.com', name: 'N' },
			{ email: 'ADA@acme.example', name: 'B' },
			{ email: 'new@example.com', name: 'N' },
		];
		const { items } = await runner.run('customer.upsert', columns, { input });
		expect(items).toMatchObject(input.map(({ name }) => ({ first_name: name })));
		expect(ada()?.firstName).toBe('B');
		expect(runner.batches()).toEqual([
			[ADA, 'new@example.com'],
			['ADA@acme.example', 'new@example.com'],
		]);
	});

	test('fails a customer that the response does not name although it names others', async () => {
		answered({ subscribers: [{ email: 'Person1@Example.com' }] });
		const { items } = await runner.rows('customer.upsert', EMAIL_FROM_ROW, people(2));
		expect(items).toEqual([
			{ email: 'Person1@Example.com' },
			{
				email: 'person2@example.com',
				error:
					'person2@example.com: Survey A did not confirm this row [item 1]. Look the person up in Survey A',
				details: {
					code: 'notConfirmed',
					confirmed: false,
					advice: 'Look the person up in Survey A',
				},
			},
		]);
	});
});

describe('Get Customer', () => {
	test('finds a customer by ID, in a list or alone, and with the ID in capitals', async () => {
		const id = String(ada()?.id);
		const customerId = { __rl: true, mode: 'id', value: id };
		expect(await runner.one('customer.get', { customerId })).toEqual(ada());
		runner.expectSent(`GET /api/v2/nps/customers/${id}`);
		const shown = { ...ada(), id: id.toUpperCase() };
		answered(shown);
		expect(await runner.one('customer.get', { customerId })).toEqual(shown);
	});

	test.each([[ADA], [{ __rl: true, mode: 'email', value: 'Ada@acme.example' }]])(
		'finds a customer by the email %j',
		async (customerId) => {
			expect(await runner.one('customer.get', { customerId })).toEqual(ada());
			runner.expectSent(
				expect.stringMatching(/^GET \/api\/v2\/nps\/customers\?email=ada%40acme.example$/i),
			);
		},
	);

	test('fails as not found if the response is an empty list', async () => {
		answered({ subscribers: [], total: 0 });
		const { error } = await runner.run('customer.get', { customerId: 'x' });
		expect(error).toMatchObject({
			description: expect.stringMatching(/^Check the ID or the email/),
		});
		expect(error?.message).toContain('Customer not found.');
		// The service answered 200.
		expect(error?.message).not.toContain('HTTP');
	});

	test('the message for an AI agent contains the hint', async () => {
		const { error } = await runner.run('customer.get', { customerId: 'x@y.z' }, { asTool: true });
		expect(error?.message).toMatch(/^x@y.z: Customer not found\. Check the/);
	});
});

describe('Get Many Customers', () => {
	test('sends the request of the contract', async () => {
		expect(await runner.all('customer.getAll', { limit: 2 })).toMatchObject([
			{ email: 'edsger@initech.example' },
			{ email: 'alan@globex.example' },
		]);
		runner.expectSent('GET /api/v2/nps/customers?page=1&limit=2');
	});

	test('sends the filter and the sort field', async () => {
		const items = await runner.all('customer.getAll', {
			returnAll: true,
			filters: { email: ADA },
			sort: { property: { field: 'createdDate', direction: 'asc' } },
		});
		expect(items).toEqual([ada()]);
		runner.expectSent(
			'GET /api/v2/nps/customers?email=ada%40acme.example&sort=createdDate&page=1&limit=1000',
		);
	});
});

test('Unsubscribe sends rows with equal messages in one request', async () => {
	const parameters = { email: '={{ $json.email }}', options: { message: '={{ $json.message }}' } };
	const input = [
		{ email: ADA, message: 'By phone' },
		{ email: 'b@example.com', message: '' },
		{ email: 'c@example.com', message: 'By phone' },
		{ email: 'd@example.com', message: 'undefined' },
	];
	const { items } = await runner.run('customer.unsubscribe', parameters, { input });
	expect(new Set(runner.lines())).toEqual(new Set(['POST /api/v2/nps/customers/unsubscribe']));
	expect(runner.bodies()).toEqual([
		{ message: 'By phone', subscribers: [{ email: ADA }, { email: 'c@example.com' }] },
		{ subscribers: [{ email: 'b@example.com' }] },
		{ message: 'undefined', subscribers: [{ email: 'd@example.com' }] },
	]);
	expect(items).toEqual(input.map(({ email }) => ({ email, unsubscribed: true })));
});

test('Delete sends the request of the contract', async () => {
	expect(await runner.one('customer.delete', { email: ADA })).toEqual({
		email: ADA,
		deleted: true,
	});
	runner.expectSent('DELETE /api/v2/nps/customers', { subscribers: [{ email: ADA }] });
	expect(ada()).toBeUndefined();
});

test.each([
	['customer.upsert', EMAIL_FROM_ROW],
	['customer.unsubscribe', { email: '={{ $json.email }}' }],
])('%s sends the other rows again if a 200 names a failed one', async (operation, parameters) => {
	const data = [{ email: 'person2@example.com', status: 'fail', reason: 'No such domain' }];
	const body = { success: false, message: 'Some failed', data };
	runner.respond(200, body);
	const { items } = await runner.rows(operation, parameters, people(3));
	const addresses = people(3).map(({ email }) => email);
	expect(runner.batches()).toEqual([addresses, ['person1@example.com', 'person3@example.com']]);
	expect(items.map(({ email }) => email)).toEqual(addresses);
	expect(items[1]?.error).toContain('person2@example.com: No such domain');
});
