import type { OnError } from 'n8n-workflow';

import type { FaultKind } from '../../../sandbox';
import { mapped } from '../../support/columns';
import { runNode } from '../../support/engine';
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
		const { error } = await send('surveyB', count, 'stopWorkflow');
		const message = error?.message.replace(/person(\d)@example\.com/g, '$1');
		expect(message).toMatch(new RegExp(`\\. ${counts.replace(/[()]/g, '\\$&')}$`));
		expect(b.requests).toHaveLength(count + 2 * failing.length);
	},
);

const people = (count: number) =>
	Array.from({ length: count }, (_, i) => ({ email: `person${i}@example.com` }));

function send(node: 'surveyA' | 'surveyB', count: number, onError: OnError) {
	const service = node === 'surveyA' ? sandbox.a : sandbox.b;
	return runNode({
		node,
		parameters: {
			resource: 'survey',
			operation: 'send',
			campaign: String(sandbox.a.state.campaigns[0]?.id),
			campaignId: '101',
			...mapped({ email: '={{ $json.email }}' }),
		},
		input: people(count),
		credential: { baseUrl: service.url, apiKey: service.apiKey },
		onError,
		maxTries: 3,
	});
}

const refusal: FaultKind = { status: 403, body: { code: 403, message: 'Not now', data: null } };

describe.each(['stopWorkflow', 'continueRegularOutput'] as const)('On Error = %s', (onError) => {
	test('Survey A: the next try sends a refused batch again, and no other', async () => {
		// The engine tries again when the first item or the node failed.
		const skip = onError === 'stopWorkflow' ? 1 : 0;
		sandbox.a.faults.add({ kind: refusal, skip });
		const { output, error } = await send('surveyA', 300, onError);
		expect(error).toBeUndefined();
		expect(output[0]).toHaveLength(300);
		expect(sandbox.a.requests).toHaveLength(4);
		expect(sandbox.a.state.sent.map(({ email }) => email).sort()).toEqual(
			people(300)
				.map(({ email }) => email)
				.sort(),
		);
	});

	test('Survey A: the next try never repeats a batch that may have been processed', async () => {
		sandbox.a.faults.add({ kind: 'reset-after' });
		const { output, error } = await send('surveyA', 300, onError);
		const errorText = error?.message ?? String(output[0]?.[0]?.json.error);
		expect(errorText).toMatch(/closed before the response was complete/);
		const sent = sandbox.a.state.sent.map(({ email }) => email);
		expect(new Set(sent).size).toBe(sent.length);
		expect(sent).toHaveLength(onError === 'stopWorkflow' ? 100 : 300);
	});

	test('Survey B: the next try does not repeat rows that went out', async () => {
		sandbox.b.faults.add({ kind: refusal, when: ({ rawBody }) => rawBody.includes('person0@') });
		const { output, error } = await send('surveyB', 40, onError);
		expect(error).toBeUndefined();
		expect(output[0]).toHaveLength(40);
		expect(output[0]?.map(({ pairedItem }) => pairedItem)).toEqual(
			people(40).map((_, item) => ({ item })),
		);
		expect(sandbox.b.state.sent).toHaveLength(40);
		expect(sandbox.b.requests).toHaveLength(41);
	});
});
