import { mapped } from '../../support/columns';
import { runOperation } from '../../support/runOperation';
import { useSandbox } from '../../support/sandbox';

// The error items that a workflow receives. n8n's engine chooses the output by the item.

const sandbox = useSandbox();

/** As long as the part of a row's name that a message has. */
const LONG = 'a'.repeat(100);

test.each([
	['feedback', { feedbackId: '7' }, 404, 'Not found', 'Feedback 7: Not found'],
	['feedback', { feedbackId: '7' }, 410, 'Gone', 'Feedback 7: Gone'],
	['feedback', { feedbackId: '7' }, 400, 'No: feedback 7 is old', 'No: feedback 7 is old'],
	['feedback', { feedbackId: '7' }, 400, 'Feedback 70 is old', 'Feedback 7: Feedback 70 is old'],
	['feedback', { feedbackId: '7' }, 400, 'MyFeedback 7', 'Feedback 7: MyFeedback 7'],
	['feedback', { feedbackId: '7' }, 400, '(Closed)', 'Feedback 7: (Closed)'],
	['contact', { email: ' a@b.example ' }, 404, 'Not found', 'a@b.example: Not found'],
	['contact', { email: `${LONG}@b.example` }, 404, 'Not found', `${LONG}: Not found`],
])(
	'deleting %s %j with HTTP %i and the message "%s" fails with "%s"',
	async (resource, parameters, status, detail, message) => {
		sandbox.b.faults.add({ kind: { status, body: { detail } } });
		const { error } = await runOperation(sandbox.b, `${resource}.delete`, parameters);
		expect(error?.message).toBe(`${message} (HTTP ${status})`);
	},
);

test.each([
	['contact.upsert', mapped({ email: 'ann@example.com' }), 'ann@example.com'],
	[
		'survey.send',
		{ campaignId: '101', ...mapped({ email: 'ann@example.com' }) },
		'ann@example.com',
	],
	['commonReply.create', { title: 'Thanks', reply: 'Hi', categoryName: 'Nice' }, 'Title Thanks'],
	['webhook.create', { event: 'tag.merged', target: 'https://a.example' }, 'Event tag.merged'],
])(
	'%s: a 404 without a message does not say that the row is missing: %j',
	async (name, parameters, label) => {
		sandbox.b.faults.add({ kind: { status: 404, body: '' } });
		const { error } = await runOperation(sandbox.b, name, parameters);
		expect(error?.message).toBe(`${label}: Survey B refused the request (HTTP 404)`);
	},
);

test('one bad row does not stop the others if On Error is Continue [fails-alone]', async () => {
	const BAD = new Map([
		[3, '45720'],
		[132, '2025-02-30'],
		[199, 'soon'],
	]);
	const rows = Array.from({ length: 200 }, (_, index) => ({
		email: `person${index + 1}@example.com`,
		renewal: BAD.get(index) ?? '2026-11-21',
	}));
	const columns = mapped(
		{ email: '={{ $json.email }}', 'property:Renewal': '={{ $json.renewal }}' },
		[{ id: 'property:Renewal', displayName: 'Renewal', type: 'dateTime' }],
	);
	const settings = { input: rows, onError: 'continueErrorOutput' } as const;
	const { output } = await runOperation(sandbox.a, 'customer.upsert', columns, settings);
	const [done = [], errors = []] = output;
	expect(done).toHaveLength(197);
	expect(errors.map(({ pairedItem }) => pairedItem)).toEqual(
		[...BAD.keys()].map((item) => ({ item })),
	);
	errors.forEach(({ json }) => {
		expect(json.error).toMatch(new RegExp(`^${json.email}: Column 'Renewal' `));
		expect(json.error).toContain(`: ${JSON.stringify(json.renewal)} [item `);
		expect(json.details).toMatchObject({
			code: 'invalidDate',
			field: 'Renewal',
			value: json.renewal,
		});
	});
	const sent = sandbox.a.requests.flatMap(({ rawBody }) => JSON.parse(rawBody).subscribers);
	expect(sent).toHaveLength(197);
});

test.each([
	['a', 'customer.upsert', 'property:Renewal'],
	['b', 'contact.upsert', 'attribute:Renewal'],
] as const)(
	'Survey %s: an error names the column of a schema without display names, as agents write it, as the account does',
	async (of, operation, id) => {
		const values = { email: 'ada@example.com', [id]: '={{ $json.renewal }}' };
		const columns = mapped(values, [{ id, displayName: undefined, type: 'dateTime' }]);
		const input = [{ renewal: 'soon' }];
		const { error } = await runOperation(sandbox[of], operation, columns, { input });
		expect(error?.message).toBe('ada@example.com: Column \'Renewal\' is not a date: "soon"');
	},
);
