import { EMAIL_FROM_ROW, people } from '../../support/columns';
import { runOperation } from '../../support/runOperation';
import { useSandbox } from '../../support/sandbox';

// n8n's Retry On Fail runs the whole node again. The node must not repeat rows that went out in an earlier try.

const sandbox = useSandbox();

test.each([
	[3, [1], '1 of 3 rows were sent before it (0), 1 after it (2)'],
	[8, [2], '2 of 8 rows were sent before it (0, 1), 5 after it (3 to 7)'],
])(
	'the error of the last try counts the rows of earlier tries when, of %i rows, %j fail: %s',
	async (count, failing, counts) => {
		const { b } = sandbox;
		b.faults.add({
			times: Infinity,
			when: ({ rawBody }) => failing.some((item) => rawBody.includes(`person${item}@`)),
			kind: { status: 403, body: { detail: 'No' } },
		});
		const { error } = await send(count);
		const message = error?.message.replace(/person(\d)@example\.com/g, '$1');
		expect(message).toMatch(new RegExp(`\\. ${counts.replace(/[()]/g, '\\$&')}$`));
		expect(b.requests).toHaveLength(count + 2 * failing.length);
	},
);

const send = (count: number) =>
	runOperation(
		sandbox.b,
		'survey.send',
		{ campaignId: '101', ...EMAIL_FROM_ROW },
		{ input: people(count, 0), onError: 'stopWorkflow', maxTries: 3 },
	);
