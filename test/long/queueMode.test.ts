import { available } from '../support/queue/available.mts';
import { publishSends } from '../support/queue/bulkSends.mts';
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
});
