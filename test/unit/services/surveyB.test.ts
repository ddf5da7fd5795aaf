import { hintFor } from '../../../nodes/shared/http/outcome';
import { surveyB } from '../../../nodes/SurveyB/service';

// Bodies of Survey B in the contract's form and in other forms that servers use.

test.each<[unknown, string | undefined]>([
	[{ detail: 'Not found.' }, 'Not found.'],
	[{ error: 'No', message: 'Not now' }, 'No; Not now'],
	[{ non_field_errors: ['Bad'] }, 'Bad'],
	[{ email: ['Enter a valid email address.'] }, "'Email': Enter a valid email address."],
	[{ email: ['One.', 'Two.'] }, "'Email': One.; 'Email': Two."],
	[{ contact: { email: ['Bad'], detail: 'Odd' } }, "'Email': Bad; Odd"],
	[{ 0: { email: 'Bad' } }, "'Email': Bad"],
	[['One', { a: 'Two' }], "One; 'A': Two"],
	[{ from_user: ['User is not a member.'] }, "'From User': User is not a member."],
	[{ campaign_id: ['This field is required.'] }, "'Campaign' is required."],
	[{ attributes: { a$: ['This field is bad.'] } }, "'a$' is bad."],
	[{ email: ['Enter this field.'] }, "'Email': Enter this field."],
	[{ email: ['Its user is not a member.'] }, "'Email': Its user is not a member."],
	[{ contact: { attributes: { 'a.b$': ['Bad'] } } }, "'a.b$': Bad"],
	[{ attributes: { plan: { size: ['Bad'] } } }, "'plan.size': Bad"],
	[{ attributes: ['Bad'] }, "'Attributes': Bad"],
	[{ address2: { 12: ['Bad'] } }, "'Address2': Bad"],
	[{ '2nd_line': ['Bad'] }, "'2nd Line': Bad"],
	[{ paid__idea: ['Bad'] }, "'Paid Idea': Bad"],
	[{ tags: [{ name: ['Bad'] }] }, "'Name': Bad"],
	[{ bcc: 'a', contact_list: 'b' }, "'Bcc': a; 'Contact List': b"],
	[{ survey__campaign: ['Bad'] }, "'Survey Campaign': Bad"],
	[{ email: [] }, undefined],
	['Throttled', 'Throttled'],
	['<html>Bad gateway</html>', undefined],
	[null, undefined],
])('finds the message in the body %j: %p', (body, words) => {
	expect(surveyB.messageIn(body)).toBe(words);
});

test.each<[unknown, unknown[]]>([
	[
		{ emails: { 0: ['Bad'], 12: ['One', 'Two'] } },
		[
			{ key: 0, isDone: false, reason: 'Bad' },
			{ key: 12, isDone: false, reason: 'One; Two' },
		],
	],
	[{ emails: ['Bad'] }, []],
	[{ email: { 0: ['Bad'] } }, []],
	[['Bad'], []],
])('finds the refused rows in the body %j: %j', (body, rows) => {
	expect(surveyB.itemResults?.(body)).toEqual(rows);
});

test('says for a rate limit which field of the credential slows requests down', () => {
	expect(hintFor(surveyB, 'Request was throttled.', 429)).toContain("'Requests per Minute'");
});

test('does not search for a status in a 200', () => {
	expect(surveyB.embeddedError?.({ code: 400, success: false })).toBeUndefined();
});

test.each([
	[1, {}],
	[2, { page: 2 }],
])('requests page %i with the query %j', (page, query) => {
	expect(surveyB.pageQuery(page, 100)).toEqual(query);
});

const row = { id: 1 };

test.each<[unknown, unknown]>([
	[
		{ count: 9, next: null, results: [row] },
		{ total: 9, next: null },
	],
	[{ count: '9', results: [row] }, { total: 9 }],
	[
		{ next: 'http://inside/api/?page=2&score=9', results: [row] },
		{ next: { page: '2', score: '9' } },
	],
	[{ next: '/api/?cursor=x%3D', results: [row] }, { next: { cursor: 'x=' } }],
	[{ next: '?page=2', results: [row] }, { next: { page: '2' } }],
	[{ next: 'http://', results: [row] }, { next: undefined }],
	[{ next: true, results: [row] }, { next: undefined }],
	[{ next: false, results: [row] }, { next: null }],
	[{ next: 2, results: [row] }, { next: undefined }],
	[
		{ count: 0, results: null },
		{ total: 0, records: [] },
	],
	[[row], {}],
])('reads the page in the body %j', (body, more) => {
	expect(surveyB.readPage(body, '')).toEqual({ records: [row], ...Object(more) });
});

test.each([{}, { results: null }, { results: 'none' }, { results: [1] }, ['text'], 'text', null])(
	'rejects %j as a page',
	(body) => {
		expect(surveyB.readPage(body, '')).toBeUndefined();
	},
);

test('accepts an empty list as a page, bare or not', () => {
	expect(surveyB.readPage([], '')).toMatchObject({ records: [] });
	expect(surveyB.readPage({ results: [] }, '')).toMatchObject({ records: [] });
});
