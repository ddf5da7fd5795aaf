import type { IDataObject } from 'n8n-workflow';

import type { ResponseSchema } from '../../../nodes/shared/http/json';
import { SurveyError } from '../../../nodes/shared/http/surveyError';
import { get } from '../../../nodes/shared/http/request';
import type { ApiRequest } from '../../../nodes/shared/http/request';
import type { Page } from '../../../nodes/shared/http/service';
import { PageFetcher } from '../../../nodes/shared/pagination/pages';
import type { ListRequest } from '../../../nodes/shared/pagination/pages';
import { surveyA } from '../../../nodes/SurveyA/service';

// How pages are asked for, and what they tell of how many there are.

const rows = (count: number) => Array.from({ length: count }, (_, id) => ({ id }));

/** A list at a service that answers each page in turn, a refusal where it is a number. */
function list(answers: Array<IDataObject | number>, more: Partial<ListRequest> = {}) {
	const asked: Array<IDataObject | undefined> = [];
	const logged: string[] = [];
	const client = {
		service: surveyA,
		async send<Answer>({ query }: ApiRequest, schema: ResponseSchema<Answer>): Promise<Answer> {
			const answer = answers[Math.min(asked.length, answers.length - 1)];
			asked.push(query);
			if (typeof answer === 'number')
				throw new SurveyError({ message: `No ${asked.length}`, status: answer });
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

describe('the page size that is asked for', () => {
	test.each<[string, Partial<ListRequest>, IDataObject]>([
		["is the list's", {}, { page: 1, limit: 1000 }],
		['is the limit where that is less', { limit: 7 }, { page: 1, limit: 7 }],
		[
			"is the list's where rows are left out of it",
			{ limit: 7, keeps: () => true },
			{ page: 1, limit: 1000 },
		],
		['is not said where the list comes in one answer', { pageSize: undefined }, {}],
	])('%s', async (_, more, query) => {
		const { fetcher, asked } = list([PAGE], more);
		await fetcher.page(1);
		expect(asked).toEqual([{ sort: 'id', ...query }]);
	});

	test('is smaller where the service refuses it, and in the end its own', async () => {
		const { fetcher, asked } = list([400, 400, PAGE]);
		expect(await fetcher.page(1)).toMatchObject(PAGE);
		await fetcher.page(2);
		expect(asked.map((query) => query?.limit)).toEqual([1000, 100, undefined, undefined]);
	});

	test.each([
		['a limit below it', { limit: 100 }, [100, undefined]],
		['a limit above it', { limit: 101 }, [101, 100, undefined]],
	])('of a hundred is not asked for again with %s', async (_, more, sizes) => {
		const { fetcher, asked } = list([400], more);
		await expect(fetcher.page(1)).rejects.toMatchObject({ details: { message: 'No 1' } });
		expect(asked.map((query) => query?.limit)).toEqual(sizes);
	});

	test('stays where it is refused for another reason', async () => {
		const { fetcher, asked } = list([403]);
		await expect(fetcher.page(1)).rejects.toMatchObject({ details: { status: 403 } });
		expect(asked).toHaveLength(1);
	});
});

test('a later page may be the first that is asked for', async () => {
	const { fetcher, asked } = list([PAGE]);
	await fetcher.page(2);
	expect(asked).toEqual([{ sort: 'id', page: 2, limit: 1000 }]);
});

test.each<[string, IDataObject, number]>([
	['the rows of the first one', { rows: rows(3), total: 10, limit: 1000 }, 3],
	['its stated size, where it holds all rows', { rows: rows(3), total: 3, limit: 1000 }, 1000],
	['its rows, where others follow and are not counted', { rows: rows(3), pages: 2, limit: 9 }, 3],
	['its stated size, where it is the only page', { rows: rows(3), pages: 1, limit: 9 }, 9],
	['its rows, where nothing is said of others', { rows: rows(3), limit: 9 }, 3],
	['its rows, where it states no size', { rows: rows(3), total: 3 }, 3],
])('pages are as large as %s', async (_, answer, size) => {
	const { fetcher } = list([answer]);
	await fetcher.page(1);
	expect(fetcher.size).toBe(size);
});

test('a page that a link names is asked for by the link, and by no number', async () => {
	const { fetcher, asked } = list([PAGE]);
	await fetcher.page(1);
	await fetcher.page(2, { cursor: 'x' });
	expect(asked[1]).toEqual({ sort: 'id', cursor: 'x' });
});

test('every twenty-fifth page is told of in the log', async () => {
	const { fetcher, logged } = list([PAGE]);
	for (const number of [1, 24, 25, 26, 50]) await fetcher.page(number);
	expect(logged).toEqual(['Survey A: page 25 of a list', 'Survey A: page 50 of a list']);
});

describe('how many pages there are', () => {
	test.each<[string, IDataObject, Page, number | undefined]>([
		['by the total', { rows: rows(3), total: 10 }, { rows: [], total: 10 }, 4],
		['by the total, the last one full', { rows: rows(3), total: 9 }, { rows: [], total: 9 }, 3],
		['by what the service states, where that is more', PAGE, { rows: [], total: 10, pages: 9 }, 9],
		['by the total, where the service states less', PAGE, { rows: [], total: 10, pages: 2 }, 4],
		['by what the service states without a total', PAGE, { rows: [], pages: 9 }, 9],
		['unknown', PAGE, { rows: [] }, undefined],
		['unknown without a row', { rows: [], total: 0 }, { rows: [], total: 0 }, undefined],
	])('%s', async (_, first, page, count) => {
		const { fetcher } = list([first]);
		await fetcher.page(1);
		expect(fetcher.countOf(page)).toBe(count);
	});
});

describe('whether more pages follow', () => {
	const full = rows(3);
	test.each<[string, number, Page, boolean]>([
		['a full first page without a total', 1, { rows: full }, true],
		['a full first page that is all', 1, { rows: full, total: 3, pages: 1 }, true],
		['a first page of less that is all', 1, { rows: rows(2), total: 2 }, false],
		['a first page of less, of more in all', 1, { rows: rows(2), total: 4 }, true],
		['a full later page', 2, { rows: full }, true],
		['a later page of less, if nothing states the end', 2, { rows: rows(2) }, true],
		['a later page of less, the last one stated', 2, { rows: rows(2), total: 5 }, false],
		['a page of less, of no stated page', 1, { rows: rows(2), pages: 0 }, false],
		['a full page, of no stated page', 1, { rows: full, pages: 0 }, false],
		['an empty page', 1, { rows: [] }, false],
		['a page with a link', 2, { rows: rows(1), next: { page: '3' } }, true],
		['a full page with the end of the links', 2, { rows: full, next: null }, false],
	])('after %s', async (_, number, page, expected) => {
		const { fetcher } = list([{ rows: full }]);
		await fetcher.page(1);
		expect(fetcher.hasMore(page, number)).toBe(expected);
	});

	test('never after a list that comes in one answer', async () => {
		const { fetcher } = list([{ rows: full }], { pageSize: undefined });
		await fetcher.page(1);
		expect(fetcher.hasMore({ rows: full }, 1)).toBe(false);
	});
});
