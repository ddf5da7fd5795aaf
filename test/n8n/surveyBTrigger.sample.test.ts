/** @jest-environment ./test/support/n8nEnvironment.mts */
import { until } from '../../host/until.mts';
import { TriggerSetup } from './surveyBTriggerSetup';

// "Listen for test event" in a real n8n shows the newest feedback at once.

let setup: TriggerSetup;
beforeAll(async () => void (setup = await TriggerSetup.open()), 180_000);
afterAll(async () => await setup?.close());
afterEach(async () => await setup.clear());

const ADDED = 'feedback.added_or_changed';

/** Listens with a node; returns the item that arrives and the seconds until then. */
async function listen(
	parameters: object,
): Promise<{ item: Record<string, unknown>; seconds: number }> {
	const id = await setup.n8n.createWorkflow(setup.workflow([setup.node(parameters)]));
	const begun = Date.now();
	await setup.n8n.listenForTest(id, 'Trigger');
	const [run] = await until(
		async () => await setup.n8n.executions(id),
		(all) => all.some(({ status }) => status === 'success'),
	);
	const seconds = (Date.now() - begun) / 1000;
	const item = run?.items('Trigger')[0]?.json ?? {};
	expect(run?.mode).toBe('manual');
	return { item, seconds };
}

test('the newest feedback response arrives within seconds, marked as a sample, and no subscription remains', async () => {
	const newest = setup.b.answer({ email: 'ada@acme.example', campaignId: 101, score: 3 });
	const { item, seconds } = await listen({ events: [ADDED] });
	expect(item).toMatchObject({ event: ADDED, sample: true, data: { id: newest.id, score: 3 } });
	expect(item).not.toHaveProperty('issues');
	expect(item.data).not.toHaveProperty('href');
	expect(JSON.stringify(item)).not.toContain('token');
	expect(seconds).toBeLessThan(5);
	await until(
		() => setup.ids,
		(ids) => ids.length === 0,
	);
});
