import { BulkSends } from './bulkSends.mts';
import { Deliveries } from './deliveries.mts';
import type { Work } from './faults.mts';
import type { QueueSetup } from './queueSetup.mts';

/** The cost of work for each kind of process and the storage, without faults. */
export interface Figures {
	deliveries: number;
	/** Deliveries a second until all had a response. */
	answeredPerSecond: number;
	ranPerSecond: number;
	/** Milliseconds of CPU time for a delivery, by kind of process. */
	perDelivery: Record<string, number>;
	/** Bytes that n8n stores for a delivery. */
	bytes: number;
	rows: number;
	/** Milliseconds of a worker's CPU time for a surveyed row, by service. */
	perRow: Record<'a' | 'b', number>;
}

const WARM_UP = 200;
const LANES = 16;
const SETTLE_MS = 240_000;

const SIZE = `select pg_total_relation_size('execution_entity') + pg_total_relation_size('execution_data')`;

/** @param work its workflow for deliveries has the trigger and one action */
export async function measure(
	setup: QueueSetup,
	work: Work,
	{ changes, sends, rows }: { changes: number; sends: number; rows: number },
): Promise<Figures> {
	// Warm up the just-in-time compilers.
	await new Deliveries(setup, WARM_UP).send(LANES);
	await setup.settled([work.deliveries], SETTLE_MS);
	const deliveries = new Deliveries(setup, changes);
	const before = await sizeOf(setup);
	const cpu = setup.n8n.cpu();
	const began = Date.now();
	await deliveries.send(LANES);
	const answered = Date.now() - began;
	await setup.settled([work.deliveries], SETTLE_MS);
	const ran = Date.now() - began;
	const used = byKind(cpu, setup.n8n.cpu());
	const perDelivery = Object.fromEntries(
		Object.entries(used).map(([kind, seconds]) => [kind, (seconds * 1000) / changes]),
	);
	return {
		deliveries: changes,
		answeredPerSecond: (changes * 1000) / answered,
		ranPerSecond: (changes * 1000) / ran,
		perDelivery,
		bytes: ((await sizeOf(setup)) - before) / changes,
		rows,
		perRow: {
			a: await perRow(setup, work, 'a', sends, rows),
			b: await perRow(setup, work, 'b', sends, rows),
		},
	};
}

async function perRow(
	setup: QueueSetup,
	work: Work,
	service: 'a' | 'b',
	sends: number,
	rows: number,
) {
	const bulk = new BulkSends(setup, sends, rows, [service]);
	const cpu = setup.n8n.cpu();
	await bulk.start();
	await setup.settled([work.sends[service]], SETTLE_MS);
	return ((byKind(cpu, setup.n8n.cpu()).worker ?? 0) * 1000) / (sends * rows);
}

/** Returns the CPU seconds since then, for both processes of a kind together. */
function byKind(before: Record<string, number>, after: Record<string, number>) {
	const kinds: Record<string, number> = {};
	for (const [name, seconds] of Object.entries(after)) {
		const kind = name.replace(/-\d+$/, '');
		kinds[kind] = (kinds[kind] ?? 0) + seconds - (before[name] ?? 0);
	}
	return kinds;
}

async function sizeOf(setup: QueueSetup) {
	const [row] = await setup.n8n.postgres.rows(SIZE);
	return Number(row?.[0]);
}
