import type { INodeParameters } from 'n8n-workflow';

import { mapped } from '../../support/columns';
import { whatCanGoOn } from '../../support/hold.mts';
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
	{ text: 'third', email: 'ada@acme.example', campaign: 103 },
];

test.each(ROWS)('%s: three rows of one record go out in input order', async (name, parameters) => {
	const { faults, requests, state } = sandbox.b;
	const arrived: number[] = [];
	// A later row could overtake one whose response is delayed.
	const kind = {
		get until() {
			return whatCanGoOn().then(() => void arrived.push(requests.length));
		},
	};
	faults.add({ times: 3, kind });
	const all = { feedbackId: String(state.feedback.at(-1)?.id), ...parameters };
	const onError = 'continueRegularOutput';
	const { items } = await runOperation(sandbox.b, name, all, { input: INPUT, onError });
	expect(items).toHaveLength(3);
	expect(arrived).toEqual([1, 2, 3]);
	expect(requests.map(({ rawBody }) => rawBody)).toEqual([
		expect.stringMatching(/first|CLOSED/),
		expect.stringMatching(/second|OPEN/),
		expect.stringMatching(/third|OPEN/),
	]);
});

test.each<[INodeParameters, string]>([
	[{ status: 'CLOSED' }, 'updateStatus'],
	[{ ...AGENT, message: 'Thanks' }, 'reply'],
])('two equal rows with %j are both sent by feedback.%s', async (row, name) => {
	const parameters = { feedbackId: String(sandbox.b.state.feedback.at(-1)?.id), ...row };
	await runOperation(sandbox.b, `feedback.${name}`, parameters, { input: [{}, {}] });
	expect(sandbox.b.requests).toHaveLength(2);
});
