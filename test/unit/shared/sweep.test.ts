import type { IDataObject } from 'n8n-workflow';

import { ageOf, isNewer, orderOf, Sweep } from '../../../nodes/shared/paging/sweep';
import { fetchPage, isLinked } from '../../../nodes/shared/paging/pages';
import { Failure } from '../../../nodes/shared/base/failure';
import { get } from '../../../nodes/shared/http/request';
import { surveyA } from '../../../nodes/SurveyA/service';
import { surveyB } from '../../../nodes/SurveyB/service';

const AGE_FIELDS = ['createdDate', 'created', 'created_date', 'sentDate', 'id'];

const page = (...ids: number[]) => ({ rows: ids.map((id) => ({ id })) });

test.each<[string, number[], number[], string | undefined]>([
	['rows with rising ages', [1, 2, 3], [9], 'oldest first'],
	['rows with falling ages', [3, 2, 1], [0], 'newest first'],
	['rows that rise at the end only', [1, 1, 2], [9], 'oldest first'],
	['rows that fall at the end only', [2, 2, 1], [0], 'newest first'],
	['rows with rising ages before an older one', [1, 2], [0], 'oldest first'],
	['rows with falling ages before a newer one', [2, 1], [9], 'newest first'],
	['rows that do both', [1, 3, 2], [9], undefined],
	['rows of one age before newer ones', [1, 1], [2], 'oldest first'],
	['rows of one age before older ones', [2, 2], [1], 'newest first'],
	['a single row before a newer one', [1], [0, 2], 'oldest first'],
	['rows of one age everywhere', [1, 1], [1], undefined],
	['no rows', [], [], undefined],
])('finds the order of %s', (_, first, last, order) => {
	expect(orderOf(page(...first), page(...last), AGE_FIELDS)).toBe(order);
});

test.each<[IDataObject | undefined, unknown]>([
	[{ createdDate: 'a', created: 'b', created_date: 'c', sentDate: 'd', id: 1 }, 'a'],
	[{ created: 'b', created_date: 'c', sentDate: 'd', id: 1 }, 'b'],
	[{ created_date: 'c', sentDate: 'd', id: 1 }, 'c'],
	[{ sentDate: 'd', id: 1 }, 'd'],
	[{ createdDate: null, id: 1 }, 1],
	[{ id: true }, undefined],
	[{}, undefined],
	[undefined, undefined],
])('the age of %j is %p', (row, age) => expect(ageOf(row, AGE_FIELDS)).toBe(age));

test.each<[string | number | undefined, string | number | undefined, boolean]>([
	[2, 1, true],
	[1, 2, false],
	[1, 1, false],
	['b', 'a', true],
	['2', 1, false],
	[undefined, 1, false],
	[1, undefined, false],
])('compares the ages %p and %p: newer %p', (one, other, expected) => {
	expect(isNewer(one, other)).toBe(expected);
});

describe('a sweep', () => {
	const read = (pages: number[][], totals: Array<number | undefined>) => {
		const sweep = new Sweep(new Map(), AGE_FIELDS);
		pages.forEach((ids, i) => {
			sweep.begin({ ...page(...ids), total: totals[i] }, i + 1);
			ids.forEach((id) => sweep.add(String(id), { id }, i + 1));
		});
		return sweep;
	};

	test.each<[string, number[][], Array<number | undefined>, boolean]>([
		[
			'all rows',
			[
				[4, 3],
				[2, 1],
			],
			[4, 4],
			true,
		],
		['a row too few', [[4, 3], [2]], [4, 4], false],
		['all of the rows that were there when it began', [[4, 3], [3, 2], [1]], [4, 5, 5], true],
		[
			'rows that were added in place of an old one',
			[
				[4, 3],
				[5, 2],
			],
			[4, 5],
			false,
		],
		['no total', [[4, 3], [2]], [undefined, undefined], true],
	])('counts %s if the newest rows come first', (_, pages, totals, isAll) => {
		expect(read(pages, totals).countsAll('newest first')).toBe(isAll);
	});

	test.each<[string, number[][], number[], boolean]>([
		['all rows', [[1, 2], [3]], [3, 3], true],
		['a row too few', [[1, 2], [2]], [3, 3], false],
		['as many rows, but the list changed', [[1, 2], [3]], [3, 4], false],
	])('counts %s if the list has no order', (_, pages, totals, isAll) => {
		expect(read(pages, totals).countsAll(undefined)).toBe(isAll);
	});

	test.each<[string, number[][], boolean]>([
		[
			'the same rows again',
			[
				[1, 2],
				[1, 2],
			],
			true,
		],
		['fewer of them', [[1, 2], [1]], false],
		[
			'others',
			[
				[1, 2],
				[3, 4],
			],
			false,
		],
	])('knows whether a second page with %s repeats the first one (case %#)', (_, pages, repeats) => {
		expect(read(pages, []).repeatsFirstPage).toBe(repeats);
	});

	test('that read the last page second counts the rows that were there then', () => {
		const sweep = new Sweep(new Map(), AGE_FIELDS);
		const tail = { ...page(5, 6), total: 6 };
		sweep.begin({ ...page(1, 2), total: 6 }, 1);
		[1, 2].forEach((id) => sweep.add(String(id), { id }, 1));
		sweep.beginAtTail(tail);
		[5, 6].forEach((id) => sweep.add(String(id), { id }, 3));
		expect(sweep.countsAll('oldest first')).toBe(false);
		// A row added later is no evidence for one that was there.
		sweep.add('7', { id: 7 }, 3);
		sweep.add('3', { id: 3 }, 2);
		expect(sweep.countsAll('oldest first')).toBe(false);
		sweep.add('4', { id: 4 }, 2);
		expect(sweep.countsAll('oldest first')).toBe(true);
	});

	test('a sweep whose last page was emptied proves nothing', () => {
		const sweep = read([[1, 2]], [2]);
		sweep.beginAtTail({ rows: [], total: 2 });
		expect(sweep.countsAll('oldest first')).toBe(false);
	});
});

describe('a page', () => {
	const answering = (failure: Failure) => ({
		service: surveyA,
		send: async () => await reject(failure),
	});
	const reject = async (failure: Failure): Promise<never> => await Promise.reject(failure);
	const none = { rows: [], next: null };

	test.each([
		[1, 'Not found', 404, false],
		[2, 'Not found', 404, true],
		[1, 'No transactional NPS campaign', 404, true],
		[2, 'No', 400, false],
	])(
		'%i with the error %j (HTTP %i) counts as empty: %p',
		async (number, message, status, isEmpty) => {
			const failure = new Failure('failed', message, { status });
			const reading = fetchPage(answering(failure), get('/api/v2/x'), 'rows', number);
			if (isEmpty) expect(await reading).toEqual(none);
			else await expect(reading).rejects.toBe(failure);
		},
	);

	test.each<[IDataObject | null | undefined, boolean]>([
		[{ cursor: 'x' }, true],
		[{ page: 2 }, false],
		[null, false],
		[undefined, false],
	])('with %j as its next page is linked: %p', (next, isIt) => {
		expect(isLinked({ rows: [], next })).toBe(isIt);
	});

	test.each([
		['https://inside.example/api/v2/x/?page=2&limit=100', { page: '2', limit: '100' }],
		['/api/v2/x/?cursor=a%20b', { cursor: 'a b' }],
		['http://[', null],
		[null, null],
		[7, null],
		[undefined, undefined],
	])('of Survey B with the link %j has the next query %j', (next, query) => {
		const body = next === undefined ? { results: [] } : { results: [], next };
		expect(surveyB.readPage(body, 'results')?.next).toEqual(query);
	});
});
