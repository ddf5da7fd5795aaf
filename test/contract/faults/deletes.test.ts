import { startSandbox } from '../../../sandbox';
import type { Fault, Sandbox } from '../../../sandbox';
import { onItsOwnClock } from '../../support/clock.mts';
import { runNode } from '../../support/engine';

// A delete whose response is lost is tried again. What is gone by then went by the first attempt.

let sandbox: Sandbox;

beforeAll(async () => {
	sandbox = await startSandbox();
});

beforeEach(() => {
	sandbox.a.reset();
	sandbox.b.reset();
});

afterAll(async () => await sandbox.close());

const remove = async (fault?: Fault) => {
	const { url, apiKey, faults, state } = sandbox.b;
	if (fault) faults.add(fault);
	const feedbackId = String(state.feedback[0]?.id);
	return await onItsOwnClock(
		async () =>
			await runNode({
				node: 'surveyB',
				parameters: { resource: 'feedback', operation: 'delete', feedbackId },
				credential: { baseUrl: url, apiKey },
			}),
	);
};

const isThere = (id: unknown) => sandbox.b.state.feedback.some((one) => one.id === id);

test.each(['reset-after', 'reset-midway', 'half-json'] as const)(
	'%s: it is done, and nothing else goes',
	async (kind) => {
		const [first] = sandbox.b.state.feedback;
		const before = sandbox.b.state.feedback.length;
		const { error, output } = await remove({ kind });
		expect(error).toBeUndefined();
		expect(output[0]?.[0]?.json).toMatchObject({ deleted: true });
		expect(isThere(first?.id)).toBe(false);
		expect(sandbox.b.state.feedback).toHaveLength(before - 1);
	},
);

test.each([404, 410])('%i after a lost response means done', async (status) => {
	sandbox.b.faults.add({ kind: 'reset-before' });
	const { error } = await remove({ kind: { status, body: { detail: 'Not found.' } } });
	expect(error).toBeUndefined();
	expect(sandbox.b.requests).toHaveLength(2);
});

test.each([403, 400])('%i after a lost response is told', async (status) => {
	sandbox.b.faults.add({ kind: 'reset-before' });
	const { error } = await remove({ kind: { status, body: { detail: 'No' } } });
	expect(error?.message).toContain(`No (HTTP ${status})`);
});

test.each([404, 410])('%i at the first attempt is told', async (status) => {
	const { error } = await remove({ kind: { status, body: { detail: 'Not found.' } } });
	expect(error?.message).toContain(`(HTTP ${status})`);
	expect(sandbox.b.requests).toHaveLength(1);
});

test.each([404, 410])('%i after a 429 is told: nothing was carried out before', async (status) => {
	sandbox.b.faults.add({ kind: { status: 429, headers: { 'retry-after': '1' } } });
	const { error } = await remove({ kind: { status, body: { detail: 'Not found.' } } });
	expect(error?.message).toContain(`(HTTP ${status})`);
});

test.each([404, 410])(
	'%i after a lost response is told where nothing was to go',
	async (status) => {
		const { url, apiKey, faults } = sandbox.b;
		faults.add({ kind: 'reset-before' });
		faults.add({ kind: { status, body: { detail: 'Not found.' } } });
		const { error } = await onItsOwnClock(
			async () =>
				await runNode({
					node: 'surveyB',
					parameters: { resource: 'contact', operation: 'unsubscribe', email: 'a@example.com' },
					credential: { baseUrl: url, apiKey },
				}),
		);
		expect(error?.message).toContain(`(HTTP ${status})`);
	},
);

describe.each(['delete', 'unsubscribe'])('customer.%s', (operation) => {
	test('rows that a refusal names fail alone, and the others go out', async () => {
		const { url, apiKey, faults, state, requests } = sandbox.a;
		const [one, other] = [...state.customers.keys()];
		const data = [{ email: one, status: 'fail', reason: 'Is locked' }];
		faults.add({ kind: { status: 400, body: { code: 400, message: 'Some failed', data } } });
		const { output } = await runNode({
			node: 'surveyA',
			parameters: { resource: 'customer', operation, email: '={{ $json.email }}' },
			input: [{ email: one }, { email: other }],
			credential: { baseUrl: url, apiKey },
			onError: 'continueRegularOutput',
		});
		const items = (output[0] ?? []).map(({ json }) => json);
		expect(items[0]?.error).toContain('Is locked');
		expect(items[1]).toMatchObject({ email: other });
		expect(items[1]).not.toHaveProperty('error');
		expect(requests).toHaveLength(2);
	});
});
