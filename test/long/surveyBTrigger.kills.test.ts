import { sleep } from 'n8n-workflow';
import { z } from 'zod';

import { inLanes } from '../../host/inLanes.mts';
import { until } from '../../host/until.mts';
import type { Fault } from '../../sandbox/core/faults';
import type { RecordedRequest } from '../../sandbox/core/requestLog';
import { expireLeases } from '../support/expireLeases.mts';
import type { WorkflowNode } from '../support/n8n.mts';
import { shareOf } from '../support/random.mts';
import { fresh, TriggerSetup } from '../support/surveyBTriggerSetup';

// n8n is killed during the publish of an edit that adds one event and takes one off, at both ends of each of its requests, and
// before an unpublish has removed its webhooks. Each kill hits one workflow at each of these points.

const [KEPT, ADDED, TAKEN_OFF] = ['feedback.removed', 'tag.renamed', 'tag.merged'] as const;
const EVENTS = [KEPT, ADDED, TAKEN_OFF];
const BEFORE = [KEPT, TAKEN_OFF];
const AFTER = [KEPT, ADDED];

/** How long after the last responses n8n is killed, in ms. */
const DELAYS = [0, 3, 10, 30, 100];

/** n8n publishes all of them at the same time. */
const ENV = { N8N_WORKFLOW_PUBLICATION_CONCURRENCY: '10' };

const MINUTE_MS = 60_000;

/** A request of the publish, and how far it comes before n8n is killed. */
interface Stop {
	method: 'POST' | 'DELETE';
	at: 'held' | 'carried out' | 'responded';
}

/** Where n8n is killed: at a request, some ms after the publish began, or before an unpublish has removed the webhooks. */
type Point = Stop | 'begun' | 'unpublished';

const POINTS: Point[] = [
	...(['POST', 'DELETE'] as const).flatMap((method) =>
		(['held', 'carried out', 'responded'] as const).map((at) => ({ method, at })),
	),
	'begun',
	'unpublished',
];

/** A workflow of one trigger. */
interface Flow {
	point: Point;
	node: WorkflowNode;
	id: string;
	/** The events that are published. */
	events: readonly string[];
}

/** The number of webhooks of each event. */
type Numbers = Record<string, number>;

const statusSchema = z.object({ status: z.string() });
const activeSchema = z.object({
	activeVersion: z.object({ nodes: z.array(z.unknown()) }).nullable(),
});

let setup: TriggerSetup;
beforeAll(async () => void (setup = await TriggerSetup.open(ENV)), 180_000);
afterAll(async () => await setup?.close());
afterEach(async () => await setup.clear());

/** Returns an edited trigger. */
function nodeOf({ node }: Flow, events: readonly string[], options = {}): WorkflowNode {
	return { ...node, parameters: { ...node.parameters, events, options } };
}

async function publish(point: Point): Promise<Flow> {
	const node = setup.node({ events: BEFORE });
	return { point, node, id: await setup.publish(node), events: BEFORE };
}

/** Returns the events of a workflow's webhooks at the service, sorted. */
function webhooksOf({ node }: Flow): string[] {
	const own = setup.b.state.hooks.filter(({ target }) => isOf(node, target));
	return own.map(({ event }) => String(event)).sort();
}

function isOf({ webhookId }: WorkflowNode, target: unknown): boolean {
	return String(target).includes(`/${webhookId}/`);
}

/** Returns the condition of the request at which the publish of a workflow is stopped. */
function requestOf({ node }: Flow, method: string): (request: RecordedRequest) => boolean {
	const own = setup.b.state.hooks.filter(({ target }) => isOf(node, target));
	const { id } = own.find(({ event }) => event === TAKEN_OFF) ?? {};
	return (request) =>
		request.method === method &&
		(method === 'POST'
			? isOf(node, Object(request.body).target)
			: request.path.endsWith(`/hooks/${id}`) || request.path.endsWith(`/hooks/${id}/`));
}

/** Begins to publish the edit of each workflow, and kills n8n when all of them have come to their points. */
async function killAtThem(flows: Flow[], delay: number): Promise<void> {
	const { b, n8n } = setup;
	let release = () => {};
	const released = new Promise<void>((resolve) => (release = resolve));
	const kinds: Record<Stop['at'], Fault['kind']> = {
		held: { until: new Promise<void>(() => {}) },
		'carried out': 'hang',
		responded: { until: released },
	};
	const arrivals: Array<(request: RecordedRequest) => boolean> = [];
	b.requests.length = 0;
	const ignoreKill = () => undefined;
	for (const flow of flows) {
		const { id, point } = flow;
		await n8n.updateWorkflow(id, setup.workflow([nodeOf(flow, AFTER)]));
		if (typeof point === 'string') continue;
		const when = requestOf(flow, point.method);
		b.faults.add({ when, kind: kinds[point.at] });
		arrivals.push(when);
	}
	const idsAt = (isWanted: (point: Point) => boolean) =>
		flows.filter(({ point }) => isWanted(point)).map(({ id }) => id);
	for (const id of idsAt((point) => point === 'unpublished')) await n8n.deactivate(id);
	// At once, because the trigger waits eight seconds for a response.
	for (const id of idsAt((point) => typeof point !== 'string')) {
		void n8n.activate(id).catch(ignoreKill);
	}
	await until(
		() => arrivals.filter((when) => b.requests.some(when)).length,
		(count) => count === arrivals.length,
		{ what: 'The number of requests that were stopped' },
	);
	for (const id of idsAt((point) => point === 'begun')) void n8n.activate(id).catch(ignoreKill);
	release();
	await sleep(delay);
	await n8n.process.kill();
	b.faults.clear();
	expireLeases(setup.host.userFolder);
}

/** Waits until n8n has ended what it had begun. Returns its statuses. */
async function statuses(flows: Flow[]): Promise<string[]> {
	const read = async () =>
		await Promise.all(
			flows.map(async ({ id }) => {
				const path = `/workflows/${id}/publication-status`;
				return (await setup.n8n.get(path, statusSchema)).status;
			}),
		);
	return await until(read, (all) => !all.includes('in_progress'), { timeoutMs: MINUTE_MS });
}

/** Returns the events that n8n has published of a workflow. */
async function published({ id }: Flow): Promise<readonly string[]> {
	const { activeVersion } = await setup.n8n.get(`/workflows/${id}`, activeSchema);
	if (!activeVersion) return [];
	return JSON.stringify(activeVersion.nodes).includes(ADDED) ? AFTER : BEFORE;
}

/** Something of each event happens. Returns the events of the runs of each workflow, sorted. */
async function runsOf(flows: Flow[]): Promise<string[][]> {
	const change = fresh();
	for (const event of EVENTS) await setup.deliver(event, { id: `${event} ${change}`, change });
	const read = async ({ id }: Flow) => {
		const items = (await setup.n8n.executions(id)).map((one) => one.items('Trigger')[0]?.json);
		const own = items.filter((item) => Object(item?.data).change === change);
		return own.map((item) => String(item?.event)).sort();
	};
	return await inLanes(flows, 4, async (flow) => {
		const isComplete = (events: string[]) => events.length >= flow.events.length;
		const limit = { timeoutMs: 20_000 };
		await until(async () => await read(flow), isComplete, limit).catch(() => undefined);
		return await read(flow);
	});
}

/**
 * Returns whether an event has one webhook. One that was created before n8n was killed may be there, too: n8n has not saved its
 * ID, and the contract shows no list of webhooks.
 */
function hasEnough(event: string, now: Numbers = {}, killed: Numbers = {}): boolean {
	const count = now[event] ?? 0;
	return count === 1 || (count === 2 && event === ADDED && killed[event] === 1);
}

function nameOf(point: Point): string {
	return typeof point === 'string' ? point : `${point.method} ${point.at}`;
}

/** Returns the number of webhooks of each event. */
function numbersOf(flow: Flow): Numbers {
	const numbers = EVENTS.map((event) => webhooksOf(flow).filter((one) => one === event).length);
	return Object.fromEntries(EVENTS.map((event, i) => [event, numbers[i] ?? 0]));
}

test.each(shareOf(DELAYS))(
	'n8n killed at any point of a publish, %i ms after the last responses, has a webhook for each event after its restart, and runs each change once',
	async (delay) => {
		const flows = await inLanes(POINTS, 4, publish);
		await killAtThem(flows, delay);
		const killed = flows.map(numbersOf);
		await setup.n8n.restart();
		const ended = await statuses(flows);
		for (const flow of flows) flow.events = await published(flow);
		const restarted = flows.map(numbersOf);
		const runs = await runsOf(flows);
		const wrong = flows.flatMap(({ point, events }, i) => {
			const status = events.length > 0 ? 'published' : 'not_published';
			const isRight =
				ended[i] === status &&
				runs[i]?.join() === [...events].sort().join() &&
				events.every((event) => hasEnough(event, restarted[i], killed[i]));
			const seen = { killed: killed[i], status: ended[i], restarted: restarted[i], ran: runs[i] };
			return isRight ? [] : [[nameOf(point), seen]];
		});
		expect(wrong).toEqual([]);

		await inLanes(flows, 4, async (flow) => {
			await setup.republish(flow.id, nodeOf(flow, AFTER, { ignoreRepeats: true }));
			flow.events = AFTER;
		});
		const isPublished = (flow: Flow, i: number) =>
			numbersOf(flow)[TAKEN_OFF] === 0 &&
			AFTER.every((event) => hasEnough(event, numbersOf(flow), killed[i]));
		await until(
			() => flows.filter((flow, i) => !isPublished(flow, i)).map(webhooksOf),
			(others) => others.length === 0,
			{ what: 'The webhooks after another publish' },
		);
		expect(await runsOf(flows)).toEqual(flows.map(() => [...AFTER].sort()));
	},
	8 * MINUTE_MS,
);
