import { sleep } from 'n8n-workflow';
import type { INodeParameters } from 'n8n-workflow';

import { mapped } from '../../support/columns';
import { runOperation } from '../../support/runOperation';
import { useSandbox } from '../../support/sandbox';

// Rows about one record go out one after the other, in input order.

const sandbox = useSandbox();

const AGENT = { fromUser: 'agent@example.com' };

/** Operations with the parameters of their rows, which are about one record. */
const ROWS: Array<[operation: string, parameters: INodeParameters]> = [
	['feedback.updateStatus', { status: "={{ $json.text === 'first' ? 'CLOSED' : 'OPEN' }}" }],
	['feedback.reply', { ...AGENT, message: '={{ $json.text }}' }],
	['feedback.forward', { ...AGENT, to: '={{ $json.text }}@example.com' }],
	['feedback.addTag', { tagName: '={{ $json.text }}', tagCategory: 'PASSIVE' }],
	[
		'feedback.create',
		{
			...{ campaignId: '101', email: '={{ $json.email }}', score: 5 },
			additionalFields: { comment: '={{ $json.text }}' },
		},
	],
	[
		'survey.send',
		{
			campaignId: '={{ $json.campaign }}',
			...mapped({ email: '={{ $json.email }}', 'surveyAttribute:plan': '={{ $json.text }}' }),
		},
	],
];

const INPUT = [
	{ text: 'first', email: 'ada@acme.example', campaign: 101 },
	{ text: 'second', email: 'ADA@acme.example', campaign: 102 },
];

test.each(ROWS)('%s: two rows of one record go out in input order', async (name, parameters) => {
	const { faults, requests, state } = sandbox.b;
	let arrived = 0;
	// A later row could overtake the first one, whose response is delayed.
	let arrive = () => {};
	const until = new Promise<void>((resolve) => (arrive = resolve))
		.then(async () => await sleep(300))
		.then(() => (arrived = requests.length));
	faults.add({ when: () => arrive() === undefined, kind: { until } });
	const all = { feedbackId: String(state.feedback.at(-1)?.id), ...parameters };
	const onError = 'continueRegularOutput';
	const { items } = await runOperation(sandbox.b, name, all, { input: INPUT, onError });
	expect(items).toHaveLength(2);
	expect(arrived).toBe(1);
	expect(requests.map(({ rawBody }) => rawBody)).toEqual([
		expect.stringMatching(/first|CLOSED/),
		expect.stringMatching(/second|OPEN/),
	]);
});

test.each<[INodeParameters, number, string]>([
	[{ status: 'CLOSED' }, 1, 'updateStatus'],
	[{ status: 'CLOSED', options: { dryRun: '={{ $itemIndex === 0 }}' } }, 1, 'updateStatus'],
	[{ ...AGENT, message: 'Thanks' }, 2, 'reply'],
])('two equal rows with %j are sent by %i requests of feedback.%s', async (row, count, name) => {
	const parameters = { feedbackId: String(sandbox.b.state.feedback.at(-1)?.id), ...row };
	await runOperation(sandbox.b, `feedback.${name}`, parameters, { input: [{}, {}] });
	expect(sandbox.b.requests).toHaveLength(count);
});
