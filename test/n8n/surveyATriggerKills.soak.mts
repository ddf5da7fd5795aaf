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
} from './surveyATriggerStage';

// Takes minutes and kills at random: run by `npm run soak`, not by `npm test`.

const POLLS = 200;
const KILLS = 6;

/** How long n8n may take to store a poll and its run, in ms; 60 is the most that was seen. */
const STORING = 500;

/**
 * As it comes, n8n stores how far a poll came some milliseconds before the run that gets its items: a
 * kill between the two loses these items, whatever the node does. There every other moment is tried.
 */
describe('in an n8n as it comes', () => {
	withHost();

	test('a random kill of n8n during 200 polls of A loses and repeats nothing', async () => {
		await pollAndKill(1, betweenPolls);
	}, 600_000);
});

/** With durable cursors n8n stores both in one transaction, and any moment will do. */
describe('in an n8n with durable cursors', () => {
	withHost(DURABLE);

	test('a random kill of n8n during 200 polls of A loses and repeats nothing', async () => {
		await pollAndKill(2);
	}, 600_000);
});

/** Waits while n8n may be storing a poll: until the service is asked, or has not been for a while. */
async function betweenPolls(): Promise<void> {
	const isStoring = () => {
		const last = sandbox.a.requests.at(-1);
		return last?.status !== undefined && Date.now() - last.at < STORING;
	};
	while (isStoring()) await sleep(1);
}

/** The polls so far: each begins with the newest feedback. */
const polls = () =>
	sandbox.a.requests.filter(
		({ path, query }) => path === '/api/v2/feedback' && query.sort === '-createdDate',
	).length;

/**
 * Polls each second while rows come in, and kills n8n now and then. A run that was killed on its way is
 * not begun again by n8n, which shows it as crashed: it is retried here.
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
		await n8n.kill();
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
