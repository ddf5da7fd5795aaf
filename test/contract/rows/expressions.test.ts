import { Expression, WorkflowExpression } from 'n8n-workflow';
import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { automatic, mapped } from '../../support/columns';
import { useRunner as useRunnerA } from '../surveyA/runner';
import { useRunner as useRunnerB } from '../surveyB/runner';

// n8n needs 0.7 ms for an expression, so the node evaluates only parameters that have one.

const runnerA = useRunnerA();
const runnerB = useRunnerB();

const AUTOMATIC = automatic();

const rows = (count: number): IDataObject[] =>
	Array.from({ length: count }, (_, index) => ({
		email: `person${index + 1}@example.com`,
		firstName: `First ${index + 1}`,
		company: 'Acme',
		plan: index % 2 ? 'trial' : 'team',
		seats: index,
	}));

/** Runs an operation; returns the number of expressions that n8n evaluated. */
async function run(
	runner: typeof runnerA | typeof runnerB,
	operation: string,
	parameters: INodeParameters,
	count: number,
) {
	const spy = jest.spyOn(Expression.prototype, 'resolveSimpleParameterValue');
	const { items, error } = await runner.run(operation, parameters, { input: rows(count) });
	const evaluations = spy.mock.calls.length;
	spy.mockRestore();
	expect(error).toBeUndefined();
	expect(items).toHaveLength(count);
	return { evaluations };
}

test('sends surveys by Map Automatically without evaluating an expression', async () => {
	const campaign = runnerA.campaign('After purchase');
	const a = await run(runnerA, 'survey.send', { ...AUTOMATIC, campaign }, 500);
	expect(a.evaluations).toBe(0);
	const b = await run(runnerB, 'survey.send', { ...AUTOMATIC, campaignId: 101 }, 50);
	expect(b.evaluations).toBe(0);
	const contacts = await run(runnerB, 'contact.upsert', AUTOMATIC, 50);
	expect(contacts.evaluations).toBe(0);
});

test('evaluates each expression once for each row', async () => {
	const email = '={{ $json.email }}';
	const plan = { id: 'attribute:plan', type: 'string' as const };
	const one = mapped({ email, firstName: 'Ada', 'attribute:plan': 'pro' }, [plan]);
	expect((await run(runnerB, 'contact.upsert', one, 50)).evaluations).toBe(50);
	const unsubscribed = await run(runnerA, 'customer.unsubscribe', { email }, 50);
	expect(unsubscribed.evaluations).toBe(50);
});

test('reads parameters without an expression once, however many rows there are', async () => {
	const reads = jest.spyOn(WorkflowExpression.prototype, 'getParameterValue');
	const campaign = runnerA.campaign('After purchase');
	await run(runnerA, 'survey.send', { ...AUTOMATIC, campaign }, 10);
	const few = reads.mock.calls.length;
	reads.mockClear();
	await run(runnerA, 'survey.send', { ...AUTOMATIC, campaign }, 300);
	expect(reads.mock.calls.length).toBe(few);
	reads.mockRestore();
});
