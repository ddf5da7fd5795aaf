/** @jest-environment ./test/support/n8nEnvironment.mts */
import { sleep } from 'n8n-workflow';

import { host, sandbox, withHost } from '../support/n8n.mts';
import { randomFrom } from '../support/random.mts';
import { nameOf } from '../support/triggerItems';
import {
	DURABLE,
	NPS,
	answer,
	everySecond,
	newCustomer,
	runs,
	workflow,
} from './surveyATriggerSetup';

// Kills n8n at random for minutes. Runs with `npm run soak`, not with `npm test`.

const POLLS = 200;
const KILLS = 6;

/** The most milliseconds that n8n takes to store a poll and its run. Measured: 60. */
const STORING = 500;

/**
 * By default n8n stores the watermark some milliseconds before the run with its items. A kill in between loses the
 * items, and the node cannot prevent it. This test kills at any other moment.
 */
describe("with n8n's default settings", () => {
	withHost();

	test('random kills of n8n during 200 polls of Survey A lose and repeat no row', async () => {
		await pollAndKill(1, betweenPolls);
	}, 600_000);
});

/** With durable cursors n8n stores both in one transaction, so this test kills at any moment. */
describe('with durable cursors in n8n', () => {
	withHost(DURABLE);

	test('random kills of n8n during 200 polls of Survey A lose and repeat no row', async () => {
		await pollAndKill(2);
	}, 600_000);
});

/** Waits until n8n has stored a poll: until the next request, or until none came for a while. */
async function betweenPolls(): Promise<void> {
	const isStoring = () => {
		const last = sandbox.a.requests.at(-1);
		return last?.status !== undefined && Date.now() - last.at < STORING;
	};
	while (isStoring()) await sleep(1);
}

/** Returns the number of polls so far. Each starts with a request for the newest feedback. */
const polls = () =>
	sandbox.a.requests.filter(
		({ path, query }) => path === '/api/v2/feedback' && query.sort === '-createdDate',
	).length;

/**
 * Polls every second while rows come in, and kills n8n now and then. n8n shows an interrupted run as crashed and does
 * not repeat it, so this retries it.
 */
async function pollAndKill(workflows: number, killTime = async () => {}): Promise<void> {
	const { n8n } = host;
	const { a } = sandbox;
	const seed = Date.now() % 2147483648;
	const random = randomFrom(seed);
	const upTo = (count: number) => Math.floor(random() * count);
	a.settings.maxLimit = 100;
	a.faults.add({ times: Infinity, path: /v2/, kind: { delayMs: 60 } });
	const added: string[] = [];
	const addSome = () => {
		const shared = random() < 0.3 ? (a.state.feedback.at(-1)?.createdDate ?? undefined) : undefined;
		const count = upTo(random() < 0.06 ? 60 : 4);
		for (let i = 0; i < count; i++) added.push(answer(upTo(11), NPS, shared));
		if (random() < 0.4) added.push(newCustomer(shared));
	};

	const ids: string[] = [];
	for (let i = 0; i < workflows; i++) {
		const id = await n8n.createWorkflow(workflow({ pollTimes: everySecond() }));
		await n8n.activate(id);
		ids.push(id);
	}
	let kills = 0;
	while (polls() < POLLS || kills < KILLS) {
		addSome();
		await sleep(upTo(1000));
		if (polls() < ((kills + random()) * POLLS) / KILLS) continue;
		addSome();
		await killTime();
		await n8n.process.kill();
		kills++;
		addSome();
		await n8n.restart();
	}
	const enough = polls() + 4 * workflows;
	while (polls() < enough) await sleep(100);
	for (const id of ids) await n8n.deactivate(id);

	const expected = added.sort();
	let crashed = 0;
	for (const id of ids) {
		for (const run of await runs(id)) {
			if (run.status !== 'crashed') continue;
			crashed++;
			await n8n.post(`/executions/${run.id}/retry`, { loadWorkflow: false });
		}
		const good = (await runs(id)).filter(({ status }) => status === 'success');
		const came = good.flatMap((run) => run.items('Work').map(({ json }) => nameOf(json))).sort();
		const twice = came.filter((name, i) => name === came[i - 1]);
		const lost = expected.filter((name) => !came.includes(name));
		expect({ seed, twice, lost }).toEqual({ seed, twice: [], lost: [] });
		expect(came).toEqual(expected);
	}
	const figures = { seed, kills, polls: polls(), rows: expected.length, crashed };
	process.stdout.write(`${JSON.stringify(figures)}\n`);
}
