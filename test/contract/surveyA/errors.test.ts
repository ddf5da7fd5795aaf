import { useBench } from './bench';

// Invalid options, and messages for AI agents. The errors of the contract are in test/contract/errors.

const bench = useBench();

const NOBODY = '5f3c9a2b8d1e4f6a7b0c1d2e';

test('an invalid option of the whole run fails every item, and the error names no row', async () => {
	const { items } = await bench.rows(
		'customer.unsubscribe',
		{ email: '={{ $json.email }}', options: { maxWait: 'long' } },
		[{ email: 'a@example.com' }, { email: 'b@example.com' }],
	);
	expect(items).toHaveLength(2);
	for (const { error } of items) {
		expect(error).toMatch(/^'Max Wait \(Seconds\)' must be a number: "long"\. /);
	}
	expect(bench.service.requests).toEqual([]);
});

test('the message for an AI agent contains the hint', async () => {
	const customerId = NOBODY;
	const { error } = await bench.run('customer.get', { customerId }, { asTool: true });
	expect(error?.message).toMatch(
		new RegExp(`^Customer ${NOBODY}: Customer not found\\. \\(HTTP 404\\)\\. \\w`),
	);
});
