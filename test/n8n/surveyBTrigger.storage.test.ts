import axios from 'axios';
import { sleep } from 'n8n-workflow';

import { lockDatabase } from '../support/database.mts';
import { fresh, inLanes, TriggerStage, until } from './surveyBTriggerStage';
import type { WorkflowNode } from '../support/n8n.mts';
import type { Subscribed } from './surveyBTriggerStage';

// What a 200 means, in a real n8n: the run is stored. Whatever is not stored is answered with an error,
// remembered nowhere, and starts its run when the service sends it again.

let stage: TriggerStage;
beforeAll(async () => void (stage = await TriggerStage.open()), 180_000);
afterAll(async () => await stage?.close());
afterEach(async () => await stage.clear());

const REMOVED = 'feedback.removed';

/** How long n8n may keep what it answered from its database, in ms. */
const SHARED_WRITE = 250;

/** Publishes a workflow whose every run asks the service once for the feedback that it is told of. */
async function publish(): Promise<{ id: string; hook: Subscribed }> {
	const ask: WorkflowNode = {
		name: 'Ask',
		type: 'n8n-nodes-surveys.surveyB',
		parameters: { resource: 'feedback', operation: 'get', feedbackId: '={{ $json.data.id }}' },
		credentials: { surveyBApi: stage.host.credentials.surveyBApi },
		onError: 'continueRegularOutput',
	};
	const workflow = stage.workflow([stage.node({ events: [REMOVED] })], {
		nodes: [ask],
		connections: { Trigger: { main: [[{ node: 'Ask', type: 'main', index: 0 }]] } },
	});
	const id = await stage.n8n.createWorkflow(workflow);
	await stage.n8n.activate(id);
	const [hook] = stage.hooks;
	if (!hook) throw new RangeError('Not subscribed');
	return { id, hook };
}

/** How many runs of a workflow n8n's database knows, whatever became of them. */
async function storedRuns(id: string, more: object = {}): Promise<number> {
	const filter = encodeURIComponent(JSON.stringify({ workflowId: id, ...more }));
	const { count } = await stage.n8n.get<{ count: number }>(`/executions?limit=1&filter=${filter}`);
	return count;
}

/** How many of them did not come to a good end, for all that n8n knows. */
async function failedRuns(id: string): Promise<number> {
	return await storedRuns(id, { status: ['error', 'crashed', 'running', 'new', 'unknown'] });
}

/** What runs asked the service for, in order, once there are so many. */
async function asked(count: number): Promise<number[]> {
	const read = () => {
		const paths = stage.b.requests.map(({ path }) => /feedback\/(\d+)\/$/.exec(path)?.[1]);
		return paths.flatMap((id) => (id === undefined ? [] : Number(id))).sort((a, b) => a - b);
	};
	return await until(read, ({ length }) => length >= count, 60_000);
}

/** Delivers a change once; gives the status, or undefined where nothing was answered in time. */
async function deliver({ target, body }: Subscribed, id: number, timeout: number) {
	const given = { ...body, data: { id, score: 2 } };
	const answer = axios.post(target, given, { timeout, validateStatus: () => true });
	return await answer.then(
		({ status }) => status,
		() => undefined,
	);
}

test.each([1, 2, 3])(
	'n8n is killed right after the last 200, round %i: every run is stored, hardly one comes twice',
	async () => {
		const { id, hook } = await publish();
		const changes = Array.from({ length: 300 }, fresh);
		const deliverAll = async () => {
			const answered: number[] = [];
			const statuses = await inLanes(changes, 8, async (change) => {
				const status = await deliver(hook, change, 60_000);
				answered.push(Date.now());
				return status;
			});
			expect(new Set(statuses)).toEqual(new Set([200]));
			return answered;
		};
		const answered = await deliverAll();
		const killed = Date.now();
		await stage.n8n.kill();
		const late = answered.filter((at) => killed - at < SHARED_WRITE).length;

		await stage.n8n.restart();
		expect(await storedRuns(id)).toBe(300);
		await deliverAll();
		expect((await storedRuns(id)) - 300).toBeLessThanOrEqual(late);
	},
	240_000,
);

test('the database is locked in the middle of a burst: what is sent again until its 200 runs once', async () => {
	const { id, hook } = await publish();
	const changes = Array.from({ length: 40 }, fresh);
	const refused: Array<number | undefined> = [];
	let unlock: (() => void) | undefined;
	const work = inLanes(changes, 8, async (change) => {
		if (change === changes[15]) unlock = lockDatabase(stage.host.userFolder);
		for (;;) {
			const status = await deliver(hook, change, 30_000);
			if (status === 200) return;
			refused.push(status);
			await sleep(500);
		}
	});
	await sleep(25_000);
	unlock?.();
	await work;

	expect(refused.length).toBeGreaterThan(0);
	expect(refused.filter((status) => status === undefined || status < 500)).toEqual([]);
	// A run that was stored and fails for the database stands in n8n as such: nothing is lost, nothing runs twice.
	const ran = await asked(changes.length - (await failedRuns(id)));
	expect(new Set(ran).size).toBe(ran.length);
}, 180_000);

test('a repeat waits for the outcome of the first, also where the sender of the first hung up', async () => {
	const { id, hook } = await publish();
	const changes = [fresh(), fresh()];
	const unlock = lockDatabase(stage.host.userFolder);
	const hungUp = changes.map(async (change) => await deliver(hook, change, 300));
	await sleep(100);
	const duplicates = changes.map(async (change) => {
		for (;;) {
			const status = await deliver(hook, change, 60_000);
			if (status === 200) return;
			expect(status).toBeGreaterThanOrEqual(500);
			await sleep(100);
		}
	});
	expect(await Promise.all(hungUp)).toEqual([undefined, undefined]);
	unlock();
	await Promise.all(duplicates);
	expect(await asked(2)).toEqual(changes);
	expect(await storedRuns(id)).toBeGreaterThanOrEqual(2);
}, 120_000);
