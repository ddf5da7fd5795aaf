import type { IDataObject } from 'n8n-workflow';

import { EMAIL_FROM_ROW } from '../../support/columns';
import { runOperation } from '../../support/runOperation';
import { useSandbox } from '../../support/sandbox';

// Different spellings of an email are equal.

const sandbox = useSandbox();

const SPELLINGS: Array<[string, string]> = [
	['Nathan@Example.com', 'nathan@example.com'],
	['nathan@bücher.example', 'nathan@BÜCHER.example'],
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

const ODD = [
	...['Nathan', 'hal(at)t1.example', 'ann@localhost', 'ann@example.com.', '@example.com'],
	...["'ann@example.com'", '"ann@example.com', 'ann@example.com (Ann)', 'mailto:ann@example.com'],
	...['ann@example.com, bob@example.com', 'ann@example.com;bob@example.com'],
	...[
		'a@b.example c@d.example',
		'ann@example.com|bob@example.com',
		'ann@example.com/bob@example.com',
	],
	...['Ann <ann@example.com>, Bob <bob@example.com>', 'bob@example.com <ann@example.com>'],
	...['Ann ann@example.com', 'ann@@example.com', 'ann@exam ple.com', 'ann@example..com'],
	...['<ann@example.com', 'ann@example.com>', '[ann@example.com]', 'ann@-example.com'],
];

/** The operations that write an address, and the body in which it is. */
const WRITERS = ['customer.unsubscribe', 'customer.delete', 'customer.upsert', 'survey.send'];

/** Returns the parameters of an operation for the address of a row. */
function writing(name: string, service: 'a' | 'b') {
	if (!/upsert|send/.test(name)) return { email: '={{ $json.email }}' };
	const campaign =
		service === 'a' ? { campaign: '64a000000000000000000003' } : { campaignId: '101' };
	return { ...campaign, ...EMAIL_FROM_ROW };
}

async function write(name: string, service: 'a' | 'b', emails: unknown[]) {
	const operation = service === 'a' ? name : name.replace('customer', 'contact');
	sandbox[service].requests.length = 0;
	const input = emails.map((email) => ({ email }) as IDataObject);
	const settings = { input, onError: 'continueRegularOutput' as const };
	return await runOperation(sandbox[service], operation, writing(name, service), settings);
}

describe.each(['a', 'b'] as const)('Survey %s', (service) => {
	test.each(WRITERS)('%s fails every row whose email is no single address', async (name) => {
		const { items } = await write(name, service, ODD);
		const passed = items.flatMap(({ error }, i) =>
			String(error).includes("'Email'") ? [] : [ODD[i]],
		);
		expect(passed).toEqual([]);
		expect(sandbox[service].requests).toEqual([]);
	});

	test.each(WRITERS)('%s takes the address of a sender with a name', async (name) => {
		const senders = [
			'Ann Lee <ann@example.com>',
			'"Lee, Bob" <bob@example.com>',
			'<cy@example.com>',
			'"dee@example.com" <dee@example.com>',
		];
		await write(name, service, senders);
		const sent = sandbox[service].requests.map(({ rawBody }) => rawBody).join();
		expect(sent.match(/[^"]+@[^"]+/g)).toEqual([
			'ann@example.com',
			'bob@example.com',
			'cy@example.com',
			'dee@example.com',
		]);
	});
});

test('usual addresses are sent as they are', async () => {
	const usual = [
		...[
			"o'brien@example.com",
			'ann+surveys@example.co.uk',
			'josé@bücher.example',
			'a_b-c@x1.example',
		],
		...['用户@例子.公司', 'ann@xn--bcher-kva.example', "'quoted@start.example".slice(1)],
	];
	await write('customer.upsert', 'a', usual);
	const [request] = sandbox.a.requests;
	expect(JSON.parse(request?.rawBody ?? '').subscribers).toEqual(usual.map((email) => ({ email })));
});

test('an address in a list of one entry is that address', async () => {
	await write('survey.send', 'b', [['ann@example.com']]);
	expect(sandbox.b.requests.map(({ rawBody }) => JSON.parse(rawBody).contact)).toEqual([
		{ email: 'ann@example.com' },
	]);
});
