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
	['LS', 2, '1 of 2 rows were sent'],
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

test('items of an earlier try get the columns of all tries', async () => {
	const { feedback } = sandbox.a.state;
	feedback.forEach(
		(one, i) => (one.customProps = [{ name: `plan ${i}`, type: 'string', value: i }]),
	);
	const [first = '', second = ''] = feedback.map(({ id }) => String(id));
	sandbox.a.faults.add({ when: ({ url }) => url.includes(second), kind: { status: 404 } });
	const parameters = { feedbackId: '={{ $json.id }}', options: { answersAsColumns: true } };
	const settings = { input: [{ id: first }, { id: second }], maxTries: 2 };
	const read = await runOperation(sandbox.a, 'feedback.get', parameters, settings);
	for (const item of read.items)
		expect(Object.keys(item).slice(-2)).toEqual(['plan 0 (property)', 'plan 1 (property)']);
});
