import axios from 'axios';
import { sleep } from 'n8n-workflow';

import { lockDatabase } from '../support/database.mts';
import { fresh, inLanes, TriggerStage, until } from './surveyBTriggerStage';
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

async function publish(): Promise<{ id: string; hook: Subscribed }> {
	const id = await stage.publish(stage.node({ events: [REMOVED] }));
	const [hook] = stage.hooks;
	if (!hook) throw new RangeError('Not subscribed');
	return { id, hook };
}

/** How many runs of a workflow n8n's database knows, whatever became of them. */
async function storedRuns(id: string): Promise<number> {
	const filter = encodeURIComponent(JSON.stringify({ workflowId: id }));
	const { count } = await stage.n8n.get<{ count: number }>(`/executions?limit=1&filter=${filter}`);
	return count;
}

/**
 * What a workflow's runs were about, in order, once there are so many. An execution that n8n wrote down
 * and could not begin has no items: it ran nothing, and was not answered 200.
 */
async function told(id: string, count: number): Promise<number[]> {
	const read = async () => {
		const items = (await stage.n8n.executions(id)).flatMap((run) => run.items('Trigger'));
		return items.map(({ json }) => Number(Object(json.data).id)).sort((a, b) => a - b);
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

test('n8n is killed right after the last 200, three times: every run is stored, hardly one comes twice', async () => {
	for (let round = 0; round < 3; round++) {
		const { id, hook } = await publish();
		const changes = Array.from({ length: 300 }, fresh);
		const answered: number[] = [];
		const statuses = await inLanes(changes, 8, async (change) => {
			const status = await deliver(hook, change, 60_000);
			answered.push(Date.now());
			return status;
		});
		const killed = Date.now();
		await stage.n8n.kill();
		expect(new Set(statuses)).toEqual(new Set([200]));

		await stage.n8n.restart();
		expect(await storedRuns(id)).toBe(300);
		const again = await inLanes(changes, 8, async (change) => await deliver(hook, change, 60_000));
		expect(new Set(again)).toEqual(new Set([200]));
		const late = answered.filter((at) => killed - at < SHARED_WRITE).length;
		expect((await storedRuns(id)) - 300).toBeLessThanOrEqual(late);
		await stage.clear();
	}
}, 400_000);

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
	expect(await told(id, changes.length)).toEqual(changes);
}, 180_000);

test('a repeat waits for the outcome of the first, also where the sender of the first hung up', async () => {
	const { id, hook } = await publish();
	const changes = [fresh(), fresh()];
	const unlock = lockDatabase(stage.host.userFolder);
	const hungUp = changes.map(async (change) => await deliver(hook, change, 300));
	await sleep(100);
	const repeats = changes.map(async (change) => {
		for (;;) {
			const status = await deliver(hook, change, 60_000);
			if (status === 200) return;
			expect(status).toBeGreaterThanOrEqual(500);
			await sleep(100);
		}
	});
	expect(await Promise.all(hungUp)).toEqual([undefined, undefined]);
	unlock();
	await Promise.all(repeats);
	expect(await told(id, 2)).toEqual(changes);
}, 120_000);
