import { sleep } from 'n8n-workflow';
import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { mapped } from '../../support/columns';
import { runOperation } from '../../support/runOperation';
import { useSandbox } from '../../support/sandbox';

// Rows about one record go out one after the other, in input order.

const sandbox = useSandbox();

/** Runs an operation and delays the response to the first row, so that a later row could overtake it. */
async function run(
	operation: string,
	parameters: INodeParameters,
	input: IDataObject[],
	first: string,
) {
	const { faults, requests } = sandbox.b;
	let arrived = 0;
	let arrive = () => {};
	const until = new Promise<void>((resolve) => (arrive = resolve))
		.then(async () => await sleep(300))
		.then(() => (arrived = requests.length));
	faults.add({
		when({ rawBody }) {
			if (rawBody.includes(first)) arrive();
			return rawBody.includes(first);
		},
		kind: { until },
	});
	const { error, output } = await runOperation(sandbox.b, operation, parameters, {
		input,
		onError: 'continueRegularOutput',
	});
	expect(error).toBeUndefined();
	// While the first response was delayed, no other row of its record was sent.
	expect(arrived).toBe(1);
	return (output[0] ?? []).map(({ json }) => json);
}

const feedback = () => {
	const [newest] = sandbox.b.state.feedback.slice(-1);
	if (newest === undefined) throw new Error('the seed has no feedback');
	return newest;
};

test('Update Status: the status of the last row of a feedback response remains', async () => {
	const input = ['CLOSED', 'OPEN'].map((status) => ({ status }));
	const parameters = { feedbackId: String(feedback().id), status: '={{ $json.status }}' };
	const items = await run('feedback.updateStatus', parameters, input, 'CLOSED');
	expect(items.map(({ status }) => status)).toEqual(['CLOSED', 'OPEN']);
	expect(feedback().status).toBe('OPEN');
});

test.each([
	['reply', 'message'],
	['forward', 'to'],
])(
	'%s: two rows of one feedback response go out in the order of the rows',
	async (operation, field) => {
		const input = ['first@example.com', 'second@example.com'].map((value) => ({ value }));
		const parameters = {
			feedbackId: String(feedback().id),
			fromUser: 'agent@example.com',
			[field]: '={{ $json.value }}',
		};
		await run(`feedback.${operation}`, parameters, input, 'first@example.com');
		const answered = sandbox.b.requests;
		expect(answered[0]?.rawBody).toContain('first@example.com');
		expect(answered[0]?.status).toBe(200);
		expect(answered[1]?.rawBody).toContain('second@example.com');
	},
);

test('Send: the first row of a contact is surveyed, and the next one is refused as too early', async () => {
	sandbox.b.settings.errors = 'contract';
	const input = [
		{ campaign: 101, email: 'ada@acme.example', plan: 'first' },
		{ campaign: 102, email: 'ADA@acme.example', plan: 'second' },
	];
	const parameters = {
		campaignId: '={{ $json.campaign }}',
		...mapped({ email: '={{ $json.email }}', 'surveyAttribute:plan': '={{ $json.plan }}' }),
	};
	const items = await run('survey.send', parameters, input, 'first');
	expect(items[0]).toMatchObject({ status: 'SENT' });
	expect(items[1]?.error).toContain('not eligible');
});

test('Add Tag: tags are added in the order of the rows', async () => {
	const input = ['first', 'second', 'third'].map((name) => ({ name }));
	const parameters = {
		feedbackId: String(feedback().id),
		tagName: '={{ $json.name }}',
		tagCategory: 'PASSIVE',
	};
	await run('feedback.addTag', parameters, input, 'first');
	expect(
		feedback()
			.tags.map(({ name }) => name)
			.slice(-3),
	).toEqual(['first', 'second', 'third']);
});

test('Create: two feedback responses of one contact are created in the order of the rows', async () => {
	const input = [
		{ email: 'new@acme.example', comment: 'first' },
		{ email: 'NEW@acme.example', comment: 'second' },
	];
	const parameters = {
		campaignId: '101',
		email: '={{ $json.email }}',
		score: 5,
		additionalFields: { comment: '={{ $json.comment }}' },
	};
	const items = await run('feedback.create', parameters, input, 'first');
	expect(items.map(({ comment }) => comment)).toEqual(['first', 'second']);
	expect(items[0]?.contact_id).toBe(items[1]?.contact_id);
});
