/** @jest-environment ./test/support/n8nEnvironment.mts */
import { until } from '../../host/until.mts';
import { EVENTS } from '../../sandbox';
import { fresh, idOf, TriggerSetup } from '../support/surveyBTriggerSetup';
import { testOfAll } from '../support/large.mts';

// The trigger's subscriptions over the life of a workflow in a real n8n.

let setup: TriggerSetup;
beforeAll(async () => void (setup = await TriggerSetup.open()), 180_000);
afterAll(async () => await setup?.close());
afterEach(async () => await setup.clear());

const PAIR = ['feedback.removed', 'tag.merged'];
const ALL = [...EVENTS].sort();

async function liveThroughAll(): Promise<void> {
	const { b } = setup;
	const email = `person${fresh()}@example.com`;
	const tag = `tag ${fresh()}`;
	const { id } = b.answer({ email, campaignId: 101, score: 10, comment: tag });
	const path = `/api/v2/feedback/${id}/`;
	await setup.ask('POST', `${path}tag/`, { name: tag, category: 'PROMOTER' });
	await setup.ask('PUT', path, { status: 'CLOSED' });
	const campaign = { id: 101, Name: 'Relationship' };
	b.emit('tag.renamed', { campaign, before: tag, after: `${tag} renamed` });
	b.emit('tag.merged', { campaign, before: `${tag} renamed`, after: `${tag} merged` });
	b.emit('tag.removed', { campaign, name: `${tag} merged` });
	await setup.ask('DELETE', path, undefined);
	await setup.ask('POST', '/api/v2/contacts/unsubscribe/', { emails: [email] });
	await b.idle();
}

/** Returns the events of a workflow's runs, sorted. */
async function runEvents(id: string): Promise<string[]> {
	return (await setup.runs(id)).map(({ item }) => String(item.event)).sort();
}

function times(count: number, events: string[] = ALL): string[] {
	return events.flatMap((event) => Array<string>(count).fill(event)).sort();
}

test('all events have one subscription each and one run a change, also after unpublishing and publishing', async () => {
	const id = await setup.publish(setup.node({ events: EVENTS }));
	await liveThroughAll();
	expect(await runEvents(id)).toEqual(times(1));

	await setup.n8n.deactivate(id);
	await setup.hasEvents([]);
	await liveThroughAll();

	await setup.n8n.activate(id);
	expect(setup.events).toEqual(ALL);
	await liveThroughAll();
	const runs = await setup.runs(id);
	expect(runs.map(({ item }) => String(item.event)).sort()).toEqual(times(2));
	expect(runs.filter(({ item }) => item.issues !== undefined)).toEqual([]);
	expect(setup.events).toEqual(ALL);
});

testOfAll(
	'a restart or crash of n8n changes no subscription',
	async () => {
		const { b, n8n } = setup;
		const id = await setup.publish(setup.node({ events: PAIR }));
		const { ids } = setup;
		b.requests.length = 0;
		const eventsOf: unknown[] = [];
		for (const begin of ['restart', 'crash']) {
			const change = { id: begin, score: 1 };
			expect(await setup.deliver('feedback.removed', change)).toEqual([200]);
			eventsOf.push(begin);
			expect((await setup.runs(id)).map(idOf)).toEqual(eventsOf);
			if (begin === 'crash') await n8n.process.kill();
			await n8n.restart();
		}
		expect(b.requests).toEqual([]);
		expect(setup.ids).toEqual(ids);
		await n8n.deactivate(id);
		await setup.hasEvents([]);
	},
	240_000,
);

describe('listening for a test event while the workflow is published', () => {
	const listening = () => setup.node({ events: PAIR });
	// Without feedback, the service has no sample.
	beforeEach(() => void (setup.b.state.feedback.length = 0));
	const modes = async (id: string) => (await setup.runs(id)).map(({ mode }) => mode).sort();

	test('starts a test run and a production run, and keeps the production registration', async () => {
		const id = await setup.publish(listening());
		const { ids } = setup;
		await setup.n8n.listenForTest(id, 'Trigger');
		expect(setup.events).toEqual(times(2, PAIR));

		expect(await setup.happen()).toEqual([200, 200]);
		await until(
			() => setup.ids,
			(left) => left.length === ids.length,
		);
		expect(setup.ids).toEqual(ids);
		expect(await modes(id)).toEqual(['manual', 'webhook']);

		await setup.n8n.listenForTest(id, 'Trigger');
		await setup.n8n.stopListening(id);
		await until(
			() => setup.ids,
			(left) => left.length === ids.length,
		);
		await setup.happen();
		expect(setup.ids).toEqual(ids);
		expect(await modes(id)).toEqual(['manual', 'webhook', 'webhook']);
	});
});

test('listening shows the newest feedback at once as a sample without the token, and leaves no subscription', async () => {
	const event = 'feedback.added_or_changed';
	const newest = setup.b.answer({ email: 'ada@acme.example', campaignId: 101, score: 3 });
	const node = setup.node({ events: [event] });
	const id = await setup.n8n.createWorkflow(setup.workflow([node]));
	await setup.n8n.listenForTest(id, 'Trigger');
	// No event happens, so only the sample can end a run.
	const [run] = await until(
		async () => await setup.n8n.executions(id),
		(all) => all.some(({ status }) => status === 'success'),
	);
	expect(run?.mode).toBe('manual');
	const item = run?.items('Trigger')[0]?.json ?? {};
	expect(item).toMatchObject({ event, sample: true, data: { id: newest.id, score: 3 } });
	expect(item).not.toHaveProperty('issues');
	expect(item.data).not.toHaveProperty('href');
	expect(JSON.stringify(item)).not.toContain('token');
	await setup.hasEvents([]);
});

test('two trigger nodes in one workflow do not disturb each other', async () => {
	const one = setup.node({ events: PAIR }, { name: 'One' });
	const other = setup.node({ events: PAIR }, { name: 'Other' });
	const id = await setup.publish(one, other);
	expect(setup.events).toEqual(times(2, PAIR));
	expect(await setup.happen()).toEqual([200, 200]);
	const nodes = (await setup.runs(id, 2)).map(({ node }) => node).sort();
	expect(nodes).toEqual(['One', 'Other']);

	await setup.republish(id, other);
	await setup.hasEvents(PAIR);
	expect(await setup.happen()).toEqual([200]);
	expect((await setup.runs(id)).map(({ node }) => node).sort()).toEqual(['One', 'Other', 'Other']);
	await setup.n8n.deactivate(id);
	await setup.hasEvents([]);
});
