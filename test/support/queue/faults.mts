import { setTimeout as sleep } from 'node:timers/promises';

import { until } from '../../../host/until.mts';
import type { QueueMode } from '../../../host/queue/queueMode.mts';
import { BulkSends, type SendTally } from './bulkSends.mts';
import { Deliveries, type DeliveryTally } from './deliveries.mts';
import type { QueueSetup } from './queueSetup.mts';

/** A fault in the middle of the work that ends after a moment. */
export interface Fault {
	name: string;
	strike(n8n: QueueMode): Promise<void>;
}

/** The published workflows that run during a fault. */
interface Work {
	deliveries: string;
	sends: Record<'a' | 'b', string>;
}

export interface Counts {
	changes: number;
	sends: number;
	/** Rows of each send. */
	rows: number;
}

/** The outcome after all executions ended, and after the failed ones were retried. */
export interface Outcome {
	fault: string;
	deliveries: DeliveryTally;
	retried: DeliveryTally;
	sends: SendTally;
	retriedSends: SendTally;
	/** Executions that had not ended within the time limit. */
	stuck: number;
	/** Processes that crashed and were started again. */
	restarted: string[];
	seconds: number;
}

const DOWN_MS = 2_000;
/** The milliseconds after which the example lets another run claim a change. */
const CLAIM_MS = 61_000;
const SETTLE_MS = 240_000;
const LANES = 16;
const REACH_MS = 600_000;

const killed = (name: string, part: string): Fault => ({
	name,
	strike: async (n8n) => {
		await n8n.kill(part);
		await sleep(DOWN_MS);
		await n8n.revive(part);
	},
});

export const FAULTS = {
	none: { name: 'None', strike: async () => {} },
	worker: killed('A worker is killed', 'worker-1'),
	webhook: killed('A webhook processor is killed', 'webhook-1'),
	redis: {
		name: 'Redis is killed',
		strike: async ({ redis }) => {
			await redis.kill();
			await sleep(DOWN_MS);
			await redis.start();
		},
	},
	emptyRedis: {
		name: 'Redis is killed and has written nothing',
		strike: async ({ redis }) => {
			await redis.kill();
			redis.forget();
			await redis.start();
		},
	},
	postgres: {
		name: 'PostgreSQL is restarted, without waiting for anything',
		strike: async ({ postgres }) => await postgres.restart(),
	},
	main: {
		name: 'The main process is restarted',
		strike: async (n8n) => await n8n.restart('main'),
	},
} satisfies Record<string, Fault>;

/**
 * Causes a fault in the middle of deliveries and bulk sends; returns the outcome of each.
 *
 * @param retryAfterMs the wait between the fault and the retry of failed executions
 */
export async function strike(
	setup: QueueSetup,
	work: Work,
	fault: Fault,
	{ changes, sends, rows }: Counts,
	retryAfterMs = CLAIM_MS,
): Promise<Outcome> {
	const began = Date.now();
	const known = setup.n8n.restarted.length;
	const since = await setup.lastExecution();
	const deliveries = new Deliveries(setup, changes);
	const bulk = new BulkSends(setup, sends, rows);
	// Start the sends first: behind the deliveries they would wait until the fault is over.
	const starting = bulk.start();
	await reached('A row surveyed', () => bulk.count > 0);
	const sending = deliveries.send(LANES);
	await reached('A third of the deliveries', () => deliveries.answered >= changes * 0.3);
	await fault.strike(setup.n8n);
	const struck = Date.now();
	const [answered] = await Promise.all([starting, sending]);

	const ids = [work.deliveries, work.sends.a, work.sends.b];
	const stuck = await setup.settled(ids, SETTLE_MS);
	const failed = await setup.failed([work.deliveries], since);
	const failedSends = await setup.failed([work.sends.a, work.sends.b], since);
	const outcome = {
		fault: fault.name,
		deliveries: deliveries.tally(failed),
		sends: bulk.tally(answered, failedSends),
		stuck,
	};

	const toRetry = [...deliveries.toRetry(failed), ...failedSends];
	if (toRetry.length > 0) await sleep(Math.max(0, struck + retryAfterMs - Date.now()));
	await setup.retryAll(toRetry);
	await setup.settled(ids, SETTLE_MS);
	return {
		...outcome,
		retried: deliveries.tally(failed),
		retriedSends: bulk.tally(answered, failedSends),
		restarted: setup.n8n.restarted.slice(known),
		seconds: (Date.now() - began) / 1000,
	};
}

async function reached(what: string, isSo: () => boolean) {
	await until(isSo, Boolean, { what, timeoutMs: REACH_MS });
}
