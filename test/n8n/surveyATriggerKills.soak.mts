import { sleep } from 'n8n-workflow';

import {
	DAY,
	NPS,
	answer,
	host,
	nameOf,
	newCustomer,
	noClock,
	poll,
	runs,
	sandbox,
	withHost,
	workflow,
} from './surveyATriggerStage';

// Takes minutes and kills at random: run by `npm run soak`, not by `npm test`.

/**
 * Kills at any moment need an n8n that stores how far a poll came together with the run that gets its
 * items. As it comes, n8n stores the one some milliseconds before the other, and a kill between the
 * two loses these items, whatever the node does. With durable cursors it stores both in one
 * transaction, and starts what was stored but not begun when it comes up again. A run that was killed
 * on its way is not begun again by itself: n8n shows it as crashed, and it is retried here.
 */
describe('in an n8n with durable cursors', () => {
	withHost({
		N8N_SCHEDULER_ENABLED: 'true',
		N8N_SCHEDULER_POLL_TRIGGERS_ENABLED: 'true',
		N8N_POLLER_DURABLE_CURSORS_ENABLED: 'true',
		// An activation that was killed is taken up again as soon as n8n is back, not after two minutes.
		N8N_WORKFLOW_PUBLICATION_OUTBOX_LEASE_SECONDS: '10',
		N8N_WORKFLOW_PUBLICATION_OUTBOX_POLL_INTERVAL_MS: '500',
	});

	const POLLS = 200;
	const KILLS = 5;

	/** Several poll at once: most of the time of an activation n8n waits. */
	const WORKFLOWS = 4;

	/** The polls so far: each begins with the newest feedback. */
	const polls = () =>
		sandbox.a.requests.filter(
			({ path, query }) => path === '/api/v2/feedback' && query.sort === '-createdDate',
		).length;

	test('a random kill of n8n during 200 polls of A loses and repeats nothing', async () => {
		const { n8n } = host;
		const { a } = sandbox;
		const seed = Date.now() % 2147483648;
		const random = randomFrom(seed);
		const upTo = (count: number) => Math.floor(random() * count);
		a.settings.maxLimit = 100;
		// In this mode n8n does not store the first poll when it has no items: so it has some.
		const startDate = new Date(Date.now() - DAY).toISOString();
		const added = [answer(0), newCustomer()];
		const ids: string[] = [];
		for (let i = 0; i < WORKFLOWS; i++) {
			ids.push(
				await n8n.createWorkflow(workflow({ options: { startDate }, pollTimes: noClock() })),
			);
		}
		// An activation fails when it is killed, or when n8n is too busy to end it within its lease.
		const pollAll = async () => await Promise.allSettled(ids.map(async (id) => await poll(id)));
		const addSome = () => {
			const shared = random() < 0.3 ? a.state.feedback.at(-1)?.createdDate : undefined;
			const moment = shared ?? undefined;
			const count = upTo(random() < 0.06 ? 60 : 4);
			for (let i = 0; i < count; i++) added.push(answer(upTo(11), NPS, moment));
			if (random() < 0.4) added.push(newCustomer(moment));
		};

		await pollAll();
		let kills = 0;
		while (polls() < POLLS || kills < KILLS) {
			addSome();
			if (polls() >= ((kills + random()) * POLLS) / KILLS) {
				const polling = pollAll();
				await sleep(upTo(2000));
				addSome();
				await n8n.kill();
				await polling;
				kills++;
				addSome();
				await n8n.restart();
			}
			await pollAll();
		}
		for (const id of ids) await poll(id);

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
		expect(crashed).toBeLessThanOrEqual(KILLS * WORKFLOWS);
		process.stdout
			.write(`${JSON.stringify({ seed, kills, polls: polls(), rows: expected.length, crashed })}
`);
	}, 420_000);
});

/** Numbers between 0 and 1, the same for the same seed. */
function randomFrom(seed: number): () => number {
	let state = seed;
	return () => {
		state = (state * 1103515245 + 12345) % 2147483648;
		return state / 2147483648;
	};
}
