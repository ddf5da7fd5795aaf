import { surveyA } from '../../../nodes/SurveyA/service';
import { hintFor } from '../../../nodes/shared/http/outcome';

// Bodies of Survey A in the contract's form and in other forms that servers use.

test.each<[unknown, number | undefined]>([
	[{ code: 399 }, undefined],
	[{ code: 400 }, 400],
	[{ code: '404' }, 404],
	[{ statusCode: 401 }, 401],
	[{ code: 200, statusCode: 500 }, undefined],
	[{ code: 'none', success: false }, 400],
	[{ success: false }, 400],
	[{ status: 'error' }, 400],
	[{ status: 'queued' }, undefined],
	[[{ code: 500 }], undefined],
	[null, undefined],
])('finds the status inside the body %j: %p', (body, status) => {
	expect(surveyA.embeddedErrorStatus?.(body)).toBe(status);
});

test.each<[unknown, string | undefined]>([
	[{ message: ' Not found. ' }, 'Not found.'],
	[{ error: 'Unauthorized' }, 'Unauthorized'],
	[{ message: 'No', error: 'Bad Request' }, 'No: Bad Request'],
	[{ message: 'No.', error: 'Bad Request' }, 'No. Bad Request'],
	[{ message: 'Why?', error: 'Bad Request' }, 'Why? Bad Request'],
	[{ message: 'Version 1.2', detail: 'Now' }, 'Version 1.2: Now'],
	[{ message: 'Same', error: 'Same' }, 'Same'],
	[{ message: 'One', error: 'Two', detail: 'Three' }, 'One: Two'],
	[
		{ message: 'Unprocessable', errors: { 'subscribers[1].tags': ['is too long'] } },
		'Unprocessable: is too long',
	],
	[{ message: ['One', '', 'Two'] }, 'One; Two'],
	[{ message: { email: ['is bad'], tags: { name: 'is long' } } }, 'is bad; is long'],
	[{ message: { message: 'Inside', code: 7 } }, 'Inside'],
	[
		{ message: 'Validation failed', error: '"subscribers[0].first_name" must be a string' },
		'Validation failed: "subscribers[0].first_name" must be a string',
	],
	[{ message: 7 }, undefined],
	['Down for maintenance', 'Down for maintenance'],
	[' <html>Down</html>', undefined],
	[['a list'], undefined],
	[null, undefined],
])('finds the message in the body %j: %p', (body, words) => {
	expect(surveyA.messageIn(body)).toBe(words);
});

test.each([
	['Validation failed', "If it has a date, choose another 'Date Format'"],
	['Validation failed: "Since" must be a valid date', "choose another 'Date Format'"],
	['Validation failed: page must be a number', 'Correct the value that the message names'],
])('says for "%s": %s', (message, hint) => {
	expect(hintFor(surveyA, message, 400)).toContain(hint);
});

test('shows only the beginning of a long message', () => {
	expect(surveyA.messageIn('x'.repeat(301))).toBe('x'.repeat(300));
});

const refusal = (...data: unknown[]) => ({ code: 400, message: 'No', data });

test.each<[unknown, unknown[]]>([
	[
		refusal({ email: 'a@x.example', status: 'fail', reason: 'Bad' }),
		[{ key: 'a@x.example', reason: 'Bad' }],
	],
	[
		refusal({ email: 'a@x.example', status: 'FAILED', reason: { message: 'Bad' } }),
		[{ key: 'a@x.example', reason: 'Bad' }],
	],
	[refusal({ email: 'a@x.example' }), [{ key: 'a@x.example', reason: '' }]],
	[refusal({ email: 'a@x.example', status: 'queued' }), []],
	[refusal({ email: 'a@x.example', status: 'did not fail' }), []],
	[refusal({ status: 'fail', reason: 'Bad' }), []],
	[refusal('a@x.example'), []],
	[{ data: { email: 'a@x.example' } }, []],
	[[{ email: 'a@x.example' }], []],
])('finds the refused rows in the body %j: %j', (body, rows) => {
	expect(surveyA.refusedItems?.(body)).toEqual(rows);
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
	[
		{ data: { rows: [row], total: 9, pages: 9, limit: 4 } },
		'rows',
		{ total: 9, pages: 9, size: 4 },
	],
	[
		{ data: { rows: [row], total: 1, pages: 1, limit: 4 } },
		'rows',
		{ total: 1, pages: 1, size: 4 },
	],
	[{ data: { rows: [row], total: 1, pages: 2, limit: 4 } }, 'rows', { pages: 2, size: 4 }],
	[{ data: { rows: [row], total: 0 } }, 'rows', {}],
	[{ data: { rows: [row], total: '9', pages: '3' } }, 'rows', { total: 9, pages: 3 }],
	[{ data: { rows: [row], total: 'many', pages: -1 } }, 'rows', {}],
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
