import {
	findNewRows,
	isWhole,
	ListPoll,
	reachesBack,
	readEnd,
	readNewest,
} from '../../../nodes/SurveyA/trigger/listPoll';
import type { Bounds, PageRequest } from '../../../nodes/SurveyA/trigger/listPoll';
import { Watermark } from '../../../nodes/SurveyA/trigger/watermark';
import type { ListedRow } from '../../../nodes/SurveyA/trigger/listedRow';

const MINUTE = 60_000;
const NOW = Date.now() - 24 * 60 * MINUTE;

const UNBOUNDED: Bounds = { rows: Infinity, until: Infinity };

/** Returns a row of this date; undefined for a row without a date. */
const row = (created: number | undefined, key = String(created)): ListedRow => ({
	key,
	created,
	data: {},
});

const undated = (count: number) => Array.from({ length: count }, (_, i) => row(undefined, `u${i}`));

/** Returns rows a minute apart, the last one created just now. */
const rows = (count: number) =>
	Array.from({ length: count }, (_, i) => row(NOW - (count - 1 - i) * MINUTE));

interface List {
	rows: ListedRow[];
	size?: number;
	counts?: boolean;
	/** The total that each page states, if that is not the number of rows. */
	total?: number;
	ignoresSort?: boolean;
	delay?: number;
	/** Returns the rows of the list after a number of requests. */
	after?(requests: number): ListedRow[];
}

function listOf(list: List) {
	const { rows, size = 10, counts = true, ignoresSort, delay, after = () => rows } = list;
	const asked: PageRequest[] = [];
	const read = async (request: PageRequest) => {
		asked.push(request);
		const listed = [...after(asked.length)];
		if (ignoresSort || request.order === 'newest first') listed.reverse();
		const length = Math.min(size, request.size);
		const begin = (request.number - 1) * length;
		return {
			rows: listed.slice(begin, begin + length),
			total: counts ? (list.total ?? listed.length) : undefined,
			delay,
		};
	};
	return { read, asked, numbers: () => asked.map(({ number }) => number) };
}

describe('reading the newest rows', () => {
	test('requests one page of 100 rows', async () => {
		const { read, asked } = listOf({ rows: rows(30) });
		const page = await readNewest(read);
		expect(asked).toEqual([{ number: 1, size: 100, order: 'newest first' }]);
		expect(page).toEqual({ rows: rows(30).slice(20).reverse(), total: 30 });
	});

	test.each<[string, ListedRow[]]>([
		['an empty list', []],
		['a list of undated rows that one page holds', undated(10)],
		[
			'a long list whose newest page has rows with and without a date',
			[...rows(30), ...undated(5)],
		],
	])('requests one page of %s', async (_, all) => {
		const { read, asked } = listOf({ rows: all });
		expect((await readNewest(read)).rows).toHaveLength(Math.min(all.length, 10));
		expect(asked).toHaveLength(1);
	});

	test('reads on behind rows without a date', async () => {
		const { read, asked } = listOf({ rows: [...rows(30), ...undated(25)] });
		const page = await readNewest(read);
		expect(asked.slice(1)).toEqual(
			[1, 2, 3].map((number) => ({ number, size: 1000, order: 'newest first' })),
		);
		expect(page.total).toBe(55);
		expect(page.rows).toHaveLength(30);
		expect(page.rows.at(-1)?.created).toBe(NOW - 4 * MINUTE);
	});
});

describe('reading one end of a list', () => {
	test('stops at the first row with a date', async () => {
		const { read, asked } = listOf({ rows: [...undated(12), ...rows(30)] });
		expect(await readEnd(read, 'oldest first')).toHaveLength(20);
		expect(asked).toEqual([1, 2].map((number) => ({ number, size: 1000, order: 'oldest first' })));
	});

	test('stops after ten pages', async () => {
		const { read, asked } = listOf({ rows: undated(150) });
		expect(await readEnd(read, 'oldest first')).toHaveLength(100);
		expect(asked).toHaveLength(10);
	});

	test('stops at the end of the list', async () => {
		const { read, asked } = listOf({ rows: undated(20) });
		expect(await readEnd(read, 'oldest first')).toHaveLength(20);
		expect(asked).toHaveLength(3);
	});
});

test.each<[string, ListedRow[], number | undefined, boolean]>([
	['an empty page', [], undefined, true],
	['an empty page of a list that states three rows', [], 3, true],
	['a page with as many rows as the total', rows(3), 3, true],
	['a page with more rows than the total', rows(3), 2, true],
	['a page with fewer rows than the total', rows(3), 4, false],
	['a page without a total', rows(3), undefined, false],
])('knows whether %s is the whole list (case %#)', (_, found, total, expected) => {
	expect(isWhole({ rows: found, total })).toBe(expected);
});

test.each<[string, ListedRow[], number | undefined, boolean]>([
	['older than the watermark', [row(NOW), row(NOW - 1)], undefined, true],
	['as old as the watermark', [row(NOW)], undefined, false],
	['without a date', [row(undefined)], undefined, false],
	['older than the watermark by the delay of the list', [row(NOW - 9)], 9, false],
	['older than that', [row(NOW - 10)], 9, true],
])(
	'knows whether a page with a row %s reaches back to the watermark (case %#)',
	(_, found, delay, expected) => {
		const page = { rows: found, total: 100, delay };
		expect(reachesBack(page, new Watermark({ floor: NOW }))).toBe(expected);
	},
);

test('a page that is the whole list reaches back to the watermark', () => {
	expect(reachesBack({ rows: [row(NOW)], total: 1 }, new Watermark({ floor: NOW }))).toBe(true);
});

describe('reading a backlog', () => {
	const read = async (list: ReturnType<typeof listOf>, since: number, most = UNBOUNDED) =>
		await new ListPoll(list.read, new Watermark({ floor: since }), most).readBacklog(NOW);

	/** Returns the date of the nth row from the end. */
	const last = (count: number) => NOW - (count - 1) * MINUTE;

	test('requests 1,000 rows a page from the watermark on, oldest first', async () => {
		const list = listOf({ rows: rows(5) });
		expect(await read(list, last(5))).toEqual({ rows: rows(5), isComplete: true });
		expect(list.asked).toEqual([
			{ number: 1, size: 1000, order: 'oldest first', floor: last(5) },
			{ number: 1, size: 1000, order: 'oldest first', floor: last(5) },
		]);
	});

	// The first page, the search from the end, the page before it and all pages behind. These are read again if
	// the rows span more than the ten minutes that the watermark keeps.
	test.each<[number, number[]]>([
		[5, [1, 10, 9, 10]],
		[10, [1, 10, 9, 8, 9, 10]],
		[25, [1, 10, 9, 7, 6, 7, 8, 9, 10, 9, 8, 7, 6]],
		[65, [1, 10, 9, 7, 3, 2, 3, 4, 5, 6, 7, 8, 9, 10, 9, 8, 7, 6, 5, 4, 3, 2]],
		[85, [1, 10, 9, 7, 3, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1]],
	])('searches for %i rows at the end of 100 from the last page on', async (count, numbers) => {
		const list = listOf({ rows: rows(100) });
		const { rows: found, isComplete } = await read(list, last(count));
		expect(found.slice(-1)).toEqual([row(NOW)]);
		expect(found.filter(({ created = 0 }) => created >= last(count))).toHaveLength(count);
		expect(isComplete).toBe(true);
		expect(list.numbers()).toEqual(numbers);
	});

	test.each([
		['a first row two seconds older than the watermark', 2000, [1, 1, 2, 1]],
		['no row before the second page as old as that', 2001, [1, 2, 1, 2, 1]],
	])('begins with %s (case %#)', async (_, age, numbers) => {
		const list = listOf({ rows: [row(last(20) - age), ...rows(19)] });
		await read(list, last(20));
		expect(list.numbers()).toEqual(numbers);
	});

	test.each([
		['two seconds older than the watermark, goes on', 2000, [1, 10, 9, 7, 3, 2]],
		['older than that, stops', 2001, [1, 10, 9, 7, 6, 7]],
	])('a search that finds a page whose first row is %s (case %#)', async (_, age, numbers) => {
		const all = [...rows(100).slice(0, 60), row(last(30) - age), ...rows(30)];
		const list = listOf({ rows: all });
		await read(list, last(30));
		expect(list.numbers().slice(0, 6)).toEqual(numbers);
	});

	test('reads a list that ignores the requested order to the end', async () => {
		const list = listOf({ rows: rows(30), ignoresSort: true });
		const { rows: found } = await read(list, last(5), { rows: 1, until: 0 });
		expect(found).toHaveLength(30);
		expect(list.numbers().slice(0, 4)).toEqual([1, 1, 2, 3]);
	});

	test('reads a list without a total until a page has no new row', async () => {
		const list = listOf({ rows: rows(25), counts: false });
		const { rows: found, isComplete } = await read(list, 0);
		expect(found).toHaveLength(25);
		expect(isComplete).toBe(true);
		expect(list.numbers().slice(0, 5)).toEqual([1, 1, 2, 3, 4]);
	});

	test.each([15, 20])(
		'stops when there are %i rows for a run, and reports that more follow',
		async (most) => {
			const list = listOf({ rows: rows(50) });
			const found = await read(list, 0, { ...UNBOUNDED, rows: most });
			expect(found.rows).toHaveLength(20);
			expect(found.isComplete).toBe(false);
			expect(list.numbers()).toEqual([1, 1, 2, 1]);
		},
	);

	test('ends at an empty page although the list states more rows', async () => {
		const list = listOf({ rows: rows(15), total: 40 });
		expect((await read(list, 0)).isComplete).toBe(true);
		expect(list.numbers()).toEqual([1, 1, 2, 3, 2, 1]);
	});

	test.each<[string, number | undefined, number[]]>([
		[
			'is complete, once more',
			undefined,
			[1, 10, 9, 7, 3, 2, 3, 4, 5, 6, 7, 8, 9, 10, 9, 8, 7, 6, 5, 4, 3, 2],
		],
		['has enough rows, once', 30, [1, 10, 9, 7, 3, 2, 3, 4, 5, 6, 7, 8, 9]],
	])(
		'reads a delayed list from the delay on, and if it %s',
		async (_, most = Infinity, numbers) => {
			const list = listOf({ rows: rows(100), delay: 20 * MINUTE });
			await read(list, last(45), { ...UNBOUNDED, rows: most });
			expect(list.numbers()).toEqual(numbers);
		},
	);

	test('reads on until its time is up', async () => {
		const clock = jest.spyOn(performance, 'now').mockReturnValue(5);
		const found = await read(listOf({ rows: rows(50) }), 0, { ...UNBOUNDED, until: 5 });
		clock.mockRestore();
		expect(found.isComplete).toBe(true);
	});

	test('stops when its time is up, with at least one row', async () => {
		const old = Array.from({ length: 20 }, (_, i) => row(NOW - (500 - i) * MINUTE));
		const list = listOf({ rows: [...old, ...rows(40)] });
		const found = await read(list, last(35), { ...UNBOUNDED, until: 0 });
		expect(found.rows.filter(({ created = 0 }) => created >= last(35))).not.toEqual([]);
		expect(found.isComplete).toBe(false);
		expect(found.rows.length).toBeLessThan(60);
	});

	test('reads again until a reading finds nothing new, because rows may move meanwhile', async () => {
		const all = rows(30);
		// Two rows are removed after the first page was read; the rows behind them move up to it.
		const list = listOf({ rows: all, after: (requests) => (requests > 2 ? all.slice(2) : all) });
		const { rows: found } = await read(list, 0);
		expect(found).toEqual(expect.arrayContaining(all));
		expect(list.numbers()).toEqual([1, 1, 2, 3, 2, 1, 2, 3]);
	});

	test('reads a changing list at most six times', async () => {
		let shown = 0;
		// Each request shows new rows.
		const list = listOf({
			rows: rows(20),
			after: () => rows(20).map(({ created }) => row(created, `new ${++shown}`)),
		});
		await read(list, 0);
		expect(list.numbers()).toEqual([1, 1, 2, 1, 2, 1, 2, 1]);
	});
});

describe('the watermark after a poll', () => {
	const floorAfter = async (delay: number | undefined, most: number) => {
		const list = listOf({ rows: rows(50), delay });
		const mark = new Watermark({ floor: NOW - 49 * MINUTE });
		const { watermark } = await findNewRows(list.read, mark, { ...UNBOUNDED, rows: most });
		return (NOW - watermark.floor) / MINUTE;
	};

	test.each<[string, number | undefined, number, number]>([
		['rises with the rows of a run', undefined, 25, 25 + 10],
		['of a delayed list does not rise before all rows came out', MINUTE, 25, 49],
		['of a delayed list rises when all rows came out', MINUTE, Infinity, 10],
	])('%s', async (_, delay, most, age) => expect(await floorAfter(delay, most)).toBe(age));
});

test('a first poll fails if the list counts rows, but shows none', async () => {
	const { read } = listOf({ rows: [], total: 30 });
	await expect(findNewRows(read, undefined, UNBOUNDED)).rejects.toMatchObject({
		message: 'Survey A counts 30 rows, but lists none',
		hint: 'Publish the workflow again later',
	});
});

test('a row without a date is not new if the first response showed no rows and no total', async () => {
	const empty = listOf({ rows: [], counts: false });
	const { watermark } = await findNewRows(empty.read, undefined, UNBOUNDED);
	const { read } = listOf({ rows: undated(1) });
	expect((await findNewRows(read, watermark, UNBOUNDED)).rows).toEqual([]);
});

test('the first poll reads both ends of a list', async () => {
	const { read, asked } = listOf({ rows: rows(500), size: 200 });
	const { watermark } = await findNewRows(read, undefined, UNBOUNDED);
	expect(watermark.total).toBe(500);
	expect(asked).toEqual([
		{ number: 1, size: 100, order: 'newest first' },
		{ number: 1, size: 1000, order: 'oldest first' },
	]);
});

test.each<[string, Watermark | undefined]>([
	['first poll of a list', undefined],
	['first rows of a list that was empty', new Watermark({ total: 0, readAt: Date.now() })],
])(
	'the watermark after the %s has its oldest rows, which identify the account',
	async (_, mark) => {
		const { read } = listOf({ rows: rows(30), size: 100 });
		const { watermark } = await findNewRows(read, mark, UNBOUNDED);
		expect([...watermark.landmarks.values()]).toEqual(
			rows(30)
				.slice(0, 20)
				.map(({ created }) => created),
		);
	},
);
