import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod/v4';

import { Failure } from '../../../nodes/shared/base/failure';
import { ListReader } from '../../../nodes/shared/paging/listReader';
import type { ListRequest } from '../../../nodes/shared/paging/pages';
import { get } from '../../../nodes/shared/http/request';
import type { ApiRequest } from '../../../nodes/shared/http/request';
import { surveyA } from '../../../nodes/SurveyA/service';
import { surveyB } from '../../../nodes/SurveyB/service';
import { runs } from '../../support/random.mts';

interface Change {
	/** The number of the request after which it happens. */
	after: number;
	remove?: number;
	add?: boolean;
}

/** A list that may change after each response. */
class ChangingList {
	rows: number[];
	requests = 0;
	private next: number;

	constructor(
		count: number,
		private readonly size: number,
		private readonly newestFirst: boolean,
		private readonly changes: Change[],
		private readonly counts = true,
	) {
		this.rows = Array.from({ length: count }, (_, i) => i + 1);
		this.next = count + 1;
	}

	async send<Answer>({ query }: ApiRequest, schema: z.ZodType<Answer>): Promise<Answer> {
		const body = this.page(Number(query?.page ?? 1));
		this.requests++;
		this.changes.filter(({ after }) => after === this.requests).forEach((one) => this.apply(one));
		await Promise.resolve();
		return schema.parse(body);
	}

	private page(number: number): IDataObject {
		const listed = this.newestFirst ? [...this.rows].reverse() : this.rows;
		const from = (number - 1) * this.size;
		if (from > 0 && from >= listed.length) {
			throw new Failure('failed', 'Invalid page.', { status: 404 });
		}
		// Columns of a row may change between two readings.
		const { requests: seenAt } = this;
		const results = listed.slice(from, from + this.size).map((id) => ({ id, seenAt }));
		const next = from + this.size < listed.length ? `http://inside/list?page=${number + 1}` : null;
		return this.counts ? { count: listed.length, next, results } : { next, results };
	}

	private apply({ remove, add }: Change): void {
		if (remove !== undefined && this.rows.length > 0) {
			this.rows.splice(remove % this.rows.length, 1);
		}
		if (add) this.rows.push(this.next++);
	}
}

type Changing = typeof changing extends fc.Arbitrary<infer List> ? List : never;

function readerOf(list: Pick<ChangingList, 'send'>, more: Partial<ListRequest> = {}): ListReader {
	const stats = { writes: 0, retries: 0, rateLimited: 0, waited: 0 };
	const client = { service: surveyB, stats, send: list.send.bind(list) };
	return new ListReader(client, {
		request: get('/list'),
		rowsKey: 'results',
		pageSize: 100,
		identity: (row) => row.id,
		output: (row) => row,
		log: () => {},
		...more,
	});
}

const readList = async (list: ChangingList, more?: Partial<ListRequest>) =>
	await readerOf(list, more).all();

const ids = (rows: IDataObject[]) => rows.map(({ id }) => Number(id));

const quiet = fc.record({
	count: fc.integer({ min: 0, max: 60 }),
	size: fc.integer({ min: 1, max: 9 }),
	newestFirst: fc.boolean(),
	counts: fc.boolean(),
});

const change = fc.record({
	after: fc.integer({ min: 1, max: 40 }),
	remove: fc.option(fc.nat(100), { nil: undefined }),
	add: fc.boolean(),
});

// With one row a page, the order of a list that grows faster than it is read cannot be seen.
const changing = fc.record({
	count: fc.integer({ min: 0, max: 60 }),
	size: fc.integer({ min: 2, max: 9 }),
	newestFirst: fc.boolean(),
	changes: fc.array(change, { maxLength: 12 }),
});

test('an unchanged list comes out completely and in order, with one request a page', async () => {
	await fc.assert(
		fc.asyncProperty(quiet, async ({ count, size, newestFirst, counts }) => {
			const list = new ChangingList(count, size, newestFirst, [], counts);
			const found = ids(await readList(list));
			const rows = Array.from({ length: count }, (_, i) => i + 1);
			expect(found).toEqual(newestFirst ? rows.reverse() : rows);
			const pages = Math.max(1, Math.ceil(count / size));
			// The first page is read once more unless it shows that the newest rows come first.
			const isProven = pages === 1 || newestFirst;
			expect(list.requests).toBeLessThanOrEqual(isProven ? pages : pages + 1);
		}),
		runs(300),
	);
});

test('a limit reads no more pages than it needs', async () => {
	await fc.assert(
		fc.asyncProperty(quiet, fc.integer({ min: 1, max: 70 }), async (of, limit) => {
			const list = new ChangingList(of.count, of.size, of.newestFirst, [], of.counts);
			const reader = readerOf(list, { limit });
			expect(await reader.all()).toHaveLength(Math.min(limit, of.count));
			expect(reader.warnings).toEqual([]);
			const needed = Math.ceil(Math.min(limit, Math.max(1, of.count)) / of.size);
			expect(list.requests).toBe(needed);
		}),
		runs(300),
	);
});

test('rows that are there from start to end come out exactly once in a changing list', async () => {
	let refusals = 0;
	const readChanging = async ({ count, size, newestFirst, changes }: Changing) => {
		const list = new ChangingList(count, size, newestFirst, changes);
		const before = [...list.rows];
		const found = await readList(list).then(ids, (error: unknown) => {
			expect(error).toBeInstanceOf(Failure);
			refusals++;
			return [...list.rows];
		});
		const once = new Set(found);
		const stayed = new Set(list.rows);
		expect(once.size).toBe(found.length);
		expect(before.filter((id) => stayed.has(id) && !once.has(id))).toEqual([]);
	};
	// Lists are read at the same time: pages start in separate turns of the event loop.
	const lists = fc.array(changing, { minLength: 100, maxLength: 100 });
	await fc.assert(
		fc.asyncProperty(lists, async (all) => void (await Promise.all(all.map(readChanging)))),
		runs(50),
	);
	// A list with pages of two rows may shift by whole pages at a time, which is an error.
	expect(refusals).toBeLessThan(50);
});

test.each([
	['newest', true],
	['oldest', false],
])(
	'no row is missed if one is added and one removed after every response, with the %s first',
	async (_, newestFirst) => {
		const changes = Array.from({ length: 400 }, (_, i) => ({ after: i + 1, remove: 0, add: true }));
		const list = new ChangingList(100, 10, newestFirst, changes);
		const before = [...list.rows];
		const found = ids(await readList(list));
		expect(found).toEqual(expect.arrayContaining(before.filter((id) => list.rows.includes(id))));
	},
);

test('a list that changes faster than it can be read in both directions is an error', async () => {
	const asked: number[] = [];
	let last = 0;
	const list = {
		async send<Answer>({ query }: ApiRequest, schema: z.ZodType<Answer>): Promise<Answer> {
			const number = Number(query?.page ?? 1);
			asked.push(number);
			const results = Array.from({ length: number < 4 ? 10 : 0 }, () => ({ id: ++last }));
			const next = number < 3 ? `http://inside/list?page=${number + 1}` : null;
			return schema.parse({ count: 31, results, next });
		},
	};
	const reader = readerOf(list, { pageSize: 10, isByAge: false });
	await expect(reader.all()).rejects.toMatchObject({
		message: expect.stringMatching(
			/^The list changes faster than it can be read \(\d+ rows found in 6 readings\)$/,
		) as string,
		hint: 'Run this at a quieter time, or narrow the list by a filter',
	});
	const pages = (count: number) => Array.from({ length: count }, (_, i) => i + 1);
	const first = [1, 4, 2, 3, ...pages(3), ...pages(7).reverse()];
	expect(asked).toEqual([...first, ...pages(9), ...pages(13).reverse(), ...pages(15)]);
});

/** Returns a list of 30 rows on three pages that states a total of its own at each request. */
function listThatStates(totalAt: (request: number) => number): Pick<ChangingList, 'send'> {
	const list = new ChangingList(30, 10, true, [], false);
	return {
		async send(request, schema) {
			const page = await list.send(request, z.looseObject({}));
			return schema.parse({ ...page, count: totalAt(list.requests) });
		},
	};
}

test('a list whose stated total never stays the same comes out without a warning', async () => {
	const list = listThatStates((request) => 30 + (request % 2));
	const reader = readerOf(list, { isByAge: false });
	expect(await reader.all()).toHaveLength(30);
	expect(reader.warnings).toEqual([]);
});

test.each([
	['the list without a limit', undefined],
	['a limit that the list does not reach', 40],
])('a total that is too high gives a warning with %s', async (_, limit) => {
	const list = listThatStates(() => 35);
	const reader = readerOf(list, { limit });
	expect(await reader.all()).toHaveLength(30);
	expect(reader.warnings.join()).toContain('counts 35 rows, but lists only 30');
});

describe('the number of requests for a list', () => {
	interface Listed {
		newestFirst: boolean;
		changes?: Change[];
		isByAge?: boolean;
	}

	/** Reads 30 rows on three pages. */
	async function readThirty(
		{ newestFirst, changes = [], isByAge }: Listed,
		more: Partial<ListRequest> = {},
	) {
		const list = new ChangingList(30, 10, newestFirst, changes);
		const reader = readerOf(list, { isByAge, ...more });
		const rows = await reader.all();
		return { count: rows.length, requests: list.requests, warnings: reader.warnings };
	}

	const removed = [{ after: 2, remove: 29 }];

	test.each<[string, Listed, number]>([
		['one sweep of an unchanged list with the newest first', { newestFirst: true }, 3],
		['one sweep of an unchanged list with the oldest first', { newestFirst: false }, 4],
		[
			'a second sweep of a changed list with the newest first',
			{ newestFirst: true, changes: removed },
			6,
		],
		[
			'a backward sweep of a changed list with the oldest first',
			{ newestFirst: false, changes: [{ after: 1, remove: 0 }] },
			7,
		],
		[
			'three further sweeps of a list with the newest first that changed in two sweeps',
			{ newestFirst: true, changes: [...removed, { after: 5, remove: 28 }] },
			12,
		],
		[
			'three further sweeps of a changed list without an order, the last two without a new row',
			{ newestFirst: true, changes: removed, isByAge: false },
			12,
		],
	])('is that of %s', async (_, listed, requests) => {
		expect((await readThirty(listed)).requests).toBe(requests);
	});

	test.each([10, 20, 29])('gives no warning about rows behind a limit of %i', async (limit) => {
		for (const newestFirst of [true, false]) {
			const { count, warnings } = await readThirty({ newestFirst }, { limit });
			expect(count).toBe(limit);
			expect(warnings).toEqual([]);
		}
	});
});

describe('a service that sends new rows forever', () => {
	/** Creates a reader of a list with ten new rows on each page. */
	function endless(statedBy: (request: number) => IDataObject) {
		let requests = 0;
		const list = {
			async send<Response>(_: ApiRequest, schema: z.ZodType<Response>): Promise<Response> {
				const first = requests++ * 10;
				const results = Array.from({ length: 10 }, (_, i) => ({ id: first + i }));
				return schema.parse({ ...statedBy(requests), results });
			},
		};
		const reader = readerOf(list, { pageSize: 10 });
		return { reader, requests: () => requests };
	}

	test.each<[string, (request: number) => IDataObject]>([
		['by number', () => ({ count: 20 })],
		['by links', (request) => ({ count: 20, next: `http://inside/list?cursor=${request}` })],
	])('%s is read 100 pages beyond its stated total, with a warning', async (_, statedBy) => {
		const { reader, requests } = endless(statedBy);
		expect(await reader.all()).toHaveLength(1020);
		expect(requests()).toBe(102);
		expect(reader.warnings.join()).toContain('still sent new rows after 102 pages');
	});
});

test('starts again with smaller pages if a later page is too large', async () => {
	const asked: Array<[unknown, unknown]> = [];
	const list = {
		async send<Response>({ query }: ApiRequest, schema: z.ZodType<Response>): Promise<Response> {
			const { page = 1, limit = 50 } = query ?? {};
			asked.push([page, limit]);
			if (limit === 1000 && page === 2) throw new Failure('tooLarge', 'Large');
			const from = (Number(page) - 1) * Number(limit);
			const rows = Array.from({ length: 1500 }, (_, id) => ({ id }));
			return schema.parse({ data: { rows: rows.slice(from, from + Number(limit)), total: 1500 } });
		},
	};
	const client = {
		...list,
		service: surveyA,
		stats: { writes: 0, retries: 0, rateLimited: 0, waited: 0 },
	};
	const reader = new ListReader(client, {
		request: get('/list'),
		rowsKey: 'rows',
		pageSize: 1000,
		identity: (row) => row.id,
		output: (row) => row,
		log: () => {},
	});
	expect(ids(await reader.all())).toEqual(Array.from({ length: 1500 }, (_, id) => id));
	expect(asked.slice(0, 3)).toEqual([
		[1, 1000],
		[2, 1000],
		[1, 100],
	]);
});
