import { EMAIL_FROM_ROW } from '../../support/columns';
import { runOperation } from '../../support/runOperation';
import { useSandbox } from '../../support/sandbox';

// Different spellings of an email are equal.

const sandbox = useSandbox();

const SPELLINGS: Array<[string, string]> = [
	['Nathan@Example.com', 'nathan@example.com'],
	['nathan@bücher.example', 'nathan@xn--bcher-kva.example'],
	['nathan@xn--bcher-kva.example', 'nathan@BÜCHER.example'],
	['josé@example.com', 'jose\u0301@example.com'],
	[' nathan@example.com ', 'nathan@example.com'],
];

/** Other records, which a server that ignores the filter also lists. */
const OTHERS = [
	{ id: 'w', email: ['nathan@example.com'] },
	{ id: 'x', email: 'other@example.com' },
	{ id: 'y', email: null },
	{ id: 'z' },
];

test.each(SPELLINGS)('Survey A: the customer %j is found as %j', async (asked, answered) => {
	const { a } = sandbox;
	const found = { id: 'found', email: answered };
	const subscribers = [...OTHERS, found, { ...found, id: 'later' }];
	const body = { code: 200, message: 'ok', data: { subscribers, total: 4 } };
	a.faults.add({ kind: { status: 200, body } });
	const { items, error } = await runOperation(a, 'customer.get', { customerId: asked });
	expect(error).toBeUndefined();
	expect(items.map(({ id }) => id)).toEqual(['found']);
});

test.each(SPELLINGS)('Survey B: the contact %j is found as %j', async (asked, answered) => {
	const { b } = sandbox;
	const results = [...OTHERS, { id: 'found', email: answered }];
	b.faults.add({ kind: { status: 200, body: { count: 4, next: null, previous: null, results } } });
	const { items, error } = await runOperation(b, 'contact.get', { contactId: asked });
	expect(error).toBeUndefined();
	expect(items.map(({ id }) => id)).toEqual(['found']);
});

test.each(SPELLINGS)(
	'Survey A: the row with %j fails when a refusal names %j',
	async (asked, named) => {
		const { a } = sandbox;
		const data = [{ email: named, status: 'fail', reason: 'No such host' }];
		a.faults.add({
			kind: { status: 400, body: { code: 400, message: 'Invalid email addresses', data } },
		});
		const emails = ['first@example.com', asked, 'last@example.com'];
		const { output } = await runOperation(
			a,
			'survey.send',
			{ campaign: '64a000000000000000000003', ...EMAIL_FROM_ROW },
			{ input: emails.map((email) => ({ email })), onError: 'continueErrorOutput' },
		);
		expect(output[1]?.map(({ json }) => json.error)).toEqual([
			expect.stringMatching(/No such host/),
		]);
		expect(output[1]?.map(({ pairedItem }) => pairedItem)).toEqual([{ item: 1 }]);
		expect(a.requests).toHaveLength(2);
	},
);

test.each([
	'ann@example.com, bob@example.com',
	'ann@example.com;bob@example.com',
	'a@b.example c@d.example',
])('a cell with several addresses, %j, opts nobody out, so its row fails', async (email) => {
	for (const service of [sandbox.a, sandbox.b]) {
		const name = service === sandbox.a ? 'customer.unsubscribe' : 'contact.unsubscribe';
		const { error } = await runOperation(service, name, { email });
		expect(error?.message).toContain("'Email' must be one address");
		const upsert = name.replace('unsubscribe', 'upsert');
		const { error: mapped } = await runOperation(service, upsert, EMAIL_FROM_ROW, {
			input: [{ email }],
		});
		expect(mapped?.message).toContain("'Email' must be one address");
		expect(service.requests).toEqual([]);
	}
});
