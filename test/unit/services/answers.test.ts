import type { IDataObject } from 'n8n-workflow';

import { anyObject, jsonValue, maybeEmpty, objectWith } from '../../../nodes/shared/http/json';
import { SurveyError } from '../../../nodes/shared/http/surveyError';
import {
	confirmation,
	customerFailure,
	customerResult,
	envelope,
	namedCustomers,
	onlyRecord,
	recordsIn,
} from '../../../nodes/SurveyA/records/responses';
import { momentIn } from '../../../nodes/SurveyA/records/moment';
import { surveyA, textIn } from '../../../nodes/SurveyA/service';
import { simplified } from '../../../nodes/shared/recordForms';
import {
	feedback as feedbackForms,
	feedbackFromResponse,
} from '../../../nodes/SurveyB/records/feedback';
import { contactFromResponse } from '../../../nodes/SurveyB/records/contact';
import {
	campaignIdOf,
	metricFromResponse,
	metrics as metricsForms,
} from '../../../nodes/SurveyB/records/metric';
import { surveyB } from '../../../nodes/SurveyB/service';
import { METRIC_NUMBERS } from '../../support/metrics';

// How answers are read: in the contract's form, and in those that servers have.

const ADA = 'ada@acme.example';
const row = (more: IDataObject = {}) => ({ email: ADA, ...more });

describe('what Survey A says of customers', () => {
	const named = (body: unknown) => namedCustomers.parse(body);
	const saidOf = (body: unknown, done?: 'unsubscribed' | 'deleted') =>
		customerResult(named(body), ADA, done);

	test.each<[string, unknown]>([
		['in a list', { data: { subscribers: [row({ id: '1' })] } }],
		['in a list beside the envelope', { code: 200, subscribers: [row({ id: '1' })] }],
		['in a list as the data', { data: [row({ id: '1' })] }],
		['by address', { data: { [ADA]: { id: '1' } } }],
		['by address in another case', { data: { 'ADA@acme.example': row({ id: '1' }) } }],
		['in a bare list', [row({ id: '1' })]],
	])('%s', (_, body) => expect(saidOf(body)).toEqual(row({ id: '1' })));

	test.each<[string, unknown]>([
		['has no list', { message: 'OK' }],
		[
			'shows one page of more',
			{ data: { subscribers: [row({ email: 'x@y.example' })], total: 9 } },
		],
	])('a response that %s leaves the customer unconfirmed', (_, body) => {
		expect(saidOf(body)).toEqual({ email: ADA, confirmed: false });
	});

	test.each<[string, unknown]>([
		['an empty list', { code: 200, data: [] }],
		['an empty object of customers', { code: 200, data: {} }],
		['texts in place of customers', { data: { [ADA]: 'done' } }],
		['a row without an address', { data: { subscribers: [{ id: '1' }] } }],
	])('%s is a failure: the customer was not confirmed', (_, body) => {
		expect(saidOf(body)).toBeInstanceOf(SurveyError);
	});

	test('of others only is no confirmation', () => {
		const said = saidOf({ data: { subscribers: [row({ email: 'x@y.example' })] } });
		expect(said).toBeInstanceOf(SurveyError);
		expect(said).toMatchObject({
			details: { message: `${ADA}: Survey A did not confirm this customer`, uncertain: true },
		});
	});

	test.each<[IDataObject, string]>([
		[{ status: 'failed', reason: 'Unsubscribed' }, `${ADA}: Unsubscribed`],
		[{ status: 'Error', message: 'No' }, `${ADA}: No`],
		[{ status: 'fail', reason: [{ message: 'One' }, 'Two'] }, `${ADA}: One; Two`],
		[{ status: 'fail' }, `${ADA}: Survey A could not process this customer`],
		[{ deleted: false }, `${ADA}: Survey A could not process this customer`],
	])('%j is a failure', (more, words) => {
		const said = saidOf({ data: { subscribers: [row(more)] } }, 'deleted');
		expect(said).toMatchObject({ details: { message: words } });
	});

	test.each<[IDataObject, 'unsubscribed' | 'deleted' | undefined]>([
		[{ deleted: true }, 'deleted'],
		[{}, 'deleted'],
		[{ deleted: false }, undefined],
		[{ deleted: false }, 'unsubscribed'],
		[{ status: 'ok' }, 'deleted'],
		[{ status: 'not failed' }, 'deleted'],
	])('%j is none where %s was to be done', (more, done) => {
		expect(saidOf({ data: { subscribers: [row(more)] } }, done)).toEqual(row(more));
	});

	test('a failure has advice of its own', () => {
		const advice = (reason: string) =>
			customerFailure(named({ data: [row({ status: 'failed', reason })] }), ADA)?.details.hint;
		expect(advice('Invalid email address')).toMatch(/^Correct the email/);
		expect(advice('Never seen')).toBe('Correct the row, or remove it');
	});

	test('no failure is said of others, of those that went well, and by an answer without customers', () => {
		const failed = named({ data: [row({ status: 'failed' })] });
		expect(customerFailure(failed, 'x@y.example')).toBeUndefined();
		expect(customerFailure(named({ data: [row()] }), ADA)).toBeUndefined();
		expect(customerFailure(named({ message: 'OK' }), ADA)).toBeUndefined();
	});

	test.each([['<html>'], [null], [7], [{ id: 1 }], ['']])('%j is no answer to a batch', (body) => {
		expect(namedCustomers.safeParse(body).success).toBe(false);
	});
});

test.each<[unknown, boolean]>([
	...['code', 'message', 'data', 'success', 'status'].map((name): [unknown, boolean] => [
		{ [name]: 1 },
		true,
	]),
	[{}, false],
	[{ id: 1 }, false],
	[[], false],
	['OK', false],
])('%j confirms: %p', (body, confirms) => {
	expect(envelope.safeParse(body).success).toBe(confirms);
	expect(confirmation.safeParse(body).success).toBe(confirms);
});

test('a confirmation tells its status, and of customers what it says of them', () => {
	expect(confirmation.parse({ status: 'success' }).status).toBe('success');
	expect(confirmation.parse({ data: [row()] }).named.rows.get(ADA)).toEqual(row());
});

describe('one record of Survey A', () => {
	const read = (body: unknown) => recordsIn('companies').safeParse(body).data;

	test.each<[string, unknown, unknown]>([
		['in a list of one', { data: { companies: [{ id: '1' }] } }, [{ id: '1' }]],
		['bare in the data', { data: { id: '1' } }, [{ id: '1' }]],
		['bare', { id: '1' }, [{ id: '1' }]],
		['in the data and beside it', { id: '2', data: { id: '1' } }, [{ id: '1' }]],
		['in an empty list', { data: { companies: [] } }, []],
		['nowhere', { data: { name: 'x' } }, undefined],
		['in no JSON', '<html>', undefined],
	])('%s', (_, body, records) => expect(read(body)).toEqual(records));

	test('is told by the name that its kind has', () => {
		expect(recordsIn('reports', 'campaignId').parse({ data: { campaignId: 'c' } })).toEqual([
			{ campaignId: 'c' },
		]);
	});

	test('that is not there is a 404, in the words of the service', () => {
		expect(onlyRecord([{ id: '1' }, { id: '2' }], 'x')).toEqual({ id: '1' });
		expect(() => onlyRecord([], 'Customer not found')).toThrow(
			expect.objectContaining({
				details: expect.objectContaining({
					message: 'Customer not found',
					status: 404,
					hint: expect.stringMatching(/^Check the customer ID/),
				}),
			}),
		);
	});
});

describe('a page of Survey A', () => {
	test.each<[string, unknown, unknown]>([
		[
			'in data',
			{ data: { rows: [{ a: 1 }], total: 3, pages: 2, limit: 1 } },
			{ total: 3, pages: 2, size: 1 },
		],
		[
			'numbers as text',
			{ data: { rows: [{ a: 1 }], total: '3', pages: '2' } },
			{ total: 3, pages: 2 },
		],
		[
			'numbers beside it',
			{ data: { rows: [{ a: 1 }] }, total: 3, pages: 2, limit: 1 },
			{ total: 3, pages: 2, size: 1 },
		],
		['rows beside data', { data: {}, rows: [{ a: 1 }] }, {}],
		['rows as data', { data: [{ a: 1 }] }, {}],
	])('%s', (_, body, counted) => {
		const none = { total: undefined, pages: undefined, size: undefined };
		expect(surveyA.readPage(body, 'rows')).toEqual({
			rows: [{ a: 1 }],
			...none,
			...Object(counted),
		});
	});

	test.each<[string, unknown]>([
		['an empty array', []],
		['a text', 'x'],
		['rows that are no objects', { data: { rows: [1] } }],
		['nothing', { data: {} }],
	])('%s is none', (_, body) => expect(surveyA.readPage(body, 'rows')).toBeUndefined());

	test('a bare list is whole', () => {
		expect(surveyA.readPage([{ a: 1 }], 'rows')).toEqual({
			rows: [{ a: 1 }],
			next: null,
			isBare: true,
		});
	});
});

describe('a page of Survey B', () => {
	test('counts its rows', () => {
		expect(surveyB.readPage({ count: '7', results: [] }, 'results')).toMatchObject({ total: 7 });
	});

	test.each([
		[99, null],
		[100, undefined],
		[101, null],
	])('a bare list of %i is followed by %p', (length, next) => {
		const rows = Array.from({ length }, (_, id) => ({ id }));
		expect(surveyB.readPage(rows, 'results')).toEqual({ rows, next, isBare: true });
	});

	test.each([['x'], [null], [{ results: {} }], [{}]])('%j is none', (body) => {
		expect(surveyB.readPage(body, 'results')).toBeUndefined();
	});
});

test('words that stand deeper than anybody writes them are not looked for', () => {
	const deep = (depth: number, words: unknown): unknown =>
		depth === 0 ? words : { a: deep(depth - 1, words) };
	// In Survey A's, the values of an object are one step deeper than it.
	expect(textIn(deep(10, 'No'))).toBe('No');
	expect(textIn(deep(11, 'No'))).toBe('');
	expect(surveyB.messageIn(deep(21, 'No'))).toMatch(/: No$/);
	expect(surveyB.messageIn(deep(22, 'No'))).toBeUndefined();
	expect(surveyB.messageIn(deep(20, ['No']))).toMatch(/: No$/);
	expect(surveyB.messageIn(deep(21, ['No']))).toBeUndefined();
});

test.each<[unknown, number | undefined]>([
	['2026-11-21', Date.UTC(2026, 10, 21)],
	['2026-11-21T10:30', Date.UTC(2026, 10, 21, 10, 30)],
	['2026-11-21 10:30:15.5', Date.UTC(2026, 10, 21, 10, 30, 15, 500)],
	['2026-11-21T10:30:15Z', Date.UTC(2026, 10, 21, 10, 30, 15)],
	['2026-11-21T10:30:15 +01:00', Date.UTC(2026, 10, 21, 9, 30, 15)],
	['2026-11-21T10:30:15+0100', Date.UTC(2026, 10, 21, 9, 30, 15)],
	[' 2026-11-21 ', Date.UTC(2026, 10, 21)],
	['1700000000', 1_700_000_000_000],
	[1700000000, 1_700_000_000_000],
	['1700000000123', 1_700_000_000_123],
	['170000000', undefined],
	['17000000001', undefined],
	['17000000001234', undefined],
	['x2026-11-21', undefined],
	['2026-11-21x', undefined],
	['2026-13-21', undefined],
	['21.11.2026', undefined],
	[true, undefined],
	[null, undefined],
])('the moment of %j', (date, moment) => expect(momentIn(date)).toBe(moment));

test.each<[unknown, boolean]>([
	['', true],
	[null, true],
	[undefined, true],
	[[1], true],
	[{ a: 1 }, true],
	['<html>', false],
	[7, false],
])('%j may be an empty answer: %p', (body, may) => {
	expect(maybeEmpty.safeParse(body).success).toBe(may);
	if (may) expect(maybeEmpty.parse(body)).toEqual(Array.isArray(body) ? {} : body || {});
});

test('an object is taken as it came, by one of its fields where that is asked', () => {
	expect(anyObject.safeParse([]).success).toBe(false);
	expect(objectWith('a', 'b').parse({ b: 1, c: 2 })).toEqual({ b: 1, c: 2 });
	expect(objectWith('a', 'b').safeParse({ c: 1 }).success).toBe(false);
	expect(objectWith('a').safeParse([{ a: 1 }]).success).toBe(false);
});

test.each([['x'], [7], [true], [null], [{ a: 1 }]])('%j is of JSON', (value) => {
	expect(jsonValue(value)).toBe(value);
});

test.each([[undefined], [Symbol('x')], [() => 1], [10n]])('%p is not of JSON', (value) => {
	expect(jsonValue(value)).toBeUndefined();
});

describe('feedback of Survey B', () => {
	test('keeps the names of the service and repairs the type of the score', () => {
		const response = { id: 1, score: '9', score_created: 'a', score_modified: 'b' };
		expect(feedbackFromResponse(response)).toEqual({ ...response, score: 9 });
		expect(feedbackFromResponse({ score: 'good' })).toEqual({ score: 'good' });
	});

	test('simplified feedback has ten flat fields, null for what the service did not return', () => {
		const feedback = {
			id: 1,
			score: 9,
			score_type: 'promoter',
			comment: null,
			status: 'OPEN',
			score_created: 'a',
			contact: { email: ADA, first_name: 'Ada', id: 7, attributes: { plan: 'x', order: 1 } },
			campaign: { id: 101, name: 'One' },
			survey: { attributes: { order: 3 } },
			tags: [{ name: 'slow' }, { name: 'late' }],
			more: true,
		};
		expect(simplified(feedbackForms, feedback)).toEqual({
			id: 1,
			created: 'a',
			score: 9,
			score_type: 'promoter',
			comment: null,
			status: 'OPEN',
			email: ADA,
			campaign_name: 'One',
			tags: 'slow, late',
			attributes: { plan: 'x', order: 3 },
		});
		expect(simplified(feedbackForms, { id: 1 })).toMatchObject({ email: null, tags: '' });
	});
});

describe('metrics of Survey B', () => {
	test.each<[unknown, unknown]>([
		['50.0', 50],
		['-7', -7],
		[' 12.5 % ', 12.5],
		['12%', 12],
		['n/a', 'n/a'],
		['1e3', '1e3'],
		['', ''],
		[null, null],
		[7, 7],
	])('%j is %j', (nps, number) => {
		expect(metricFromResponse({ nps } as IDataObject)).toEqual({ nps: number });
	});

	test('are numbers wherever the contract has them, and nowhere else', () => {
		const answer = Object.fromEntries(
			[...METRIC_NUMBERS, 'score_analysis'].map((name) => [name, '1.5']),
		);
		expect(metricFromResponse(answer)).toEqual({
			...Object.fromEntries(METRIC_NUMBERS.map((name) => [name, 1.5])),
			score_analysis: '1.5',
		});
	});

	test('keep the names of the service; the simplified ones have the name of the campaign', () => {
		expect(metricFromResponse({ campaign: 'One' })).toEqual({ campaign: 'One' });
		expect(simplified(metricsForms, { campaign: 'One' }).campaign_name).toBe('One');
	});

	test.each<[IDataObject, number | undefined]>([
		[{ href: 'https://x.example/api/v2/metrics/campaign/7/' }, 7],
		[{ href: 'https://x.example/api/v2/metrics/campaign/7' }, 7],
		[{ href: 'https://x.example/api/v2/metrics/campaign/7/x' }, undefined],
		[{ campaign_id: 8, href: '/7/' }, 8],
		[{ campaign_id: '8' }, 8],
		[{}, undefined],
	])('of %j are of the campaign %p', (metric, id) => expect(campaignIdOf(metric)).toBe(id));

	test('are made short, null where the service gave none', () => {
		expect(simplified(metricsForms, { nps: 1, followup_count: 2 })).toEqual({
			href: null,
			campaign_name: null,
			nps: 1,
			score_analysis: null,
			promoter_percentage: null,
			passive_percentage: null,
			detractor_percentage: null,
			feedback_count: null,
			surveys_delivered_count: null,
			feedback_rate_percentage: null,
		});
	});
});

test.each<[unknown, unknown]>([
	['True', true],
	['false', false],
	['no', false],
	[true, true],
	[null, null],
])('a contact that says %j of unsubscribed says %j', (unsubscribed, said) => {
	expect(contactFromResponse({ unsubscribed } as IDataObject)).toEqual({ unsubscribed: said });
});
