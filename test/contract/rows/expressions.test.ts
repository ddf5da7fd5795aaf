import { Expression, WorkflowExpression } from 'n8n-workflow';
import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { automatic, mapped } from '../../support/columns';
import { useBench as useBenchA } from '../surveyA/bench';
import { useBench as useBenchB } from '../surveyB/bench';
import { testLarge } from '../../support/large.mts';

// n8n needs 0.7 ms for an expression, so the node evaluates only parameters that have one.

const benchA = useBenchA();
const benchB = useBenchB();

const AUTOMATIC = automatic();

const rows = (count: number): IDataObject[] =>
	Array.from({ length: count }, (_, index) => ({
		email: `person${index + 1}@example.com`,
		firstName: `First ${index + 1}`,
		company: 'Acme',
		plan: index % 2 ? 'trial' : 'team',
		seats: index,
	}));

const BY_EXPRESSION = mapped({
	email: '={{ $json.email }}',
	firstName: '={{ $json.firstName }}',
	company: '={{ $json.company }}',
});

/** Runs an operation; returns the number of expressions that n8n evaluated, the time, and the items. */
async function run(
	bench: typeof benchA | typeof benchB,
	operation: string,
	parameters: INodeParameters,
	count: number,
): Promise<{ evaluations: number; milliseconds: number; items: IDataObject[] }> {
	const spy = jest.spyOn(Expression.prototype, 'resolveSimpleParameterValue');
	const start = performance.now();
	const { items, error } = await bench.run(operation, parameters, { input: rows(count) });
	const milliseconds = performance.now() - start;
	const evaluations = spy.mock.calls.length;
	spy.mockRestore();
	expect(error).toBeUndefined();
	expect(items).toHaveLength(count);
	return { evaluations, milliseconds, items };
}

testLarge('maps 10,000 rows automatically without evaluating an expression', async () => {
	const automatic = await run(benchA, 'customer.upsert', AUTOMATIC, 10_000);
	expect(automatic.evaluations).toBe(0);
	// One for the account's columns, and ten for the rows.
	expect(benchA.service.requests).toHaveLength(11);
	const byExpression = await run(benchA, 'customer.upsert', BY_EXPRESSION, 1_000);
	expect(byExpression.evaluations).toBe(3_000);
	expect(automatic.milliseconds).toBeLessThan(10 * byExpression.milliseconds);
});

test('sends surveys by Map Automatically without evaluating an expression', async () => {
	const campaign = benchA.campaign('After purchase');
	const a = await run(benchA, 'survey.send', { ...AUTOMATIC, campaign }, 500);
	expect(a.evaluations).toBe(0);
	const b = await run(benchB, 'survey.send', { ...AUTOMATIC, campaignId: 101 }, 50);
	expect(b.evaluations).toBe(0);
	const contacts = await run(benchB, 'contact.upsert', AUTOMATIC, 50);
	expect(contacts.evaluations).toBe(0);
});

test('evaluates each expression once for each row', async () => {
	const email = '={{ $json.email }}';
	const plan = { id: 'attribute:plan', type: 'string' as const };
	const one = mapped({ email, firstName: 'Ada', 'attribute:plan': 'pro' }, [plan]);
	expect((await run(benchB, 'contact.upsert', one, 50)).evaluations).toBe(50);
	const unsubscribed = await run(benchA, 'customer.unsubscribe', { email }, 50);
	expect(unsubscribed.evaluations).toBe(50);
});

test('reads parameters without an expression once, however many rows there are', async () => {
	const reads = jest.spyOn(WorkflowExpression.prototype, 'getParameterValue');
	const campaign = benchA.campaign('After purchase');
	await run(benchA, 'survey.send', { ...AUTOMATIC, campaign }, 10);
	const few = reads.mock.calls.length;
	reads.mockClear();
	await run(benchA, 'survey.send', { ...AUTOMATIC, campaign }, 300);
	expect(reads.mock.calls.length).toBe(few);
	reads.mockRestore();
});
