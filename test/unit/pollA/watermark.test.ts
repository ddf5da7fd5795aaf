import type { ListedRow } from '../../../nodes/SurveyA/trigger/listedRow';
import { listedRow } from '../../../nodes/SurveyA/trigger/listedRow';
import {
	newestOf,
	OVERLAP,
	storedWatermark,
	Watermark,
} from '../../../nodes/SurveyA/trigger/watermark';

const NOW = Date.UTC(2026, 10, 21, 12);
const MINUTE = 60_000;

beforeEach(() => void jest.spyOn(Date, 'now').mockReturnValue(NOW));
afterEach(() => jest.restoreAllMocks());

/** Returns rows by their age in minutes; undefined for a row without a date. */
const rows = (...ages: Array<number | undefined>): ListedRow[] =>
	ages.map((age, i) => ({
		key: `row ${i}`,
		created: age === undefined ? undefined : NOW - age * MINUTE,
		data: {},
	}));

const startingAt = (floor: number) => new Watermark({ floor });

const keysOf = ({ known }: Watermark) => [...known.keys()];

describe('the newest date', () => {
	test.each<[string, ListedRow[], number]>([
		['several', rows(5, 1, 3), NOW - MINUTE],
		['several, some without a date', rows(undefined, 2, undefined), NOW - 2 * MINUTE],
		['none is 0', [], 0],
		['none with a date is 0', rows(undefined), 0],
		['one ten minutes ahead', rows(-10), NOW + OVERLAP],
		['one farther ahead is now', rows(-11), NOW],
		['one farther ahead, beside one without a date, is now', rows(-11, undefined), NOW],
		['one farther ahead does not count beside an older one', rows(-11, 3), NOW - 3 * MINUTE],
	])('of rows: %s', (_, among, newest) => expect(newestOf(among)).toBe(newest));
});

describe('the watermark after rows came out', () => {
	test('knows the rows of ten minutes before the newest, and older rows are old', () => {
		const mark = startingAt(0).raised(rows(20, 11, 10, 9.5, 0), true);
		expect(mark.floor).toBe(NOW - OVERLAP);
		expect(keysOf(mark)).toEqual(['row 2', 'row 3', 'row 4']);
	});

	test('keeps known rows by date, oldest first', () => {
		expect(keysOf(startingAt(0).raised(rows(1, 3, 2), true))).toEqual(['row 1', 'row 2', 'row 0']);
	});

	test('never lowers the floor', () => {
		const from = startingAt(NOW - MINUTE);
		expect(from.raised(rows(0.5), true).floor).toBe(NOW - MINUTE);
	});

	test('knows rows without a date, and rows of 1970', () => {
		const mark = startingAt(0).raised(rows(undefined, 1), true);
		expect(mark.known.get('row 0')).toBeUndefined();
		expect(keysOf(mark)).toEqual(['row 0', 'row 1']);
		const epoch: ListedRow = { key: 'epoch', created: 0, data: {} };
		expect(keysOf(startingAt(0).raised([epoch, ...rows(undefined)], true))).toEqual([
			'row 0',
			'epoch',
		]);
	});

	test('knows the latest 10,000 rows without a date', () => {
		const many = rows(...new Array<undefined>(10_001).fill(undefined));
		const mark = startingAt(0).raised(many, true);
		expect(mark.known.size).toBe(10_000);
		expect(mark.known.has('row 0')).toBe(false);
		expect(mark.known.has('row 10000')).toBe(true);
	});

	test('knows at most 50,000 rows: if there are more, the oldest count as old', () => {
		const many = Array.from({ length: 50_002 }, (_, i) => ({
			key: String(i),
			created: NOW - 50_002 + i,
			data: {},
		}));
		const mark = startingAt(0).raised(many, true);
		expect(mark.known.size).toBe(50_000);
		expect(mark.floor).toBe(NOW - 50_000);
		expect(startingAt(0).raised(many, false).known.size).toBe(50_002);
	});

	test('does not change without new rows', () => {
		const mark = startingAt(5);
		expect(mark.raised([], true)).toBe(mark);
	});

	test.each([
		[50_000, 50_000],
		[50_001, 50_000],
	])('without new rows knows %i rows as %i', (count, kept) => {
		const known = new Map(Array.from({ length: count }, (_, i) => [`row ${i}`, NOW - count + i]));
		const mark = new Watermark({ floor: 0, known });
		const raised = mark.raised([], true);
		expect(raised.known.size).toBe(kept);
		expect(raised === mark).toBe(count === kept);
	});

	test('updates the date of a known row', () => {
		const mark = startingAt(0).raised(rows(5), true);
		expect(mark.raised(rows(1), true).known).toEqual(new Map([['row 0', NOW - MINUTE]]));
	});
});

describe('new rows', () => {
	const mark = new Watermark({ floor: NOW - OVERLAP, known: new Map([['row 1', NOW]]) });

	test('are neither known nor old, sorted by date, rows without a date first', () => {
		const found = mark.newAmong(rows(1, 0, 10, 11, undefined, 3));
		expect(found.map(({ key }) => key)).toEqual(['row 4', 'row 2', 'row 5', 'row 0']);
	});

	test('include each row once', () => {
		const [one] = rows(1);
		expect(mark.newAmong(one ? [one, one] : [])).toHaveLength(1);
	});

	test.each([
		[9999, 1],
		[10_000, 0],
	])(
		'include rows without a date only while fewer than 10,000 are known (%i known)',
		(count, fresh) => {
			const known = new Map(
				Array.from({ length: count }, (_, i) => [`old ${i}`, undefined] as const),
			);
			expect(mark.with({ known }).newAmong(rows(undefined))).toHaveLength(fresh);
		},
	);
});

test('a row without a date is new although 10,000 rows with a date are known', () => {
	const known = new Map(Array.from({ length: 10_000 }, (_, i) => [`old ${i}`, NOW]));
	expect(new Watermark({ known }).newAmong(rows(undefined))).toHaveLength(1);
});

describe('the stored watermark', () => {
	test('is read as it was written', () => {
		const undated = startingAt(0).raised(rows(1, 1, undefined, 3), true);
		const known = new Map([...undated.known].map(([key, at]) => [key.padEnd(8, '_'), at]));
		const landmarks = new Map([['landmark', NOW]]);
		const mark = undated.with({ known, landmarks, total: 7, changedAt: 3, readAt: 4 });
		const stored: unknown = JSON.parse(JSON.stringify(mark.toStored()));
		expect(storedWatermark().parse(stored)).toEqual(mark);
	});

	test.each([{}, { floor: 1 }, { floor: 'x', known: {} }, { floor: 1, known: { a: true } }])(
		'is rejected if it is %j',
		(stored) => expect(storedWatermark().safeParse(stored).success).toBe(false),
	);
});

describe('a listed row', () => {
	const date = '2026-11-21T12:00:00Z';

	test('has the key that n8n has stored for it before', () => {
		expect(listedRow({ date }, 'date', 'x').key).toBe('LXEWQrcm');
	});

	test('has a key made of its identity, or of the whole row without one', () => {
		const key = (data: object, identity?: unknown) =>
			listedRow({ ...data, date }, 'date', identity).key;
		expect(key({ a: 1 }, 'x')).toBe(key({ a: 2 }, 'x'));
		expect(key({ a: 1 }, 'x')).not.toBe(key({ a: 1 }, 'y'));
		expect(key({ a: 1 }, ['x', 1])).not.toBe(key({ a: 1 }, ['x', 2]));
		expect(key({ a: 1 })).toBe(key({ a: 1 }));
		expect(key({ a: 1 })).not.toBe(key({ a: 2 }));
		expect(key({ a: 1 }, 'x'.repeat(1000))).toHaveLength(8);
	});

	test.each([
		[date, undefined],
		[undefined, ['data.date: is missing']],
		[null, ['data.date: is missing']],
		['', ['data.date: is missing']],
		['soon', ['data.date: is not a date: "soon"']],
	])('with the date %j has the issues %j', (value, issues) => {
		const row = listedRow({ date: value }, 'date', 'x');
		expect(row.issues).toEqual(issues);
		expect(row.created).toBe(issues ? undefined : NOW);
	});

	test('a listed row with a very long invalid date has a short issue', () => {
		const [issue = ''] = listedRow({ date: 'x'.repeat(10_000) }, 'date', 'x').issues ?? [];
		expect(issue.length).toBeLessThan(150);
	});
});

describe('raising the floor after rows that no reading has seen', () => {
	/** Returns the watermark after a row of half an hour ago. */
	const known = () => startingAt(0).raised(rows(30), true);

	test.each<[string, number, boolean]>([
		['newer by less than the overlap leaves no row behind', 21, false],
		['newer by the overlap leaves no row behind', 20, false],
		['newer by more than the overlap may leave rows behind', 19, true],
	])('a row %s', (_, age, expected) => {
		expect(known().leavesBehind(rows(age))).toBe(expected);
	});

	test('leaves no row behind although there are more than can be remembered', () => {
		const ages = new Array<number>(60_000).fill(21);
		expect(known().leavesBehind(rows(...ages))).toBe(false);
	});

	test('leaves no row behind without new rows', () => expect(known().leavesBehind([])).toBe(false));
});

describe('forgetting rows that have left the list', () => {
	const DAY = 24 * 60;
	/** Returns which of the rows 0 to 3 stay known: one of now, a day ahead, farther ahead, without a date. */
	const kept = (...ages: Array<number | undefined>) => {
		const known = new Map(
			rows(0, -DAY, -DAY - 1, undefined).map(({ key, created }) => [key, created]),
		);
		const page = rows(...ages).map((row, i) => ({ ...row, key: `listed ${i}` }));
		const mark = new Watermark({ floor: 0, known }).withoutRemoved(page);
		return keysOf(mark).map((key) => Number(key.slice(-1)));
	};

	test.each<[string, Array<number | undefined>, number[]]>([
		['shows older rows, newest first', [-1, 3, 3, 5], [0, 1, 3]],
		['shows rows without a date between them', [-1, undefined, 3], [0, 1, 3]],
		['shows rows dated far ahead, and then others', [-DAY - 2, 3], [0, 1, 3]],
		['shows only rows dated far ahead', [-DAY - 2, -DAY - 1], [0, 1, 2, 3]],
		['shows only rows dated far ahead and without a date', [undefined, -DAY - 2], [0, 1, 2, 3]],
		['is not sorted', [-1, 5, 3], [0, 1, 2, 3]],
		['is empty', [], [0, 1, 2, 3]],
	])('a page that %s', (_, ages, expected) => expect(kept(...ages)).toEqual(expected));

	test('keeps a row dated far ahead that is listed', () => {
		const ahead = rows(-DAY - 1);
		const known = new Map(ahead.map(({ key, created }) => [key, created]));
		const mark = new Watermark({ floor: 0, known });
		expect(keysOf(mark.withoutRemoved([...ahead, ...rows(undefined, 3).slice(1)]))).toEqual([
			'row 0',
		]);
	});
});

describe('the rows that identify the account', () => {
	test('are the 20 oldest rows with a date', () => {
		const oldest = rows(undefined, ...Array.from({ length: 21 }, (_, i) => 100 - i));
		const { landmarks } = new Watermark({}).withLandmarks(oldest);
		expect([...landmarks]).toEqual(oldest.slice(1, 21).map(({ key, created }) => [key, created]));
	});

	test('do not include an unknown row without a date', () => {
		const mark = new Watermark({ known: new Map([['known', undefined]]) });
		expect(mark.recognizes(rows(undefined))).toBe(false);
	});
});

test.each<[string, number, number, boolean]>([
	['changed nine minutes before it was read 10 minutes ago', 19, 10, true],
	['changed ten minutes before it was read', 20, 10, false],
	['was read less than ten minutes ago', 15, 9.99, false],
	['changed after it was read ten minutes ago', 5, 10, true],
])('knows whether a list that %s must be read again (case %#)', (_, changed, read, isDue) => {
	const times = { changedAt: NOW - changed * MINUTE, readAt: NOW - read * MINUTE };
	expect(new Watermark(times).isDue).toBe(isDue);
});
