/** @jest-environment ./test/support/n8nEnvironment.mts */
import { isObject } from '../../nodes/shared/base/json';
import { until } from '../../host/until.mts';
import { EVENTS } from '../../sandbox';
import type { WorkflowNode } from '../support/n8n.mts';
import { credentialOf } from '../support/n8n.mts';
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
	b.renameTag(101, tag, `${tag} renamed`);
	b.mergeTag(101, `${tag} renamed`, `${tag} merged`);
	b.removeTag(101, `${tag} merged`);
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

		const listener = await setup.n8n.listenForTest(id, 'Trigger');
		await listener.stop();
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

test('two triggers of one workflow start no run for a repeat after a restart of n8n', async () => {
	const nodes = ['One', 'Other'].map((name) => setup.node({ events: PAIR }, { name }));
	const id = await setup.publish(...nodes);
	const changes = Array.from({ length: 5 }, () => ({ id: fresh(), score: 3 }));
	for (const change of changes) await setup.deliver('feedback.removed', change);
	await setup.n8n.restart();
	for (const change of changes) {
		expect(await setup.deliver('feedback.removed', change)).toEqual([200, 200]);
	}
	expect(await setup.runs(id, 2)).toHaveLength(10);
}, 240_000);

test('publishing again removes no webhook that the service has just returned a second time', async () => {
	const { b, n8n } = setup;
	b.settings.equalWebhook = 'existing';
	const id = await setup.publish(setup.node({ events: PAIR }));
	b.faults.add({ method: 'DELETE', kind: 'reset-before', times: Infinity });
	await n8n.deactivate(id);
	b.faults.clear();
	// n8n knows the webhooks that stayed from its database only.
	await n8n.restart();
	await n8n.activate(id);
	expect(await setup.happen()).toEqual([200]);
	expect(await setup.runs(id)).toHaveLength(1);
}, 240_000);

describe.each([204, 405] as const)('if DELETE responds with %i', (hookDeletion) => {
	beforeEach(() => void (setup.b.settings.hookDeletion = hookDeletion));

	/** Checks the subscriptions of a workflow, including those that could not be removed. */
	const expectEvents = (now: string[], before: string[]) => {
		const all = hookDeletion === 204 ? now : [...before, ...now];
		expect(setup.events).toEqual([...all].sort());
	};

	test('publishing again at once creates a webhook that was removed by hand', async () => {
		const id = await setup.publish(setup.node({ events: PAIR }));
		setup.b.state.hooks.length = 0;
		await setup.offAndOn(id);
		expect(setup.events).toEqual(PAIR);
		expect(await setup.happen()).toEqual([200]);
		expect(await setup.runs(id)).toHaveLength(1);
	});

	test('a changed selection of events takes effect, with one run for each change', async () => {
		const node = setup.node({ events: PAIR });
		const id = await setup.publish(node);
		const events = ['feedback.removed', 'tag.renamed'];
		await setup.republish(id, { ...node, parameters: { ...node.parameters, events } });
		expectEvents(events, PAIR);
		for (const event of ['tag.merged', ...events]) await setup.happen(event);
		expect(await errorText(id)).toEqual(events);
	});

	test('a renamed node starts one run for each change', async () => {
		const node = setup.node({ events: PAIR });
		const id = await setup.publish(node);
		await setup.happen();
		await setup.republish(id, { ...node, name: 'Renamed' });
		expectEvents(PAIR, PAIR);
		await setup.happen();
		const runs = await setup.runs(id);
		expect(runs.map((run) => run.node)).toEqual(['Trigger', 'Renamed']);
	});
});

test('a duplicated workflow has its own subscriptions and keeps those of the original', async () => {
	const original = await setup.publish(setup.node({ events: PAIR }));
	const { ids } = setup;
	const { nodes } = await setup.n8n.workflow(original);

	// Duplicate it like the editor, then import the same file twice.
	const copy = await setup.publish(
		...nodes.map((node) => ({ ...node, webhookId: `hook-${fresh()}` })),
	);
	await expect(setup.publish(...nodes)).rejects.toThrow(/conflict/);
	expect(setup.events).toEqual(times(2, PAIR));
	expect(await setup.happen()).toEqual([200, 200]);
	expect(await setup.runs(original)).toHaveLength(1);
	expect(await setup.runs(copy)).toHaveLength(1);

	await setup.n8n.deleteWorkflow(copy);
	expect(setup.ids).toEqual(ids);
	expect(await setup.happen()).toEqual([200]);
	expect(await setup.runs(original)).toHaveLength(2);
});

describe('a rotated API key', () => {
	const KEY = 'another-example-key';

	/** Rotates the key at the service and in the credential. */
	const changeKey = async (key: string) => {
		const { id } = setup.host.credentials.surveyBApi;
		setup.b.apiKey = key;
		const data = { ...credentialOf(setup.b), apiKey: key };
		await setup.n8n.updateCredential(id, 'surveyBApi', 'Survey B', data);
	};
	let apiKey: string;
	beforeAll(() => void ({ apiKey } = setup.b));
	afterEach(async () => await changeKey(apiKey));

	test('does not end deliveries, and publishing again replaces the webhooks of the old key', async () => {
		const id = await setup.publish(setup.node({ events: PAIR }));
		const before = setup.ids;
		await changeKey(KEY);
		expect(await setup.happen()).toEqual([200]);
		await setup.offAndOn(id);
		expect(setup.requests('DELETE')).toBe(PAIR.length);
		expect(setup.ids).not.toEqual(expect.arrayContaining(before));
		expect(setup.events).toEqual([...PAIR].sort());
		expect(setup.warnings).toEqual([]);
		expect(await setup.happen()).toEqual([200]);
		expect(await setup.runs(id)).toHaveLength(2);
	});
});

test('the log has a line for each subscription, and the workflow contains no token', async () => {
	const id = await setup.publish(setup.node({ events: PAIR }));
	const { hooks } = setup;
	const stored = JSON.stringify(await setup.n8n.workflow(id));
	for (const { target, address } of hooks) {
		const token = target.slice(`${address}?token=`.length);
		expect(token).toHaveLength(43);
		expect(stored + setup.n8n.log()).not.toContain(token);
	}
	await setup.n8n.deactivate(id);
	for (const { id: webhook } of hooks) {
		expect(setup.n8n.log()).toMatch(new RegExp(`Webhook ${webhook} .* was created in Survey B`));
		expect(setup.n8n.log()).toMatch(new RegExp(`Webhook ${webhook} .* was removed from Survey B`));
	}
});

test('calls with an unknown token are logged once', async () => {
	await setup.publish(setup.node({ events: PAIR }));
	const [hook] = setup.hooks;
	if (!hook) throw new RangeError('Not subscribed');
	for (const guess of ['one', 'two']) {
		const target = `${hook.address}?token=${guess}`;
		const body = { ...hook.body, hook: { ...hook.body.hook, target } };
		expect(await setup.call(target, body)).toBe(401);
	}
	expect(setup.logged.split('with a token that this workflow does not know')).toHaveLength(2);
});

test('an n8n on a copy of the database removes no subscription of the original', async () => {
	const id = await setup.publish(setup.node({ events: PAIR }));
	const { ids } = setup;
	const copy = await setup.copy();
	try {
		await copy.deactivate(id);
		expect(setup.ids).toEqual(ids);
		expect(setup.requests('DELETE')).toBe(0);
		for (const original of ids) expect(copy.log()).toContain(`Webhook ${original} (`);
		expect(copy.log()).toContain('it calls n8n at another address');

		await copy.activate(id);
		expect(setup.events).toEqual(times(2, PAIR));
		await copy.deactivate(id);
		expect(setup.ids).toEqual(ids);
	} finally {
		await copy.stop();
	}
	expect(await setup.happen()).toEqual([200]);
	expect(await setup.runs(id)).toHaveLength(1);
}, 240_000);
