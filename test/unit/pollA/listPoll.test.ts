import {
	isWhole,
	ListPoll,
	reachesBack,
	readEnd,
	readNewest,
} from '../../../nodes/SurveyA/trigger/listPoll';
import type { Bounds, PageRequest } from '../../../nodes/SurveyA/trigger/listPoll';
import { Watermark } from '../../../nodes/SurveyA/trigger/watermark';
import type { ListedRow } from '../../../nodes/SurveyA/trigger/listedRow';

// Which pages of a list are asked for, and in which order.

const MINUTE = 60_000;
const NOW = Date.now() - 24 * 60 * MINUTE;

const UNBOUNDED: Bounds = { rows: Infinity, until: Infinity };

/** A row of this moment; without one for `undefined`. */
const row = (created: number | undefined, key = String(created)): ListedRow => ({
	key,
	created,
	data: {},
});

const undated = (count: number) => Array.from({ length: count }, (_, i) => row(undefined, `u${i}`));

/** Rows a minute apart, the last one just now. */
const rows = (count: number) =>
	Array.from({ length: count }, (_, i) => row(NOW - (count - 1 - i) * MINUTE));

interface List {
	/** The oldest first. */
	rows: ListedRow[];
	/** The most rows that a page has. */
	size?: number;
	counts?: boolean;
	ignoresSort?: boolean;
	/** What the list is after so many requests. */
	after?(requests: number): ListedRow[];
}

function listOf({ rows, size = 10, counts = true, ignoresSort, after = () => rows }: List) {
	const asked: PageRequest[] = [];
	const read = async (request: PageRequest) => {
		asked.push(request);
		const listed = [...after(asked.length)];
		if (ignoresSort || request.order === 'newest first') listed.reverse();
		const length = Math.min(size, request.size);
		const begin = (request.number - 1) * length;
		return {
			rows: listed.slice(begin, begin + length),
			total: counts ? listed.length : undefined,
		};
	};
	return { read, asked, numbers: () => asked.map(({ number }) => number) };
}

describe('the newest rows', () => {
	test('are one page of a hundred', async () => {
		const { read, asked } = listOf({ rows: rows(30) });
		const page = await readNewest(read);
		expect(asked).toEqual([{ number: 1, size: 100, order: 'newest first' }]);
		expect(page).toEqual({ rows: rows(30).slice(20).reverse(), total: 30 });
	});

	test.each<[string, ListedRow[]]>([
		['an empty list', []],
		['a list of undated rows that one page holds', undated(10)],
	])('of %s are one page too', async (_, all) => {
		const { read, asked } = listOf({ rows: all });
		expect((await readNewest(read)).rows).toHaveLength(all.length);
		expect(asked).toHaveLength(1);
	});

	test('behind rows without a date are read as well', async () => {
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

describe('an end of a list', () => {
	test('goes as far as the first row with a date', async () => {
		const { read, asked } = listOf({ rows: [...undated(12), ...rows(30)] });
		expect(await readEnd(read, 'oldest first')).toHaveLength(20);
		expect(asked).toEqual([1, 2].map((number) => ({ number, size: 1000, order: 'oldest first' })));
	});

	test('is ten pages at most', async () => {
		const { read, asked } = listOf({ rows: undated(150) });
		expect(await readEnd(read, 'oldest first')).toHaveLength(100);
		expect(asked).toHaveLength(10);
	});

	test('is where the list ends', async () => {
		const { read, asked } = listOf({ rows: undated(20) });
		expect(await readEnd(read, 'oldest first')).toHaveLength(20);
		expect(asked).toHaveLength(3);
	});
});

test.each<[string, ListedRow[], number | undefined, boolean]>([
	['without rows', [], undefined, true],
	['without rows, of a list that counts some', [], 3, true],
	['of as many rows as there are', rows(3), 3, true],
	['of more rows than are counted', rows(3), 2, true],
	['of fewer rows than there are', rows(3), 4, false],
	['of a list that counts nothing', rows(3), undefined, false],
])('a page %s is the whole list: %#', (_, found, total, expected) => {
	expect(isWhole({ rows: found, total })).toBe(expected);
});

test.each<[string, ListedRow[], boolean]>([
	['older than the watermark', [row(NOW), row(NOW - 1)], true],
	['as old as the watermark', [row(NOW)], false],
	['without a date', [row(undefined)], false],
])('a page with a row %s reaches back to it: %#', (_, found, expected) => {
	expect(reachesBack({ rows: found, total: 100 }, new Watermark({ floor: NOW }))).toBe(expected);
});

test('a page that is the whole list reaches back', () => {
	expect(reachesBack({ rows: [row(NOW)], total: 1 }, new Watermark({ floor: NOW }))).toBe(true);
});

describe('a backlog', () => {
	const read = async (list: ReturnType<typeof listOf>, since: number, most = UNBOUNDED) =>
		await new ListPoll(list.read, new Watermark({ floor: since }), most).readBacklog(NOW);

	/** Since the moment of the row that is so many from the end. */
	const last = (count: number) => NOW - (count - 1) * MINUTE;

	test('is asked for from its watermark on, oldest first, a thousand rows a page', async () => {
		const list = listOf({ rows: rows(5) });
		expect(await read(list, last(5))).toEqual({ rows: rows(5), isComplete: true });
		expect(list.asked).toEqual([
			{ number: 1, size: 1000, order: 'oldest first', floor: last(5) },
			{ number: 1, size: 1000, order: 'oldest first', floor: last(5) },
		]);
	});

	// The first page, the search from the end, the page before it and all behind. Those again, where the
	// rows are of more than the ten minutes that the watermark keeps.
	test.each<[number, number[]]>([
		[5, [1, 10, 9, 10]],
		[10, [1, 10, 9, 8, 9, 10]],
		[25, [1, 10, 9, 7, 6, 7, 8, 9, 10, 9, 8, 7, 6]],
		[65, [1, 10, 9, 7, 3, 2, 3, 4, 5, 6, 7, 8, 9, 10, 9, 8, 7, 6, 5, 4, 3, 2]],
		[85, [1, 10, 9, 7, 3, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1]],
	])('of %i rows at the end of a hundred is looked for from there', async (count, numbers) => {
		const list = listOf({ rows: rows(100) });
		const { rows: found, isComplete } = await read(list, last(count));
		expect(found.slice(-1)).toEqual([row(NOW)]);
		expect(found.filter(({ created = 0 }) => created >= last(count))).toHaveLength(count);
		expect(isComplete).toBe(true);
		expect(list.numbers()).toEqual(numbers);
	});

	test.each([
		['two seconds older than its watermark are taken for its beginning', 2000, 1],
		['still older are not', 2001, 2],
	])('rows %s', async (_, age, second) => {
		const list = listOf({ rows: [row(last(20) - age), ...rows(19)] });
		await read(list, last(20));
		expect(list.numbers().slice(0, 2)).toEqual([1, second]);
	});

	test('of a list that does not sort is read to the end', async () => {
		const list = listOf({ rows: rows(30), ignoresSort: true });
		const { rows: found } = await read(list, last(5), { rows: 1, until: 0 });
		expect(found).toHaveLength(30);
		expect(list.numbers().slice(0, 4)).toEqual([1, 1, 2, 3]);
	});

	test('of a list that counts nothing ends with a page that brings nothing new', async () => {
		const list = listOf({ rows: rows(25), counts: false });
		const { rows: found, isComplete } = await read(list, 0);
		expect(found).toHaveLength(25);
		expect(isComplete).toBe(true);
		expect(list.numbers().slice(0, 5)).toEqual([1, 1, 2, 3, 4]);
	});

	test('ends where there is enough for a run, and says that more follows', async () => {
		const list = listOf({ rows: rows(50) });
		const found = await read(list, 0, { ...UNBOUNDED, rows: 15 });
		expect(found.rows).toHaveLength(20);
		expect(found.isComplete).toBe(false);
	});

	test('ends when its time is up, with one row at least', async () => {
		const old = Array.from({ length: 20 }, (_, i) => row(NOW - (500 - i) * MINUTE));
		const list = listOf({ rows: [...old, ...rows(40)] });
		const found = await read(list, last(35), { ...UNBOUNDED, until: 0 });
		expect(found.rows.filter(({ created = 0 }) => created >= last(35))).not.toEqual([]);
		expect(found.isComplete).toBe(false);
		expect(found.rows.length).toBeLessThan(60);
	});

	test('is read again until a reading brings nothing new: rows may move while it is read', async () => {
		const all = rows(30);
		// Two rows go after the first page was read; what was behind them moves up to it.
		const list = listOf({ rows: all, after: (requests) => (requests > 2 ? all.slice(2) : all) });
		const { rows: found } = await read(list, 0);
		expect(found).toEqual(expect.arrayContaining(all));
		expect(list.numbers()).toEqual([1, 1, 2, 3, 2, 1, 2, 3]);
	});

	test('is read six times at most', async () => {
		let shown = 0;
		// Each request shows rows that were never there before.
		const list = listOf({
			rows: rows(20),
			after: () => rows(20).map(({ created }) => row(created, `new ${++shown}`)),
		});
		await read(list, 0);
		expect(list.numbers()).toEqual([1, 1, 2, 1, 2, 1, 2, 1]);
	});
});
