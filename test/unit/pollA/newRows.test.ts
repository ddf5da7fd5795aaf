import fc from 'fast-check';

import { findNewRows } from '../../../nodes/SurveyA/trigger/listPoll';
import type { Bounds } from '../../../nodes/SurveyA/trigger/listPoll';
import { listedRow } from '../../../nodes/SurveyA/trigger/listedRow';
import { storedWatermark, Watermark } from '../../../nodes/SurveyA/trigger/watermark';
import { runs } from '../../support/random.mts';
import { ChangingList, idOf } from './changingList';
import type { ListRules } from './changingList';

const HOUR = 60 * 60 * 1000;

const UNBOUNDED: Bounds = { rows: Infinity, until: Infinity };

afterEach(() => jest.restoreAllMocks());

/** A trigger that polls a list, and keeps its watermark between polls. */
class Watch {
	mark: Watermark | undefined;
	readonly came: string[] = [];

	constructor(
		private readonly list: ChangingList,
		private readonly most = UNBOUNDED,
		/** How far n8n's clock is ahead of the service's, in ms. */
		private readonly ahead = 0,
	) {}

	async poll(): Promise<string[]> {
		jest.spyOn(Date, 'now').mockImplementation(() => this.list.now + this.ahead);
		const { watermark, rows } = await findNewRows(this.list.read, this.mark, this.most);
		this.mark = storedWatermark().parse(JSON.parse(JSON.stringify(watermark.toStored())));
		const ids = rows.map(idOf);
		this.came.push(...ids);
		return ids;
	}
}

const lists: Array<[string, ListRules]> = [
	['that can leave out old rows', { pageSize: 7, isDated: true }],
	['that cannot leave out old rows', { pageSize: 7, isDated: false }],
	['without a total', { pageSize: 7, isDated: true, counts: false }],
	['that ignores the requested order', { pageSize: 7, isDated: false, ignoresSort: true }],
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

	test('rows that exist before the first poll are not new', async () => {
		const { watch } = await started();
		expect(await watch.poll()).toEqual([]);
	});

	test('every row added to an empty list is new', async () => {
		const { list, watch } = await started(0);
		expect(await watch.poll()).toEqual([]);
		list.add(1);
		expect(await watch.poll()).toEqual(['row1']);
		expect(await watch.poll()).toEqual([]);
	});

	test('a row with the same date as the last known row comes out', async () => {
		const { list, watch } = await started();
		list.add(2);
		expect(await watch.poll()).toHaveLength(2);
		list.add(3);
		expect(await watch.poll()).toHaveLength(3);
		expect(await watch.poll()).toEqual([]);
	});

	test('a row that appears late comes out once', async () => {
		const { list, watch } = await started();
		list.add(1);
		await watch.poll();
		list.add(1, 9 * 60);
		expect(await watch.poll()).toEqual(['row22']);
		expect(await watch.poll()).toEqual([]);
	});

	test('a burst of rows with one date comes out completely', async () => {
		const { list, watch } = await started();
		list.add(100);
		expect(await watch.poll()).toHaveLength(100);
		list.add(1);
		expect(await watch.poll()).toEqual(['row121']);
	});

	test('rows created during a long outage come out completely, oldest first', async () => {
		const { list, watch } = await started();
		for (let i = 0; i < 60; i++) {
			list.pass(1500);
			list.add(1);
		}
		const ids = await watch.poll();
		expect(ids).toEqual(Array.from({ length: 60 }, (_, i) => `row${21 + i}`));
	});

	test('a backlog that is too large for one run comes out in parts', async () => {
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

	test('a row dated in the far future does not make the rows until then old', async () => {
		const { list, watch } = await started();
		list.add(1, -400 * 24 * 3600);
		expect(await watch.poll()).toEqual(['row21']);
		list.pass(60);
		list.add(1);
		expect(await watch.poll()).toEqual(['row22']);
		expect(await watch.poll()).toEqual([]);
	});

	test('everything since the start date comes out', async () => {
		const { list } = await started();
		const watch = new Watch(list);
		watch.mark = new Watermark({ floor: list.now - 5 * 60 * 1000 });
		expect(await watch.poll()).toEqual(['row16', 'row17', 'row18', 'row19', 'row20']);
		expect(await watch.poll()).toEqual([]);
	});
});

test('remembers when the list last changed', async () => {
	const list = new ChangingList({ pageSize: 100, isDated: true });
	list.add(20);
	const watch = new Watch(list);
	await watch.poll();
	const begun = list.now;
	const pollLater = async () => {
		list.pass(60);
		await watch.poll();
		return ((watch.mark?.changedAt ?? 0) - begun) / 60_000;
	};
	expect(await pollLater()).toBe(0);
	list.remove(3);
	expect(await pollLater()).toBe(2);
	expect(await pollLater()).toBe(2);
	list.remove(3);
	list.add(1);
	expect(await pollLater()).toBe(4);
	expect(watch.came).toHaveLength(1);
	list.add(1);
	expect(await pollLater()).toBe(5);
});

/** Returns a list of 500 rows, a minute apart, and a trigger that has polled it once. */
async function polledOnce(pageSize = 1000) {
	const list = new ChangingList({ pageSize, isDated: false });
	for (let i = 0; i < 500; i++) {
		list.add(1);
		list.pass(60);
	}
	const watch = new Watch(list);
	await watch.poll();
	return { list, watch };
}

test('a poll without a burst sends one request', async () => {
	const { list, watch } = await polledOnce();
	list.add(50);
	list.requests = 0;
	expect(await watch.poll()).toHaveLength(50);
	expect(list.requests).toBe(1);
});

test.each([
	['one larger page of a service that grants it', 1000, 2],
	['no larger page of a service that does not', 99, 1],
])('a poll after a burst of 101 rows requests %s', async (_, pageSize, newest) => {
	const { list, watch } = await polledOnce(pageSize);
	const read = jest.spyOn(list, 'read');
	list.add(101);
	await watch.poll();
	const requests = read.mock.calls.filter(([{ order }]) => order === 'newest first');
	expect(requests).toHaveLength(newest);
});

test('a poll after a removal requests no larger page', async () => {
	const { list, watch } = await polledOnce();
	const read = jest.spyOn(list, 'read');
	list.add(1);
	list.remove(3);
	await watch.poll();
	const requests = read.mock.calls.filter(([{ order }]) => order === 'newest first');
	expect(requests).toHaveLength(1);
});

test('a row dated two days ago comes out if the list said that it was empty before', async () => {
	const list = new ChangingList({ pageSize: 7, isDated: true });
	const watch = new Watch(list);
	await watch.poll();
	list.add(1, 2 * 24 * 3600);
	expect(await watch.poll()).toEqual(['row1']);
});

test('remembers the keys of rows of the last ten minutes only', async () => {
	const list = new ChangingList({ pageSize: 1000, isDated: true });
	const watch = new Watch(list);
	for (let i = 0; i < 600; i++) {
		list.pass(10);
		list.add(1);
		await watch.poll();
	}
	expect(watch.mark?.known.size).toBe(61);
});

describe.each(['oldest', 'newest'] as const)(
	'rows without a date, listed with the %s rows',
	(undatedAt) => {
		const started = async (undated = 25) => {
			const list = new ChangingList({ pageSize: 7, isDated: false, undatedAt });
			list.addDated(undated);
			list.add(30);
			list.pass(3600);
			const watch = new Watch(list);
			expect(await watch.poll()).toEqual([]);
			return { list, watch };
		};

		test('do not hide rows with a date', async () => {
			const { list, watch } = await started();
			list.add(20);
			expect(await watch.poll()).toHaveLength(20);
			list.add(3);
			expect(await watch.poll()).toHaveLength(3);
			expect(await watch.poll()).toEqual([]);
		});

		test.each([undefined, 'soon', ''])('come out once if their date is %p', async (date) => {
			const { list, watch } = await started();
			list.addDated(2, date);
			expect((await watch.poll()).sort()).toEqual(['row56', 'row57']);
			list.add(1);
			list.addDated(1, date);
			expect((await watch.poll()).sort()).toEqual(['row58', 'row59']);
			expect(await watch.poll()).toEqual([]);
		});

		test('come out within ten minutes although other rows are removed at the same time', async () => {
			const { list, watch } = await started(1);
			list.add(1);
			await watch.poll();
			list.addDated(1);
			list.remove(3);
			await watch.poll();
			list.pass(11 * 60);
			await watch.poll();
			expect(watch.came).toEqual(['row32', 'row33']);
		});

		test('count as known if there are more than 10,000, and do not hide rows with a date', async () => {
			const list = new ChangingList({ pageSize: 1000, isDated: false, undatedAt });
			list.addDated(12_000);
			list.add(30);
			const watch = new Watch(list);
			await watch.poll();
			list.addDated(1);
			list.pass(60);
			list.add(2);
			expect(await watch.poll()).toEqual(['row12032', 'row12033']);
			list.pass(11 * 60);
			expect(await watch.poll()).toEqual([]);
		});
	},
);

test.each([true, false])(
	'rows removed between two pages hide no other rows (list can leave out old rows: %s)',
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
				const before = new Set(list.rows.map(idOf));
				for (let i = 0; i < 60; i++) {
					list.pass(3600);
					list.add(1);
				}
				list.requests = 0;
				list.afterRequest = () => {
					for (const { after, place } of all) if (after === list.requests) list.remove(place);
				};
				await watch.poll();
				const stayed = list.rows.map(idOf).filter((id) => !before.has(id));
				expect(watch.came).toEqual(expect.arrayContaining(stayed));
			}),
			runs(300),
		);
	},
);

/** Random changes of a list, and polls of its trigger. */
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
			/** The number of the request that fails, if the poll sends as many. */
			failsAt: fc.option(fc.integer({ min: 1, max: 12 }), { nil: undefined }),
			/** Requests after which a row is removed, and requests after which one is added. */
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
	'every row that is created and stays comes out exactly once (list can leave out old rows: %s)',
	async (isDated) => {
		await fc.assert(
			fc.asyncProperty(
				fc.integer({ min: 0, max: 40 }),
				fc.constantFrom(10, 50, Infinity),
				happenings,
				fc.constantFrom(0, -14 * HOUR, 3 * HOUR),
				async (atFirst, most, all, ahead) => {
					const list = new ChangingList({ pageSize: 7, isDated });
					list.add(atFirst);
					const watch = new Watch(list, { rows: most, until: Infinity }, ahead);
					await watch.poll();
					const before = new Set(list.rows.map(idOf));
					for (const one of all) await happen(one, list, watch);
					for (let more = true; more; ) more = (await watch.poll()).length > 0;
					// A late row hidden by a removed one is found when everything is read again.
					list.pass(601);
					for (let more = true; more; ) more = (await watch.poll()).length > 0;

					const stayed = list.rows.map(idOf).filter((id) => !before.has(id));
					expect(watch.came.filter((id) => stayed.includes(id)).sort()).toEqual(stayed.sort());
					expect(new Set(watch.came).size).toBe(watch.came.length);
					expect(watch.came.filter((id) => before.has(id))).toEqual([]);
				},
			),
			runs(300),
		);
	},
);

/** Returns the size of the stored watermark in bytes. */
const storedSize = (watch: Watch) =>
	watch.mark ? JSON.stringify(watch.mark.toStored()).length : undefined;

describe('many rows with one date', () => {
	const COUNT = 40_000;

	test('cost one request a poll while nothing is new, and less than ten bytes each in the stored data', async () => {
		const list = new ChangingList({ pageSize: 1000, isDated: false });
		list.add(20);
		const watch = new Watch(list, { ...UNBOUNDED, rows: 10_000 });
		await watch.poll();
		list.pass(60);
		list.add(COUNT);
		while ((await watch.poll()).length > 0) list.pass(60);
		expect(new Set(watch.came).size).toBe(COUNT);
		await watch.poll();
		list.requests = 0;
		for (let i = 0; i < 3; i++) expect(await watch.poll()).toEqual([]);
		expect(list.requests).toBe(3);
		expect(storedSize(watch)).toBeLessThan(10 * COUNT);
		// One more with that date, which is not on the page that a poll reads first.
		list.rows.push(listedRow({ id: 'a' }, 'createdDate', 'a'));
		Object.assign(list.rows.at(-1) ?? {}, { created: list.rows.at(-2)?.created });
		expect(await watch.poll()).toEqual(['a']);
		expect(await watch.poll()).toEqual([]);
	}, 120_000);

	test('come out once each although there are more than can be remembered', async () => {
		const list = new ChangingList({ pageSize: 1000, isDated: false });
		list.add(1);
		const watch = new Watch(list, { ...UNBOUNDED, rows: 20_000 });
		await watch.poll();
		list.pass(60);
		list.add(70_000);
		for (let i = 0; i < 5; i++) await watch.poll();
		expect(watch.came).toHaveLength(70_000);
		expect(new Set(watch.came).size).toBe(70_000);
		expect(storedSize(watch)).toBeLessThan(500_000);
		list.pass(60);
		list.add(1);
		expect(await watch.poll()).toEqual(['row70002']);
	}, 120_000);
});

describe('a row dated in the far future', () => {
	const FAR = 400 * 24 * HOUR;

	test('comes out once, and is forgotten when it is removed', async () => {
		const list = new ChangingList({ pageSize: 100, isDated: false });
		list.add(30, 3600);
		const watch = new Watch(list);
		await watch.poll();
		list.add(1, -FAR / 1000);
		expect(await watch.poll()).toEqual(['row31']);
		list.pass(24 * 3600);
		list.add(1);
		expect(await watch.poll()).toEqual(['row32']);
		expect(watch.mark?.known.size).toBe(2);
		list.rows = list.rows.filter((row) => idOf(row) !== 'row31');
		expect(await watch.poll()).toEqual([]);
		expect(watch.mark?.known.size).toBe(1);
	});

	test('is remembered until a page shows that it was removed', async () => {
		const list = new ChangingList({ pageSize: 100, isDated: false });
		list.add(30, 3600);
		const watch = new Watch(list);
		await watch.poll();
		list.add(250, -FAR / 1000);
		expect(await watch.poll()).toHaveLength(250);
		expect(await watch.poll()).toEqual([]);
		list.pass(60);
		list.add(1);
		expect(await watch.poll()).toEqual(['row281']);
	});

	test('does not make the rows of the hours until then old', async () => {
		const list = new ChangingList({ pageSize: 100, isDated: true });
		list.add(30, 3600);
		const watch = new Watch(list);
		await watch.poll();
		list.add(1, -20 * 3600);
		expect(await watch.poll()).toEqual(['row31']);
		list.pass(60);
		list.add(1);
		expect(await watch.poll()).toEqual(['row32']);
	});
});

test('a list of rows without a date takes at most 80 kB of stored data', async () => {
	const list = new ChangingList({ pageSize: 1000, isDated: false });
	list.addDated(25_000);
	const watch = new Watch(list);
	expect(await watch.poll()).toEqual([]);
	expect(storedSize(watch)).toBeLessThan(81_000);
});

test('an ID of any length takes a few bytes of stored data', () => {
	const id = 'x'.repeat(3_000_000);
	const row = listedRow({ id, createdDate: '2026-11-21T10:00:00.000Z' }, 'createdDate', id);
	expect(
		JSON.stringify(new Watermark({ floor: 0 }).raised([row], true).toStored()).length,
	).toBeLessThan(200);
});
