import fc from 'fast-check';

import { findNewRows } from '../../../nodes/SurveyA/trigger/newRows';
import type { Bounds } from '../../../nodes/SurveyA/trigger/backlog';
import { startingAt } from '../../../nodes/SurveyA/trigger/watermark';
import type { Watermark } from '../../../nodes/SurveyA/trigger/watermark';
import { runs } from '../../support/random.mts';
import { ChangingList } from './changingList';
import type { ListRules } from './changingList';

const UNBOUNDED: Bounds = { rows: Infinity, until: Infinity };

/** A trigger that watches a list from poll to poll. */
class Watch {
	mark: Watermark | undefined;
	readonly came: string[] = [];

	constructor(
		private readonly list: ChangingList,
		private readonly most = UNBOUNDED,
	) {}

	async poll(): Promise<string[]> {
		const { watermark, rows } = await findNewRows(this.list.read, this.mark, this.most);
		// As n8n stores it.
		this.mark = JSON.parse(JSON.stringify(watermark));
		const ids = rows.map(({ id }) => id);
		this.came.push(...ids);
		return ids;
	}
}

const lists: Array<[string, ListRules]> = [
	['that can be asked for younger rows', { pageSize: 7, isDated: true }],
	['that must be searched', { pageSize: 7, isDated: false }],
	['that counts nothing', { pageSize: 7, isDated: true, counts: false }],
	['that is always newest first', { pageSize: 7, isDated: false, ignoresSort: true }],
];

describe.each(lists)('a list %s', (_, rules) => {
	const started = async (rows = 20, most?: Bounds) => {
		const list = new ChangingList(rules);
		for (let i = 0; i < rows; i++) {
			list.add(1);
			list.pass(60);
		}
		const watch = new Watch(list, most);
		expect(await watch.poll()).toEqual([]);
		return { list, watch };
	};

	test('what is there at first is not new', async () => {
		const { watch } = await started();
		expect(await watch.poll()).toEqual([]);
	});

	test('in an empty list everything that comes is new', async () => {
		const { list, watch } = await started(0);
		expect(await watch.poll()).toEqual([]);
		list.add(1);
		expect(await watch.poll()).toEqual(['row1']);
		expect(await watch.poll()).toEqual([]);
	});

	test('a row comes out although it shares its moment with the last one seen', async () => {
		const { list, watch } = await started();
		list.add(2);
		expect(await watch.poll()).toHaveLength(2);
		list.add(3);
		expect(await watch.poll()).toHaveLength(3);
		expect(await watch.poll()).toEqual([]);
	});

	test('a row that shows up late comes out once', async () => {
		const { list, watch } = await started();
		list.add(1);
		await watch.poll();
		list.add(1, 9 * 60);
		expect(await watch.poll()).toEqual(['row22']);
		expect(await watch.poll()).toEqual([]);
	});

	test('a burst in one moment comes out whole', async () => {
		const { list, watch } = await started();
		list.add(100);
		expect(await watch.poll()).toHaveLength(100);
		list.add(1);
		expect(await watch.poll()).toEqual(['row121']);
	});

	test('what came during a long outage comes out whole, oldest first', async () => {
		const { list, watch } = await started();
		for (let i = 0; i < 60; i++) {
			list.pass(1500);
			list.add(1);
		}
		const ids = await watch.poll();
		expect(ids).toEqual(Array.from({ length: 60 }, (_, i) => `row${21 + i}`));
	});

	test('an outage comes out in parts where it is too much for one run', async () => {
		const { list, watch } = await started(20, { ...UNBOUNDED, rows: 25 });
		list.add(30);
		for (let i = 0; i < 60; i++) {
			list.pass(1500);
			list.add(1);
		}
		const counts = [];
		for (let i = 0; i < 5; i++) counts.push((await watch.poll()).length);
		expect(counts).toEqual([25, 25, 25, 15, 0]);
		expect(new Set(watch.came).size).toBe(90);
	});

	test('a date far ahead does not put the rows until then into the past', async () => {
		const { list, watch } = await started();
		list.add(1, -400 * 24 * 3600);
		expect(await watch.poll()).toEqual(['row21']);
		list.pass(60);
		list.add(1);
		expect(await watch.poll()).toEqual(['row22']);
		expect(await watch.poll()).toEqual([]);
	});

	test('from a date on, everything since comes out', async () => {
		const { list } = await started();
		const watch = new Watch(list);
		watch.mark = startingAt(list.now - 5 * 60 * 1000);
		expect(await watch.poll()).toEqual(['row16', 'row17', 'row18', 'row19', 'row20']);
		expect(await watch.poll()).toEqual([]);
	});
});

test('a poll without a burst is one request', async () => {
	const list = new ChangingList({ pageSize: 1000, isDated: false });
	for (let i = 0; i < 500; i++) {
		list.add(1);
		list.pass(60);
	}
	const watch = new Watch(list);
	await watch.poll();
	list.add(50);
	list.requests = 0;
	expect(await watch.poll()).toHaveLength(50);
	expect(list.requests).toBe(1);
});

test('the IDs that are remembered are those of the last ten minutes', async () => {
	const list = new ChangingList({ pageSize: 1000, isDated: true });
	const watch = new Watch(list);
	for (let i = 0; i < 600; i++) {
		list.pass(10);
		list.add(1);
		await watch.poll();
	}
	expect(Object.keys(watch.mark?.seen ?? {})).toHaveLength(61);
});

test('rows without a date are left out, and disturb no others', async () => {
	const list = new ChangingList({ pageSize: 7, isDated: false });
	list.undated = 25;
	list.add(30);
	list.pass(3600);
	const watch = new Watch(list);
	expect(await watch.poll()).toEqual([]);
	list.add(20);
	expect(await watch.poll()).toHaveLength(20);
	list.add(3);
	expect(await watch.poll()).toHaveLength(3);
});

test.each([true, false])(
	'rows that are removed between two pages hide no others (dated list: %s)',
	async (isDated) => {
		const removals = fc.array(
			fc.record({ after: fc.integer({ min: 2, max: 40 }), place: fc.nat() }),
			{ minLength: 1, maxLength: 12 },
		);
		await fc.assert(
			fc.asyncProperty(removals, async (all) => {
				const list = new ChangingList({ pageSize: 7, isDated });
				list.add(50);
				const watch = new Watch(list);
				await watch.poll();
				const before = new Set(list.rows.map(({ id }) => id));
				for (let i = 0; i < 60; i++) {
					list.pass(3600);
					list.add(1);
				}
				list.requests = 0;
				list.afterRequest = () => {
					for (const { after, place } of all) if (after === list.requests) list.remove(place);
				};
				await watch.poll();
				const stayed = list.rows.map(({ id }) => id).filter((id) => !before.has(id));
				expect(watch.came).toEqual(expect.arrayContaining(stayed));
			}),
			runs(300),
		);
	},
);

/** What may happen to a list and to its trigger. */
const happenings = fc.array(
	fc.oneof(
		fc.record({
			kind: fc.constant('arrive' as const),
			count: fc.oneof(fc.integer({ min: 1, max: 3 }), fc.integer({ min: 1, max: 60 })),
			late: fc.integer({ min: 0, max: 590 }),
		}),
		fc.record({ kind: fc.constant('remove' as const), place: fc.nat() }),
		fc.record({
			kind: fc.constant('pass' as const),
			seconds: fc.oneof(fc.integer({ min: 0, max: 90 }), fc.integer({ min: 0, max: 90_000 })),
		}),
		fc.record({
			kind: fc.constant('poll' as const),
			/** The request that fails, if it comes to that many. */
			failsAt: fc.option(fc.integer({ min: 1, max: 12 }), { nil: undefined }),
			/** Requests after which a row goes, and after which one comes. */
			removals: fc.array(fc.record({ after: fc.integer({ min: 1, max: 20 }), place: fc.nat() }), {
				maxLength: 4,
			}),
			arrivals: fc.array(fc.integer({ min: 1, max: 20 }), { maxLength: 4 }),
		}),
	),
	{ maxLength: 40 },
);

type Happening =
	(typeof happenings extends fc.Arbitrary<infer All> ? All : never) extends Array<infer One>
		? One
		: never;

async function happen(one: Happening, list: ChangingList, watch: Watch): Promise<void> {
	if (one.kind === 'arrive') list.add(one.count, one.late);
	else if (one.kind === 'remove') list.remove(one.place);
	else if (one.kind === 'pass') list.pass(one.seconds);
	else {
		let answered = 0;
		list.afterRequest = () => {
			answered++;
			if (answered === one.failsAt) throw new Error('the service is down');
			for (const { after, place } of one.removals) if (after === answered) list.remove(place);
			for (const after of one.arrivals) if (after === answered) list.add(1);
		};
		await watch.poll().catch(() => undefined);
		list.afterRequest = () => {};
	}
}

test.each([true, false])(
	'every row that comes and stays comes out exactly once (dated list: %s)',
	async (isDated) => {
		await fc.assert(
			fc.asyncProperty(
				fc.integer({ min: 0, max: 40 }),
				fc.constantFrom(10, 50, Infinity),
				happenings,
				async (atFirst, most, all) => {
					const list = new ChangingList({ pageSize: 7, isDated });
					list.add(atFirst);
					const watch = new Watch(list, { rows: most, until: Infinity });
					await watch.poll();
					const before = new Set(list.rows.map(({ id }) => id));
					for (const one of all) await happen(one, list, watch);
					for (let more = true; more; ) more = (await watch.poll()).length > 0;

					const stayed = list.rows.map(({ id }) => id).filter((id) => !before.has(id));
					expect(watch.came.filter((id) => stayed.includes(id)).sort()).toEqual(stayed.sort());
					expect(new Set(watch.came).size).toBe(watch.came.length);
					expect(watch.came.filter((id) => before.has(id))).toEqual([]);
				},
			),
			runs(300),
		);
	},
);
