import axios from 'axios';

import { until } from '../../host/until.mts';
import { available } from '../support/queue/available.mts';
import { publishSends } from '../support/queue/bulkSends.mts';
import { Deliveries, trigger } from '../support/queue/deliveries.mts';
import { FAULTS, strike } from '../support/queue/faults.mts';
import { deliverTwice, WAYS } from '../support/queue/sameMoment.mts';
import { QueueSetup } from '../support/queue/queueSetup.mts';
import { randomFrom, SEED } from '../support/random.mts';

// A short `npm run scale`: n8n's queue mode with the parts and settings of compose.yaml. Skipped, with the reason, if
// PostgreSQL or Redis is unavailable.

/** Settings with which n8n notices a dead worker sooner than with compose.yaml's. */
const SOON = {
	QUEUE_WORKER_LOCK_DURATION: '5000',
	QUEUE_WORKER_LOCK_RENEW_TIME: '1500',
	QUEUE_WORKER_STALLED_INTERVAL: '3000',
};
const MINUTE_MS = 60_000;

const { found, why } = available();

(found ? describe : describe.skip)(`n8n in queue mode ${why}`, () => {
	let setup: QueueSetup;
	beforeAll(async () => {
		if (found) setup = await QueueSetup.open(found, SOON);
	}, 5 * MINUTE_MS);
	afterAll(async () => await setup?.close(), MINUTE_MS);

	const processorsThatTook = () =>
		['webhook-1', 'webhook-2'].filter((name) => setup.n8n.log(name).includes('Enqueued execution'));

	test(
		'one webhook registration serves all processes, and a restart of the main process adds none',
		async () => {
			const { hooks } = setup.sandbox.b.state;
			const id = await WAYS.bare(setup);
			const registered = hooks.map((hook) => hook.id);
			expect(registered).toHaveLength(1);
			await setup.n8n.restartMain();
			expect(hooks.map((hook) => hook.id)).toEqual(registered);

			const deliveries = new Deliveries(setup, 20);
			await deliveries.send(4);
			await setup.settled([id], MINUTE_MS);
			expect(deliveries.runs()).toEqual(Array(20).fill(1));
			expect(processorsThatTook()).toEqual(['webhook-1', 'webhook-2']);
			await setup.n8n.deactivate(id);
			await until(
				() => hooks.length,
				(count) => count === 0,
			);
		},
		3 * MINUTE_MS,
	);

	test(
		'of 1,000 random deliveries without a date over both webhook processors, all that pass the filter start a run',
		async () => {
			const node = trigger();
			const events = ['feedback.tags_added_or_changed'];
			const parameters = { events, filters: { maxScore: 6 } };
			const id = await setup.publish('Two processors', { ...node, parameters });
			const hook = setup.sandbox.b.state.hooks.at(-1);
			const { pathname, search } = new URL(String(hook?.target));
			const random = randomFrom(SEED);
			const pick = (count: number) => Math.floor(random() * count);
			const wrong: string[] = [];
			for (let i = 0; i < 1000; i++) {
				const [record, score, at] = [pick(5), [3, 5, 9][pick(3)] ?? 3, pick(2)];
				const data = { id: 9000 + record, score };
				const url = `${setup.n8n.webhookUrls[at]}${pathname}${search}`;
				const { data: response } = await axios.post(url, { hook, data });
				const isRun = response.message === 'Workflow was started';
				if (isRun !== score <= 6) {
					wrong.push(`${i}: ${record} has ${score} at ${at}: ${response.message}`);
				}
			}
			expect(wrong).toEqual([]);
			await setup.n8n.deactivate(id);
		},
		5 * MINUTE_MS,
	);

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
});
