import fc from 'fast-check';

import { Failure } from '../../../nodes/shared/base/failure';
import { BatchSender } from '../../../nodes/shared/operations/batchSender';
import type { Run } from '../../../nodes/shared/operations/run';
import { runs } from '../../support/random.mts';

// The service refuses a batch of 1,000 rows without naming the bad ones.

const ROWS = 1000;

/** Sends a batch to a service that refuses each request with a bad row; returns the failed rows and the requests. */
async function sendWith(bad: Set<number>): Promise<{ failed: number[]; requests: number }> {
	const failed: number[] = [];
	let requests = 0;
	const send = async (request: { body?: { rows: number[] } }) => {
		requests++;
		const rows = request.body?.rows ?? [];
		if (!rows.some((row) => bad.has(row))) return [];
		throw new Failure('refused', 'Validation failed', { status: 400 });
	};
	const run = {
		continues: true,
		isStopped: false,
		client: { send },
		setResult: (item: number) => failed.push(item),
	};
	const sender = new BatchSender<number, unknown>(run as unknown as Run, {
		size: ROWS,
		key: (row) => `person${row}@example.com`,
		request: (rows) => ({ method: 'POST', path: '/', effect: 'idempotent', body: { rows } }),
		responseSchema: {} as never,
		output: () => ({}),
	});
	const options = { dryRun: false, ineligible: undefined };
	const row = (item: number) => ({ item, input: item, options });
	await sender.send([row(0), ...Array.from({ length: ROWS - 1 }, (_, index) => row(index + 1))]);
	return { failed: failed.sort((a, b) => a - b), requests };
}

const counts = fc.integer({ min: 1, max: ROWS });

const sorted = fc
	.tuple(counts, fc.constantFrom('first', 'last'))
	.map(([count, place]) =>
		Array.from({ length: count }, (_, row) => (place === 'first' ? row : ROWS - 1 - row)),
	);

const random = counts.chain((length) =>
	fc.uniqueArray(fc.nat(ROWS - 1), { minLength: length, maxLength: length }),
);

test.each([
	['sorted', sorted],
	['random', random],
])(
	'fails all bad rows of 1,000 and no good row when the bad rows are at %s positions',
	async (_, positions) => {
		const property = fc.asyncProperty(positions, async (rows) => {
			const bad = new Set(rows);
			const { failed, requests } = await sendWith(bad);
			expect(failed).toEqual([...bad].sort((a, b) => a - b));
			expect(requests).toBeLessThanOrEqual(2 * ROWS);
			const ofEach = 2 * bad.size * (1 + Math.log2(ROWS / bad.size)) + 4;
			expect(requests).toBeLessThanOrEqual(Math.max(34, ofEach));
		});
		await fc.assert(property, runs(100));
	},
);

test.each([
	[10, 10],
	[130, 130],
	[260, 260],
	[510, 510],
	[999, 999],
])('when the first %i of 1,000 rows are bad, exactly %i rows fail', async (count, expected) => {
	const { failed } = await sendWith(new Set(Array.from({ length: count }, (_, row) => row)));
	expect(failed).toHaveLength(expected);
});

test('finds the only good row of 1,000, wherever it is', async () => {
	const rows = Array.from({ length: ROWS }, (_, row) => row);
	for (const good of [0, 1, 333, 500, 998, 999]) {
		const bad = rows.filter((row) => row !== good);
		const { failed, requests } = await sendWith(new Set(bad));
		expect(failed).toEqual(bad);
		expect(requests).toBeLessThanOrEqual(2 * ROWS);
	}
});

test('sends a batch once and each of its rows once if the service refuses every request', async () => {
	const { failed, requests } = await sendWith(
		new Set(Array.from({ length: ROWS }, (_, row) => row)),
	);
	expect(failed).toHaveLength(ROWS);
	expect(requests).toBe(1 + ROWS);
});
