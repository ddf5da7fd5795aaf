/** @jest-environment ./test/support/n8nEnvironment.mts */
import { isObject } from '../../nodes/shared/base/json';
import { until } from '../../host/until.mts';
import { EVENTS } from '../../sandbox';
import type { WorkflowNode } from '../support/n8n.mts';
import { fresh, idOf, TriggerSetup } from './surveyBTriggerSetup';

// The trigger's subscriptions over the life of a workflow in a real n8n.

let setup: TriggerSetup;
beforeAll(async () => void (setup = await TriggerSetup.open()), 180_000);
afterAll(async () => await setup?.close());
afterEach(async () => await setup.clear());

const PAIR = ['feedback.removed', 'tag.merged'];
const FIVE = [...PAIR, 'tag.removed', 'tag.renamed', 'feedback.status_changed'];
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
async function errorText(id: string, triggers = 1): Promise<string[]> {
	return (await setup.runs(id, triggers)).map(({ item }) => String(item.event)).sort();
}

function times(count: number, events: string[] = ALL): string[] {
	return events.flatMap((event) => Array<string>(count).fill(event)).sort();
}

test('nine events have one subscription each and one run a change, also after unpublishing and publishing', async () => {
	const id = await setup.publish(setup.node({ events: EVENTS }));
	await liveThroughAll();
	expect(await errorText(id)).toEqual(times(1));

	await setup.n8n.deactivate(id);
	expect(setup.events).toEqual([]);
	await liveThroughAll();

	await setup.n8n.activate(id);
	expect(setup.events).toEqual(ALL);
	await liveThroughAll();
	const runs = await setup.runs(id);
	expect(runs.map(({ item }) => String(item.event)).sort()).toEqual(times(2));
	expect(runs.filter(({ item }) => item.issues !== undefined)).toEqual([]);
	expect(setup.events).toEqual(ALL);
});

test.each([404, 405] as const)(
	'a workflow that is published three times in a row starts one run for each change if DELETE responds with %i',
	async (hookDeletion) => {
		setup.b.settings.hookDeletion = hookDeletion;
		const id = await setup.publish(setup.node({ events: EVENTS }));
		const orphans = setup.ids;
		for (const count of [1, 2, 3]) {
			if (count > 1) await setup.offAndOn(id);
			await liveThroughAll();
			expect(await errorText(id)).toEqual(times(count));
		}
		expect(setup.events).toEqual(times(3));
		expect(setup.b.deliveries.filter(({ status }) => status !== 200)).toEqual([]);
		for (const orphan of orphans) expect(setup.warnings.join()).toContain(` ${orphan} (`);
	},
);

test('an activation that fails at the third of five events leaves no webhook, or logs the IDs of those left', async () => {
	const { b, n8n } = setup;
	const [clean, stuck] = [setup.node({ events: FIVE }), setup.node({ events: FIVE })];
	const mine = ({ webhookId }: WorkflowNode) =>
		setup.hooks.filter(({ target }) => target.includes(`/${webhookId}/`));
	b.faults.add({
		method: 'POST',
		path: /hooks$/,
		when: ({ body }) => isObject(body) && body.event === FIVE[2],
		times: Infinity,
		kind: { status: 403, body: { detail: 'Forbidden' } },
	});
	b.faults.add({
		method: 'DELETE',
		when: ({ path }) => mine(stuck).some(({ id }) => path.endsWith(`/${id}`)),
		times: Infinity,
		kind: { status: 405, body: { detail: 'Method Not Allowed' } },
	});
	const workflows = [clean, stuck].map((node) => n8n.createWorkflow(setup.workflow([node])));
	const [cleanId = '', stuckId = ''] = await Promise.all(workflows);

	const activations = [cleanId, stuckId].map(async (id) => await n8n.activate(id));
	for (const activation of await Promise.allSettled(activations)) {
		expect(activation).toMatchObject({
			status: 'rejected',
			reason: {
				message: expect.stringContaining("Could not subscribe to 'tag.removed': Forbidden"),
			},
		});
	}

	expect(mine(clean)).toEqual([]);
	const left = mine(stuck);
	expect(left.length).toBeGreaterThan(0);
	for (const { id } of left) expect(setup.warnings.join()).toContain(` ${id} (`);

	b.faults.clear();
	await n8n.activate(cleanId);
	await n8n.activate(stuckId);
	expect(mine(clean)).toHaveLength(5);
	expect(mine(stuck)).toHaveLength(5 + left.length);
	expect(new Set(await setup.happen())).toEqual(new Set([200]));
	expect(await setup.runs(cleanId)).toHaveLength(1);
	expect(await setup.runs(stuckId)).toHaveLength(1);
});

test('a restart or crash of n8n changes no subscription, and repeats are still recognized', async () => {
	const { b, n8n } = setup;
	const id = await setup.publish(setup.node({ events: PAIR }));
	const { ids } = setup;
	b.requests.length = 0;
	const errorText: unknown[] = [];
	for (const begin of ['restart', 'crash']) {
		const change = { id: begin, score: 1 };
		expect(await setup.deliver('feedback.removed', change)).toEqual([200]);
		errorText.push(begin);
		expect((await setup.runs(id)).map(idOf)).toEqual(errorText);
		if (begin === 'crash') await n8n.kill();
		await n8n.restart();

		expect(await setup.deliver('feedback.removed', change)).toEqual([200]);
		expect((await setup.runs(id)).map(idOf)).toEqual(errorText);
	}
	expect(b.requests).toEqual([]);
	expect(setup.ids).toEqual(ids);
	await n8n.deactivate(id);
	expect(setup.ids).toEqual([]);
}, 240_000);

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

	test('starts one production run and one test run if no webhook can be deleted', async () => {
		setup.b.settings.hookDeletion = 405;
		const id = await setup.publish(listening());
		for (const round of [1, 2, 3]) {
			await setup.n8n.listenForTest(id, 'Trigger');
			const answers = await setup.happen();
			expect(answers.filter((status) => status !== 200)).toEqual([]);
			await until(
				() => setup.requests('DELETE'),
				(count) => count === round * PAIR.length,
			);
			expect(await modes(id)).toEqual([
				...Array(round).fill('manual'),
				...Array(round).fill('webhook'),
			]);
		}
	});
});

test('listening shows the newest feedback at once as a sample without the token, and leaves no subscription', async () => {
	const event = 'feedback.added_or_changed';
	const newest = setup.b.answer({ email: 'ada@acme.example', campaignId: 101, score: 3 });
	const node = setup.node({ events: [event] });
	const id = await setup.n8n.createWorkflow(setup.workflow([node]));
	const begun = Date.now();
	await setup.n8n.listenForTest(id, 'Trigger');
	const [run] = await until(
		async () => await setup.n8n.executions(id),
		(all) => all.some(({ status }) => status === 'success'),
	);
	expect(Date.now() - begun).toBeLessThan(5000);
	expect(run?.mode).toBe('manual');
	const item = run?.items('Trigger')[0]?.json ?? {};
	expect(item).toMatchObject({ event, sample: true, data: { id: newest.id, score: 3 } });
	expect(item).not.toHaveProperty('issues');
	expect(item.data).not.toHaveProperty('href');
	expect(JSON.stringify(item)).not.toContain('token');
	await until(
		() => setup.ids,
		(ids) => ids.length === 0,
	);
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
	expect(setup.events).toEqual([...PAIR].sort());
	expect(await setup.happen()).toEqual([200]);
	expect((await setup.runs(id)).map(({ node }) => node).sort()).toEqual(['One', 'Other', 'Other']);
	await setup.n8n.deactivate(id);
	expect(setup.events).toEqual([]);
});
