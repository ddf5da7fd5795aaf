import { Expression, WorkflowExpression } from 'n8n-workflow';
import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { useBench as useBenchA } from '../surveyA/bench';
import { useBench as useBenchB } from '../surveyB/bench';

// n8n takes 0.7 ms for an expression: what is the same for all rows is to be read once.

const benchA = useBenchA();
const benchB = useBenchB();

const AUTOMATIC = { dataMode: 'autoMapInputData' };

const rows = (count: number): IDataObject[] =>
	Array.from({ length: count }, (_, index) => ({
		email: `person${index + 1}@example.com`,
		firstName: `First ${index + 1}`,
		company: 'Acme',
		plan: index % 2 ? 'trial' : 'team',
		seats: index,
	}));

const BY_EXPRESSION = {
	email: '={{ $json.email }}',
	additionalFields: { firstName: '={{ $json.firstName }}', company: '={{ $json.company }}' },
};

/** Runs an operation, and gives how many expressions n8n evaluated for it and how long it took. */
async function run(
	bench: ReturnType<typeof benchA> | ReturnType<typeof benchB>,
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

test('10,000 rows by Map Automatically: no expression is evaluated, and it takes a fraction of the time', async () => {
	const automatic = await run(benchA(), 'customer.upsert', AUTOMATIC, 10_000);
	expect(automatic.evaluations).toBe(0);
	expect(benchA().service.requests).toHaveLength(10);
	const byExpression = await run(benchA(), 'customer.upsert', BY_EXPRESSION, 1_000);
	expect(byExpression.evaluations).toBe(3_000);
	expect(automatic.milliseconds).toBeLessThan(10 * byExpression.milliseconds);
});

test('surveys: none a row either', async () => {
	const campaign = benchA().campaign('After purchase');
	const a = await run(benchA(), 'survey.send', { ...AUTOMATIC, campaign }, 500);
	expect(a.evaluations).toBe(0);
	const b = await run(benchB(), 'survey.send', { ...AUTOMATIC, campaignId: 101 }, 50);
	expect(b.evaluations).toBe(0);
	const contacts = await run(benchB(), 'contact.upsert', AUTOMATIC, 50);
	expect(contacts.evaluations).toBe(0);
});

test('what has no expression is not evaluated; what has one is, for each row', async () => {
	const email = '={{ $json.email }}';
	const attributes = { attribute: [{ name: 'plan', value: 'pro' }] };
	const one = { email, additionalFields: { firstName: 'Ada', attributes } };
	expect((await run(benchB(), 'contact.upsert', one, 50)).evaluations).toBe(50);
	const unsubscribed = await run(benchA(), 'customer.unsubscribe', { email }, 50);
	expect(unsubscribed.evaluations).toBe(50);
});

test('a parameter without an expression is asked for once, whatever the count of rows', async () => {
	const reads = jest.spyOn(WorkflowExpression.prototype, 'getParameterValue');
	const campaign = benchA().campaign('After purchase');
	await run(benchA(), 'survey.send', { ...AUTOMATIC, campaign }, 10);
	const few = reads.mock.calls.length;
	reads.mockClear();
	await run(benchA(), 'survey.send', { ...AUTOMATIC, campaign }, 300);
	expect(reads.mock.calls.length).toBe(few);
	reads.mockRestore();
});
