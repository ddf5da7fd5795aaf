import { people } from '../../support/columns';
import { runOperation } from '../../support/runOperation';
import { useSandbox } from '../../support/sandbox';

// n8n's Retry On Fail runs the whole node again. The node must not repeat rows that went out, or may have, in an earlier try.

const sandbox = useSandbox();

test.each([
	['SRS', 5, '2 of 3 rows were sent'],
	['SSRSSSSS', 10, '7 of 8 rows were sent'],
	['SR', 4, '1 of 2 rows were sent'],
	['SRLL', 4, '1 of 4 rows were sent, and 1 more may have been'],
	['LS', 1, 'No other row was sent'],
])(
	'of rows that are sent (S), refused (R), or lose their response (L), the error counts each: %s',
	async (outcomes, requests, counts) => {
		const { faults } = sandbox.b;
		for (const [item, outcome] of [...outcomes].entries()) {
			const kind = outcome === 'L' ? 'reset-after' : { status: 400, body: { detail: 'No' } };
			const when = ({ rawBody }: { rawBody: string }) => rawBody.includes(`person${item}@`);
			if (outcome !== 'S') faults.add({ times: Infinity, when, kind });
		}
		const { error } = await runOperation(
			sandbox.b,
			'feedback.create',
			{ campaignId: '101', email: '={{ $json.email }}', score: 9 },
			{ input: people(outcomes.length, 0), onError: 'stopWorkflow', maxTries: 3 },
		);
		const message = error?.message.replace(/person(\d)@example\.com/g, '$1');
		expect(message).toMatch(new RegExp(`\\. ${counts.replace(/[()]/g, '\\$&')}$`));
		expect(sandbox.b.requests).toHaveLength(requests);
	},
);
