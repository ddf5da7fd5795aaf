import { EMAIL_FROM_ROW, people } from '../../support/columns';
import { runOperation } from '../../support/runOperation';
import { useSandbox } from '../../support/sandbox';

// n8n's Retry On Fail runs the whole node again. The node must not repeat rows that went out, or may have, in an earlier try.

const sandbox = useSandbox();

test.each([
	['feedback.create', 'SRS', 5, '2 of 3 rows were sent'],
	['feedback.create', 'SSRSSSSS', 10, '7 of 8 rows were sent'],
	['feedback.create', 'SR', 4, '1 of 2 rows were sent'],
	['feedback.create', 'SRLL', 4, '1 of 4 rows were sent, and 1 more may have been'],
	['feedback.create', 'LS', 1, 'No other row was sent'],
	['contact.upsert', 'SRL', 5, '1 of 3 rows were sent, and 1 more may have been'],
])(
	'%s: of rows that are sent (S), refused (R), or lose their response (L), the error counts each: %s',
	async (operation, outcomes, requests, counts) => {
		const { faults } = sandbox.b;
		for (const [item, outcome] of [...outcomes].entries()) {
			const kind = outcome === 'L' ? 'reset-after' : { status: 400, body: { detail: 'No' } };
			const when = ({ rawBody }: { rawBody: string }) => rawBody.includes(`person${item}@`);
			if (outcome !== 'S') faults.add({ times: Infinity, when, kind });
		}
		const { error } = await runOperation(
			sandbox.b,
			operation,
			{ campaignId: '101', email: '={{ $json.email }}', score: 9, ...EMAIL_FROM_ROW },
			{ input: people(outcomes.length, 0), onError: 'stopWorkflow', maxTries: 3 },
		);
		const message = error?.message.replace(/person(\d)@example\.com/g, '$1');
		expect(message).toMatch(new RegExp(`\\. ${counts.replace(/[()]/g, '\\$&')}$`));
		expect(sandbox.b.requests).toHaveLength(requests);
	},
);
