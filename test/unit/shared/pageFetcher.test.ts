import type { IDataObject } from 'n8n-workflow';

import type { ResponseSchema } from '../../../nodes/shared/http/json';
import { Failure } from '../../../nodes/shared/base/failure';
import { get } from '../../../nodes/shared/http/request';
import type { ApiRequest } from '../../../nodes/shared/http/request';
import type { Page } from '../../../nodes/shared/http/service';
import { PageFetcher } from '../../../nodes/shared/paging/pages';
import type { ListRequest } from '../../../nodes/shared/paging/pages';
import { surveyA } from '../../../nodes/SurveyA/service';

const rows = (count: number) => Array.from({ length: count }, (_, id) => ({ id }));

/** Creates a fetcher for a service that returns these responses in turn. A number is the status of an error. */
function list(answers: Array<IDataObject | number>, more: Partial<ListRequest> = {}) {
	const asked: Array<IDataObject | undefined> = [];
	const logged: string[] = [];
	const client = {
		service: surveyA,
		async send<Answer>({ query }: ApiRequest, schema: ResponseSchema<Answer>): Promise<Answer> {
			const answer = answers[Math.min(asked.length, answers.length - 1)];
			asked.push(query);
			if (typeof answer === 'number')
				throw new Failure('failed', `No ${asked.length}`, { status: answer });
			const read = schema.safeParse({ code: 200, data: answer });
			if (!read.success) throw new Error('The page cannot be read');
			return read.data;
		},
	};
	const fetcher = new PageFetcher(client, {
		request: get('/api/v2/x', { sort: 'id' }),
		rowsKey: 'rows',
		pageSize: 1000,
		log: (message) => logged.push(message),
		...more,
	});
	return { fetcher, asked, logged };
}

const PAGE = { rows: rows(3), total: 10 };

describe('the requested page size', () => {
	test.each<[string, Partial<ListRequest>, IDataObject]>([
		["is the list's size", {}, { page: 1, limit: 1000 }],
		['is the limit if that is smaller', { limit: 7 }, { page: 1, limit: 7 }],
		[
			"is the list's size if some rows are left out",
			{ limit: 7, keeps: () => true },
			{ page: 1, limit: 1000 },
		],
		['is absent if the list comes in one response', { pageSize: undefined }, {}],
	])('%s', async (_, more, query) => {
		const { fetcher, asked } = list([PAGE], more);
		await fetcher.page(1);
		expect(asked).toEqual([{ sort: 'id', ...query }]);
	});

	test("becomes 100, and then the service's own, if the service refuses it", async () => {
		const { fetcher, asked } = list([400, 400, PAGE]);
		expect(await fetcher.page(1)).toMatchObject(PAGE);
		await fetcher.page(2);
		expect(asked.map((query) => query?.limit)).toEqual([1000, 100, undefined, undefined]);
	});

	test.each([
		['a limit of 100', { limit: 100 }, [100, undefined]],
		['a limit of 101', { limit: 101 }, [101, 100, undefined]],
	])('of 100 is requested only once with %s', async (_, more, sizes) => {
		const { fetcher, asked } = list([400], more);
		await expect(fetcher.page(1)).rejects.toMatchObject({ message: 'No 1' });
		expect(asked.map((query) => query?.limit)).toEqual(sizes);
	});

	test('does not change after a 403', async () => {
		const { fetcher, asked } = list([403]);
		await expect(fetcher.page(1)).rejects.toMatchObject({ status: 403 });
		expect(asked).toHaveLength(1);
	});
});

test('the page size is that of the first page, even if a page changes before it is read again', async () => {
	const { fetcher } = list([PAGE, { rows: rows(2), total: 10 }]);
	await fetcher.page(1);
	await fetcher.page(1);
	expect(fetcher.size).toBe(3);
});

test('a list that comes in one response is not requested again after a refusal', async () => {
	const { fetcher, asked } = list([400], { pageSize: undefined });
	await expect(fetcher.page(1)).rejects.toMatchObject({ status: 400 });
	expect(asked).toHaveLength(1);
});

test.each([
	[1, true],
	[2, false],
])('a refusal of page %i shows that the size was refused: %p', (number, isSize) => {
	const failure = new Failure('failed', 'No', { status: 400 });
	expect(list([PAGE]).fetcher.shrink(failure, number)).toBe(isSize);
});

test('a later page can be requested first', async () => {
	const { fetcher, asked } = list([PAGE]);
	await fetcher.page(2);
	expect(asked).toEqual([{ sort: 'id', page: 2, limit: 1000 }]);
});

test.each<[string, IDataObject, number]>([
	['the number of rows on the first page', { rows: rows(3), total: 10, limit: 1000 }, 3],
	[
		'the stated size, if the first page holds all rows',
		{ rows: rows(3), total: 3, limit: 1000 },
		1000,
	],
	[
		'the number of rows, if more pages follow without a total',
		{ rows: rows(3), pages: 2, limit: 9 },
		3,
	],
	['the stated size, if there is one page', { rows: rows(3), pages: 1, limit: 9 }, 9],
	['the number of rows, if nothing else is stated', { rows: rows(3), limit: 9 }, 3],
	['the number of rows, if no size is stated', { rows: rows(3), total: 3 }, 3],
])('takes as page size %s', async (_, answer, size) => {
	const { fetcher } = list([answer]);
	await fetcher.page(1);
	expect(fetcher.size).toBe(size);
});

test('a linked page is requested by its link, without a page number', async () => {
	const { fetcher, asked } = list([PAGE]);
	await fetcher.page(1);
	await fetcher.page(2, { cursor: 'x' });
	expect(asked[1]).toEqual({ sort: 'id', cursor: 'x' });
});

test('every 25th page is logged', async () => {
	const { fetcher, logged } = list([PAGE]);
	for (const number of [1, 24, 25, 26, 50]) await fetcher.page(number);
	expect(logged).toEqual(['Survey A: page 25 of a list', 'Survey A: page 50 of a list']);
});

describe('the number of pages', () => {
	test.each<[string, IDataObject, Page, number | undefined]>([
		['follows from the total', { rows: rows(3), total: 10 }, { rows: [], total: 10 }, 4],
		[
			'follows from the total if the last page is full',
			{ rows: rows(3), total: 9 },
			{ rows: [], total: 9 },
			3,
		],
		['is the stated one if that is larger', PAGE, { rows: [], total: 10, pages: 9 }, 9],
		[
			'follows from the total if the stated one is smaller',
			PAGE,
			{ rows: [], total: 10, pages: 2 },
			4,
		],
		['is the stated one without a total', PAGE, { rows: [], pages: 9 }, 9],
		['is unknown without a total and a stated number', PAGE, { rows: [] }, undefined],
		['is unknown without a row', { rows: [], total: 0 }, { rows: [], total: 0 }, undefined],
	])('%s', async (_, first, page, count) => {
		const { fetcher } = list([first]);
		await fetcher.page(1);
		expect(fetcher.countOf(page)).toBe(count);
	});
});

describe('the most pages to read', () => {
	test.each<[string, IDataObject, number]>([
		['are 100 more than stated', { rows: rows(3), pages: 9 }, 109],
		['hold a million rows if nothing states a number', { rows: rows(1000) }, 1000],
		['are a million after an empty page', { rows: [] }, 1_000_000],
	])('%s', async (_, first, most) => {
		const { fetcher } = list([first]);
		expect(fetcher.mostPages(await fetcher.page(1))).toBe(most);
	});
});

describe('more pages follow', () => {
	const full = rows(3);
	test.each<[string, number, Page, boolean]>([
		['yes after a full first page without a total', 1, { rows: full }, true],
		[
			'yes after a full first page that states one page',
			1,
			{ rows: full, total: 3, pages: 1 },
			true,
		],
		['no after a partial first page with all rows', 1, { rows: rows(2), total: 2 }, false],
		['yes after a partial first page if the total is larger', 1, { rows: rows(2), total: 4 }, true],
		['yes after a full later page', 2, { rows: full }, true],
		['yes after a partial later page if nothing states the end', 2, { rows: rows(2) }, true],
		['no after the last stated page', 2, { rows: rows(2), total: 5 }, false],
		['no after a partial page that states 0 pages', 1, { rows: rows(2), pages: 0 }, false],
		['no after a full page that states 0 pages', 1, { rows: full, pages: 0 }, false],
		['no after an empty page', 1, { rows: [] }, false],
		['yes after a page with a link', 2, { rows: rows(1), next: { page: '3' } }, true],
		['no after a full page whose link is null', 2, { rows: full, next: null }, false],
	])('%s', async (_, number, page, expected) => {
		const { fetcher } = list([{ rows: full }]);
		await fetcher.page(1);
		expect(fetcher.hasMore(page, number)).toBe(expected);
	});

	test('no if the list comes in one response', async () => {
		const { fetcher } = list([{ rows: full }], { pageSize: undefined });
		await fetcher.page(1);
		expect(fetcher.hasMore({ rows: full }, 1)).toBe(false);
	});
});
