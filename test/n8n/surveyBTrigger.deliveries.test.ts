/** @jest-environment ./test/support/n8nEnvironment.mts */
import { z } from 'zod';

import { inLanes } from '../../host/inLanes.mts';
import { chain } from '../../host/index.mts';
import { until } from '../../host/until.mts';
import type { WorkflowNode } from '../support/n8n.mts';
import { fresh, TriggerSetup } from '../support/surveyBTriggerSetup';

// Deliveries to the trigger's webhook in a real n8n: many, repeated, routed, and forged.

let setup: TriggerSetup;
beforeAll(async () => void (setup = await TriggerSetup.open()), 180_000);
afterAll(async () => await setup?.close());
afterEach(async () => await setup.clear());

const ADDED = 'feedback.added_or_changed';
const REMOVED = 'feedback.removed';

/** Publishes a workflow that tags the feedback of each delivery, without storing executions. */
async function publishTagging(): Promise<string> {
	const tag: WorkflowNode = {
		name: 'Tag',
		type: 'n8n-nodes-surveys.surveyB',
		parameters: {
			resource: 'feedback',
			operation: 'addTag',
			feedbackId: '={{ $json.data.id }}',
			tagName: '={{ $json.data.comment }}',
			tagCategory: 'PASSIVE',
			options: {},
		},
		credentials: { surveyBApi: setup.host.credentials.surveyBApi },
	};
	const workflow = setup.workflow([setup.node({ events: [ADDED] })], {
		nodes: [tag],
		connections: chain('Trigger', 'Tag'),
		settings: { executionOrder: 'v1', saveDataSuccessExecution: 'none' },
	});
	const id = await setup.n8n.createWorkflow(workflow);
	await setup.n8n.activate(id);
	return id;
}

/** Returns the IDs of tagged feedback, once for each tag. */
function allTagged(): number[] {
	const paths = setup.b.requests.map(({ path }) => /feedback\/(\d+)\/tag\/$/.exec(path)?.[1]);
	return paths.flatMap((id) => (id === undefined ? [] : Number(id)));
}

/**
 * Returns the IDs of tagged feedback, sorted, once for each tag. Delivers one more change at the end and leaves it out:
 * when its run has ended and none is in progress, the earlier ones have ended too.
 */
async function tagged(id: string): Promise<number[]> {
	const [last] = setup.b.state.feedback;
	const before = allTagged().filter((one) => one === last?.id).length;
	await setup.deliver(ADDED, { ...last, comment: `Marker ${fresh()}` });
	await until(
		() => allTagged().filter((one) => one === last?.id).length,
		(count) => count > before,
		{ timeoutMs: 120_000 },
	);
	const filter = encodeURIComponent(JSON.stringify({ workflowId: id }));
	const path = `/executions?limit=10&filter=${filter}`;
	const listSchema = z.object({ results: z.array(z.unknown()) });
	const kept = async () => (await setup.n8n.get(path, listSchema)).results.length;
	await until(kept, (count) => count === 0);
	const others = allTagged().filter((one) => one !== last?.id);
	return others.sort((a, b) => a - b);
}

test('200 deliveries, 8 at a time, start 200 runs, and repeats among later ones start none', async () => {
	const { b } = setup;
	const id = await publishTagging();
	b.seedFeedback(200);
	const feedback = b.state.feedback.slice(-200).map((one) => ({ ...one, comment: 'New' }));
	const ids = feedback.map((one) => one.id);
	const tell = async (data: unknown) => await setup.deliver(ADDED, data);

	const answers = await inLanes(feedback, 8, tell);
	expect(answers).toEqual(Array(200).fill([200]));
	expect(await tagged(id)).toEqual(ids);

	// 20 changes, each delivered three times at once, mixed with repeats of 40 old ones.
	const changed = feedback.slice(-20).map((one) => ({ ...one, comment: 'Changed' }));
	const old = feedback.slice(-60, -20);
	const mix = old.flatMap((one, i) => (i % 2 ? [one] : [one, changed[i / 2]]));
	b.settings.deliveryRepeats = 3;
	const mixed = await inLanes(mix, 8, tell);
	expect(mixed).toEqual(Array(60).fill([200, 200, 200]));
	expect(await tagged(id)).toEqual([...ids, ...changed.map((one) => one.id)].sort((x, y) => x - y));
}, 180_000);

describe('forged and malformed deliveries', () => {
	const MEGABYTE = 1024 * 1024;

	test('start no run and get a status code that names the cause', async () => {
		const id = await setup.publish(setup.node({ events: [REMOVED] }));
		const other = await setup.publish(setup.node({ events: [REMOVED] }));
		const [hook, foreign] = setup.hooks;
		if (!hook || !foreign) throw new Error('Not subscribed');
		const { target, address, body } = hook;
		const large = 'x'.repeat(5 * MEGABYTE);
		const token = target.slice(address.length);

		// The target in a body has the token, too.
		const unproved = { ...body, hook: { ...body.hook, target: address } };
		const calls: Array<[number, string, unknown, string?]> = [
			[401, address, unproved],
			[401, foreign.target.replace(foreign.address, address), foreign.body],
			[401, `${address}?token=guess`, { ...unproved, data: { large } }],
			[400, target, { large }],
			[400, target, [body]],
			// The token is valid, but the workflow does not listen to the event.
			[200, target, { ...body, hook: { ...body.hook, event: 'tag.merged' } }],
			// n8n itself responds from here on.
			[500, target, { ...body, data: { large: large.repeat(4) } }],
			[422, target, Buffer.from('{"hook": ')],
			[404, target, body, 'GET'],
			[404, target, body, 'PUT'],
			[404, target, body, 'DELETE'],
			[404, `${address}/more${token}`, body],
		];
		const statuses = [];
		for (const [, url, given, method] of calls) {
			statuses.push(await setup.call(url, given, method));
		}
		expect(statuses).toEqual(calls.map(([status]) => status));
		expect(await setup.runs(id)).toEqual([]);
		expect(await setup.runs(other)).toEqual([]);

		expect(await setup.call(target, body)).toBe(200);
		expect(await setup.runs(id)).toHaveLength(1);
	});

	test('with another content type than JSON start no run', async () => {
		const id = await setup.publish(setup.node({ events: [REMOVED] }));
		const [{ target, body } = { target: '', body: {} }] = setup.hooks;
		const types = ['text/plain', 'application/octet-stream', 'application/xml', ''];
		for (const [i, type] of types.entries()) {
			// n8n itself rejects XML that it cannot parse.
			const status = type === 'application/xml' ? 422 : 400;
			const text = JSON.stringify({ ...body, data: { id: i, score: 2 } });
			expect([type, await setup.call(target, text, 'POST', type)]).toEqual([type, status]);
		}
		expect(await setup.runs(id)).toEqual([]);
	});

	test('differ from a valid delivery of 5 MB, which starts a run with unchanged data', async () => {
		const id = await setup.publish(setup.node({ events: [REMOVED] }));
		const comment = 'x'.repeat(5 * MEGABYTE);
		expect(await setup.deliver(REMOVED, { id: fresh(), score: 1, comment })).toEqual([200]);
		const [run] = await setup.runs(id);
		expect(run?.item).toMatchObject({ data: { comment } });
	});
});
