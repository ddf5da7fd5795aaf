import axios from 'axios';

import { available } from '../support/queue/available.mts';
import { publishSends } from '../support/queue/bulkSends.mts';
import { trigger } from '../support/queue/deliveries.mts';
import { FAULTS, strike } from '../support/queue/faults.mts';
import { publishUnderDeliveries } from '../support/queue/publishes.mts';
import { QueueSetup } from '../support/queue/queueSetup.mts';
import { deliverTwice, WAYS } from '../support/queue/sameMoment.mts';
import { HAS_ALL_CASES, randomFrom, SEED, shareOf } from '../support/random.mts';
import { sayPastJest } from '../support/sayPastJest.mts';

// A short `npm run scale`: n8n's queue mode with the parts and settings of compose.yaml. Skipped, with the reason, if
// PostgreSQL or Redis is unavailable.

/** Settings with which n8n notices a dead worker sooner than with compose.yaml's. */
const SOON = {
	QUEUE_WORKER_LOCK_DURATION: '5000',
	QUEUE_WORKER_LOCK_RENEW_TIME: '1500',
	QUEUE_WORKER_STALLED_INTERVAL: '3000',
};
const MINUTE_MS = 60_000;

const RANDOM_DELIVERIES = HAS_ALL_CASES ? 1000 : 300;

/** The ways of publishing of n8n 2.41: it keeps the earlier one behind a variable. */
const WAYS_TO_PUBLISH = ['before 2.40', 'since 2.40'] as const;

/** They differ in the service's response to the removal of a webhook, too. */
const PUBLISHING = shareOf(
	WAYS_TO_PUBLISH.flatMap((way) =>
		([204, 404, 405] as const).map((deletion) => ({ way, deletion })),
	),
);

const { found, why } = available();
const chosen = WAYS_TO_PUBLISH.filter((way) => PUBLISHING.some((one) => one.way === way));

(found ? describe : describe.skip).each(chosen)(
	`n8n in queue mode, with its way of publishing %s ${why}`,
	(way) => {
		let setup: QueueSetup;
		beforeAll(async () => {
			const env = { ...SOON, N8N_USE_WORKFLOW_PUBLICATION_SERVICE: String(way !== 'before 2.40') };
			if (found) setup = await QueueSetup.open(found, env);
		}, 5 * MINUTE_MS);
		afterAll(async () => await setup?.close(), MINUTE_MS);

		const processorsThatTook = () =>
			['webhook-1', 'webhook-2'].filter((name) =>
				setup.n8n.log(name).includes('Enqueued execution'),
			);

		test.each(PUBLISHING.filter((one) => one.way === way))(
			'20 publishes under deliveries and restarts leave one webhook for each event, and each change runs once: %j',
			async ({ deletion }) => {
				const { responses, ...tally } = await publishUnderDeliveries(setup, deletion);
				sayPastJest(`Responses to deliveries around 20 publishes: ${JSON.stringify(responses)}`);
				expect(tally).toMatchObject({ wrong: [], addedByRestarts: [], toRemove: [] });
				expect(tally.live.map((name) => name.split(' ')[0])).toEqual(tally.selected);
				expect([...tally.live, ...tally.stays].sort()).toEqual(tally.atService);
				if (deletion === 204) expect(tally.stays).toEqual([]);
				expect(processorsThatTook()).toEqual(['webhook-1', 'webhook-2']);
			},
			10 * MINUTE_MS,
		);

		// The others do not depend on the way of publishing.
		if (way !== chosen[0]) return;

		test(
			'of random deliveries without a date over both webhook processors, all that pass the filter start a run',
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
				for (let i = 0; i < RANDOM_DELIVERIES; i++) {
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
	},
);
