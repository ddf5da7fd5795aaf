import { sleep } from 'n8n-workflow';

import { testOfAll } from '../support/large.mts';
import { available } from '../support/queue/available.mts';
import { publishSends } from '../support/queue/bulkSends.mts';
import { Deliveries, tag, trigger } from '../support/queue/deliveries.mts';
import { FAULTS, strike } from '../support/queue/faults.mts';
import { QueueSetup } from '../support/queue/queueSetup.mts';
import { deliverTwice, WAYS } from '../support/queue/sameMoment.mts';

// A short `npm run scale`: n8n's queue mode with the parts and settings of compose.yaml. Skipped, with the reason, if
// PostgreSQL or Redis is unavailable.

/** Settings with which n8n notices a dead worker sooner than with compose.yaml's. */
const SOON = {
	QUEUE_WORKER_LOCK_DURATION: '5000',
	QUEUE_WORKER_LOCK_RENEW_TIME: '1500',
	QUEUE_WORKER_STALLED_INTERVAL: '3000',
};
const MINUTE_MS = 60_000;

/** Longer than the trigger waits after an unpublish before it removes webhooks. */
const REMOVAL_MS = 15_000;

const CHANGED = 'feedback.added_or_changed';

const { found, why } = available();

(found ? describe : describe.skip)(`n8n in queue mode ${why}`.trim(), () => {
	let setup: QueueSetup;
	beforeAll(async () => {
		if (found) setup = await QueueSetup.open(found, SOON);
	}, 5 * MINUTE_MS);
	afterAll(async () => await setup?.close(), MINUTE_MS);

	test(
		'after a worker is killed, nothing is lost or done twice, and interrupted runs show as failed and can be retried',
		async () => {
			const work = { deliveries: await WAYS.bare(setup), sends: await publishSends(setup) };
			const counts = { changes: 120, sends: 2, rows: 300 };
			const { deliveries, retried, sends, retriedSends, stuck } = await strike(
				setup,
				work,
				FAULTS.worker,
				counts,
				0,
			);
			expect(stuck).toBe(0);
			expect(deliveries).toMatchObject({ sent: 120, answered: 120, double: 0, lost: 0 });
			expect(deliveries.retryable).toBe(deliveries.failed);
			expect(retried).toMatchObject({ ran: 120, double: 0 });
			expect(sends).toMatchObject({ answered: 2, double: 0, lost: 0 });
			expect(sends.ran + sends.cutOff).toBe(600);
			expect(retriedSends).toMatchObject({ ran: 600, double: 0 });
			await setup.n8n.deactivate(work.deliveries);
		},
		5 * MINUTE_MS,
	);

	test(
		'a change delivered to both webhook processors at once runs once if the workflow claims its deliveryId',
		async () => {
			const twice = await deliverTwice(setup, 'Claimed', WAYS.claim, 20);
			expect(twice).toMatchObject({ toOne: 0, toBoth: 0 });
		},
		3 * MINUTE_MS,
	);

	/** Delivers changes until some work is done. Returns how many started no run, and how many several. */
	async function changesDuring(id: string, work: Promise<unknown>) {
		let isDone = false;
		const end = work.finally(() => (isDone = true));
		const sent: Deliveries[] = [];
		while (!isDone) {
			const changes = new Deliveries(setup, 3);
			sent.push(changes);
			await changes.send(3);
			await sleep(200);
		}
		await end;
		return await outcome(id, ...sent);
	}

	async function outcome(id: string, ...sent: Deliveries[]) {
		await setup.settled([id], MINUTE_MS);
		const runs = sent.flatMap((changes) => changes.runs());
		return {
			lost: runs.filter((count) => count === 0).length,
			double: runs.filter((count) => count > 1).length,
		};
	}

	const ONCE = { lost: 0, double: 0 };
	const ANY = { lost: 0, double: expect.any(Number) };

	for (const deletion of [204, 404, 405] as const) {
		testOfAll(
			`a change runs once through edits, a restart and unpublishing, where a removal of a webhook gets a ${deletion}, unless two processes get it`,
			async () => {
				const { n8n, sandbox } = setup;
				const { state, settings } = sandbox.b;
				state.hooks.length = 0;
				settings.hookDeletion = deletion;
				const id = await setup.publish('Edited', trigger(), tag());
				const edit = async (event: string) => {
					const workflow = await n8n.workflow(id);
					const [node] = workflow.nodes;
					Object.assign(node?.parameters ?? {}, { events: [CHANGED, event] });
					await n8n.updateWorkflow(id, workflow);
					await n8n.activate(id);
				};
				for (const event of ['tag.merged', 'tag.renamed']) {
					expect(await changesDuring(id, edit(event))).toEqual(ONCE);
				}
				const restarted = n8n.restart('main').then(async () => await edit('tag.merged'));
				// For a moment there are two webhooks of an event: the new one, and the old one that is removed next.
				const expected = deletion === 204 ? ANY : ONCE;
				expect(await changesDuring(id, restarted)).toEqual(expected);

				const { length } = state.hooks;
				expect(length).toBe(deletion === 204 ? 2 : 3);
				await n8n.deactivate(id);
				await sleep(REMOVAL_MS);
				expect(state.hooks).toHaveLength(deletion === 204 ? 0 : 3);
				await n8n.activate(id);
				expect(await changesDuring(id, sleep(1000))).toEqual(ONCE);
				expect(state.hooks).toHaveLength(length);

				const toEach = async (...urls: string[]) => {
					const changes = new Deliveries(setup, 10);
					await changes.sendToAll(urls);
					return await outcome(id, changes);
				};
				const [one = '', other = ''] = n8n.webhookUrls;
				expect(await toEach(one, one)).toEqual(ONCE);
				expect(await toEach(one, other)).toEqual(ANY);
				await n8n.deactivate(id);
			},
			3 * MINUTE_MS,
		);
	}
});
