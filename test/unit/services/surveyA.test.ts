import type { IDataObject } from 'n8n-workflow';

import { surveyA } from '../../../nodes/SurveyA/service';
import { hintFor } from '../../../nodes/shared/http/outcome';

// Bodies of Survey A in the contract's form and in other forms that servers use.

test.each<[unknown, number | undefined]>([
	[{ code: 399 }, undefined],
	[{ code: 400 }, 400],
	[{ code: '404' }, 404],
	[{ statusCode: 401 }, 401],
	[{ code: 200, statusCode: 500 }, undefined],
	[{ status: 'queued' }, undefined],
	[[{ code: 500 }], undefined],
	[null, undefined],
])('finds the status inside the body %j: %p', (body, status) => {
	expect(surveyA.embeddedError?.(body)).toEqual(status && { status });
});

test.each([{ code: 'none', success: false }, { success: false }, { status: 'error' }])(
	'finds an error without a status in the body %j',
	(body) => {
		expect(surveyA.embeddedError?.(body)).toEqual({});
	},
);

test.each<[unknown, string | undefined]>([
	[{ message: ' Not found. ' }, 'Not found.'],
	[{ error: 'Unauthorized' }, 'Unauthorized'],
	[{ message: 'No', error: 'Bad Request' }, 'No. Bad Request'],
	[{ message: 'No.', error: 'Bad Request' }, 'No. Bad Request'],
	[{ message: 'Why?', error: 'Bad Request' }, 'Why? Bad Request'],
	[{ message: 'Version 1.2', detail: 'Now' }, 'Version 1.2. Now'],
	[{ message: 'Same', error: 'Same' }, 'Same'],
	[{ message: 'One', error: 'Two', detail: 'Three' }, 'One. Two. Three'],
	[
		{ message: 'Unprocessable', errors: { 'subscribers[1].tags': ['is too long'] } },
		'Unprocessable. is too long',
	],
	[{ message: ['One', '', 'Two'] }, 'One; Two'],
	[{ message: { email: ['is bad'], tags: { name: 'is long' } } }, 'is bad; is long'],
	[{ message: { message: 'Inside', code: 7 } }, 'Inside'],
	[
		{ message: 'Validation failed', error: '"subscribers[0].first_name" must be a string' },
		'Validation failed. "subscribers[0].first_name" must be a string',
	],
	[{ message: 7 }, undefined],
	['Down for maintenance', 'Down for maintenance'],
	[' <html>Down</html>', undefined],
	[['a list'], undefined],
	[null, undefined],
])('finds the message in the body %j: %p', (body, words) => {
	expect(surveyA.messageIn(body)).toBe(words);
});

test.each<[string, string, number?]>([
	['Validation failed', "If it has a date, choose another 'Date Format'"],
	['Validation failed: "Since" must be a valid date', "choose another 'Date Format'"],
	['Validation failed: page must be a number', 'Correct the value that the message names'],
	['There is no transactional NPS campaign', 'Activate a transactional', 404],
])('says for "%s": %s', (message, hint, status = 400) => {
	expect(hintFor(surveyA, message, status)).toContain(hint);
});

test('shows only the beginning of a long message', () => {
	expect(surveyA.messageIn('x'.repeat(301))).toBe('x'.repeat(300));
});

const refusal = (...data: unknown[]) => ({ code: 400, message: 'No', data });

const key = 'a@x.example';

test.each<[IDataObject, boolean, string]>([
	[{ email: key, status: 'fail', reason: 'Bad' }, false, 'Bad'],
	[{ email: key, status: 'FAILED', reason: { message: 'Bad' } }, false, 'Bad'],
	[{ email: key }, false, ''],
	[{ email: key, status: null, id: '' }, false, ''],
	[{ email: key, id: '64b', reason: 'Bad' }, false, 'Bad'],
	[{ email: key, unsubscribed: false }, false, ''],
	[{ email: key, deleted: true, error: 'Bad' }, false, ''],
	[{ email: key, status: 'queued' }, true, ''],
	[{ email: key, unsubscribed: true }, true, ''],
	[{ email: key, deleted: 'true' }, true, ''],
	[{ email: key, id: '64b' }, true, ''],
	[{ email: key, createdDate: '2026-11-01' }, true, ''],
])('reads the result of a customer %j: is it done? %j, %j', (row, isDone, reason) => {
	expect(surveyA.itemResults?.(refusal(row))).toEqual([{ key, isDone, reason }]);
	expect(surveyA.itemResults?.({ data: { subscribers: [row] } })).toHaveLength(1);
});

test('a result that names no customer has no key', () => {
	const results = surveyA.itemResults?.(refusal({ status: 'fail', reason: 'Bad' }));
	expect(results).toEqual([{ key: '', isDone: false, reason: 'Bad' }]);
});

test.each([
	refusal(key),
	{ data: { email: key } },
	{ [key]: 7 },
	{ account: { email: key, id: '7' } },
])('finds no results of customers in the body %j', (body) => {
	expect(surveyA.itemResults?.(body)).toEqual([]);
});

const row = { id: 1 };

test.each<[unknown, string, unknown]>([
	[
		{ data: { rows: [row], total: 9, pages: 3, limit: 4 } },
		'rows',
		{ total: 9, pages: 3, size: 4 },
	],
	[
		{ data: { rows: [row] }, total: 9, pages: 3, limit: 4 },
		'rows',
		{ total: 9, pages: 3, size: 4 },
	],
	[{ data: { rows: [row], total: 9 }, total: 8 }, 'rows', { total: 9 }],
	[{ data: { rows: [row], total: '9', limit: '3' } }, 'rows', { total: 9, size: 3 }],
	[{ data: { rows: [row], total: 'many', limit: -1 } }, 'rows', {}],
	[{ data: [row] }, 'rows', {}],
	[{ rows: [row] }, 'rows', {}],
	[{ data: { other: [] }, rows: [row] }, 'rows', {}],
	[[row], 'rows', {}],
	[[row], '', {}],
])('reads the page in the body %j', (body, key, more) => {
	expect(surveyA.readPage(body, key)).toEqual({ records: [row], ...Object(more) });
});

test.each<[unknown, string]>([
	[[], 'rows'],
	[{ data: { rows: 'none' } }, 'rows'],
	[{ data: { rows: [1] } }, 'rows'],
	[{ data: null }, 'rows'],
	['text', 'rows'],
	[null, 'rows'],
])('rejects %j as a page', (body, key) => {
	expect(surveyA.readPage(body, key)).toBeUndefined();
});

test.each([
	{ data: { rows: null, total: 0 } },
	{ data: { rows: null } },
	{ data: { total: 0, page: 1 } },
	{ data: null, total: 0 },
])('accepts %j as a page without records', (body) => {
	expect(surveyA.readPage(body, 'rows')).toMatchObject({ records: [] });
});

test('accepts an empty bare array as a page if the response is the list itself', () => {
	expect(surveyA.readPage([], '')).toEqual({ records: [] });
});
