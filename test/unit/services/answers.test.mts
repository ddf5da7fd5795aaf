import type { IDataObject } from 'n8n-workflow';

import { jsonValue, maybeEmpty, objectWith, wholeNumber } from '../../../nodes/shared/base/json';
import type { BodyReader } from '../../../nodes/shared/base/json';
import { momentIn } from '../../../nodes/shared/fields/dates';
import { textIn } from '../../../nodes/shared/base/text';
import { Failure } from '../../../nodes/shared/base/failure';
import { scoreTypeOf } from '../../../nodes/SurveyA/records';
import { confirmed, namedCustomers, surveyResult } from '../../../nodes/SurveyA/responses';
import { recordsIn } from '../../../nodes/shared/http/service';
import { surveyA } from '../../../nodes/SurveyA/service';
import { unsubscribedContacts } from '../../../nodes/SurveyB/responses';
import { campaignIdOf } from '../../../nodes/SurveyB/records';
import { surveyB } from '../../../nodes/SurveyB/service';

// Responses in the contract's form and in other forms that servers use.

test.each<[unknown, number | undefined]>([
	[12, 12],
	['12', 12],
	['0', 0],
	[' ', undefined],
	[1.5, undefined],
	[-1, undefined],
	['many', undefined],
	[null, undefined],
])('the count %j is read as %j', (value, count) => expect(wholeNumber(value)).toBe(count));

/** Returns the data of a body that a reader accepts. */
function dataIn<Data>(readBody: BodyReader<Data>, body: unknown): Data {
	const data = readBody(body);
	if (data === undefined) throw new Error('the reader does not accept this');
	return data;
}

const ADA = 'ada@acme.example';
const row = (more: IDataObject = {}) => ({ email: ADA, ...more });

describe('a batch response of Survey A', () => {
	const named = (body: unknown) => dataIn(namedCustomers, body);
	const saidOf = (body: unknown) => named(body).result(ADA);

	test.each<[string, unknown]>([
		['in a list', { data: { subscribers: [row({ id: '1' })] } }],
		['in a list without an envelope', { subscribers: [row({ id: '1' })] }],
		['by address', { data: { [ADA]: { id: '1' } } }],
		['by address, with no address inside', { data: { [ADA]: { id: '1', email: null } } }],
		['by address in another case', { data: { 'ADA@acme.example': row({ id: '1' }) } }],
		['in a bare list', [row({ id: '1' })]],
	])('is read if it names the customer %s', (_, body) =>
		expect(saidOf(body)).toEqual(row({ id: '1' })),
	);

	test.each<[string, unknown]>([
		['a page of more', { data: { subscribers: [row({ email: 'x@y.example' })], total: 9 } }],
		['others', [row({ email: 'x@y.example' })]],
		['nobody', { code: 200, data: [] }],
	])('that names %s does not confirm the customer', (_, body) => {
		expect(saidOf(body)).toMatchObject({
			kind: 'unconfirmed',
			message: `${ADA}: Survey A did not confirm this row`,
			hint: 'Look the person up in Survey A',
		});
	});

	test.each<[string, unknown]>([
		['a message', { message: 'OK' }],
		['texts in place of customers', { data: { [ADA]: 'done' } }],
		['a row without an address', { data: { subscribers: [{ id: '1' }] } }],
		['a web page', '<html>'],
		['nothing', null],
	])('is not recognized in %s alone', (_, body) => {
		expect(namedCustomers(body)).toBeUndefined();
	});

	test.each<[IDataObject, string]>([
		[{ status: 'failed', reason: 'Unsubscribed' }, `${ADA}: Unsubscribed`],
		[{ status: 'Error', message: 'No' }, `${ADA}: No`],
		[{ status: 'fail', reason: [{ message: 'One' }, 'Two'] }, `${ADA}: One; Two`],
		[{ status: 'fail' }, `${ADA}: Survey A did not confirm this row: {`],
		[{ deleted: 'untrue' }, `${ADA}: Survey A did not confirm this row: {`],
		[{ deleted: 10 }, `${ADA}: Survey A did not confirm this row: {`],
	])('with %j fails the customer', (more, words) => {
		const said = named({ data: [row(more)] }).marked(ADA, 'deleted');
		expect(said).toBeInstanceOf(Failure);
		expect(said).toMatchObject({ message: expect.stringContaining(words) });
	});

	test.each<[IDataObject]>([[{ deleted: 1 }], [{ deleted: 'True' }], [{ unsubscribed: false }]])(
		'with %j is a success if a deletion was requested',
		(more) => {
			const said = named({ data: [row(more)] }).marked(ADA, 'deleted');
			expect(said).toEqual(row({ ...more, deleted: true }));
		},
	);

	const surveyed = (body: unknown, isWhole = true) =>
		surveyResult({ named: named(body), status: 'queued', isWhole }, ADA, 'c');

	test('fails a customer with a hint for the reason', () => {
		const advice = (reason: string) => surveyed({ data: [row({ status: 'failed', reason })] });
		expect(advice('Invalid email address')).toMatchObject({
			hint: expect.stringMatching(/^Correct the email/),
		});
		expect(advice('Never seen')).toMatchObject({ hint: 'Correct the row, or remove it' });
	});

	const queued = { email: ADA, campaignId: 'c', status: 'queued' };

	test('fails no customer that it does not name or reports as successful', () => {
		const failed = { data: [row({ status: 'failed', email: 'x@y.example' })] };
		expect(surveyed(failed)).toEqual(queued);
		expect(surveyed({ data: [row()] })).toEqual(queued);
		expect(surveyed({ code: 200 })).toEqual(queued);
	});

	test('that confirms only the customers whom it names leaves the others in doubt', () => {
		const part = { data: [row({ status: 'queued', email: 'x@y.example' })] };
		expect(surveyed(part, false)).toMatchObject({ kind: 'unconfirmed' });
		expect(surveyed({ data: [row({ status: 'queued' })] }, false)).toEqual(queued);
	});
});

test.each<[unknown, boolean]>([
	[{ success: true }, true],
	[{ code: 200 }, true],
	[{ status: 'queued' }, true],
	[{ status: 'queued for review' }, false],
	[{ status: 'resent' }, false],
	[{ code: 500 }, false],
	[{ code: 2000 }, false],
	[{ code: 1200 }, false],
	[{ success: 'untrue' }, false],
	[{ success: 'truest' }, false],
	[{ message: 'hello' }, false],
	['OK', false],
])('recognizes a confirmation of Survey A: %j is %p', (body, confirms) => {
	expect(confirmed(body) !== undefined).toBe(confirms);
});

test.each<[IDataObject, string | undefined]>([
	[{ score: '9' }, 'promoter'],
	[{ score: ' ' }, undefined],
	[{ score: 'high' }, undefined],
	[{ metricsType: 'nps', score: 0 }, 'detractor'],
	[{ metricsType: 'CSAT', score: 9 }, undefined],
])('feedback of Survey A with %j has the score type %s', (data, scoreType) => {
	expect(scoreTypeOf({ metricsType: 'NPS', ...data })).toBe(scoreType);
});

describe('a response with one record of Survey A', () => {
	const read = recordsIn(surveyA, ['id'], 'companies');

	test.each<[string, unknown, unknown]>([
		['in a list of one', { data: { companies: [{ id: '1' }] } }, [{ id: '1' }]],
		['bare in the data', { data: { id: '1' } }, [{ id: '1' }]],
		['bare', { id: '1' }, [{ id: '1' }]],
		['in the data and beside it', { id: '2', data: { id: '1' } }, [{ id: '1' }]],
		['missing', { data: { name: 'x' } }, undefined],
		['a web page', '<html>', undefined],
	])('gives the expected records if the record is %s', (_, body, records) =>
		expect(read(body)).toEqual(records),
	);
});

test('a message nested deeper than ten levels is not found', () => {
	const deep = (depth: number, words: unknown): unknown =>
		depth === 0 ? words : { a: deep(depth - 1, words) };
	// In Survey A, the values of an object are one level deeper than the object.
	expect(textIn(deep(10, 'No'))).toBe('No');
	expect(textIn(deep(10, ['No']))).toBe('No');
	expect(textIn(deep(11, 'No'))).toBe('');
	expect(surveyB.messageIn(deep(21, 'No'))).toMatch(/: No$/);
	expect(surveyB.messageIn(deep(22, 'No'))).toBeUndefined();
	expect(surveyB.messageIn(deep(20, ['No']))).toMatch(/: No$/);
	expect(surveyB.messageIn(deep(21, ['No']))).toBeUndefined();
	expect(surveyB.messageIn(deep(20, [['No']]))).toBeUndefined();
});

test.each<[unknown, number | undefined]>([
	['2026-11-21', Date.UTC(2026, 10, 21)],
	['2026-11-21T10:30', Date.UTC(2026, 10, 21, 10, 30)],
	['2026-11-21 10:30', Date.UTC(2026, 10, 21, 10, 30)],
	['2026-11-21 10:30:15.5Z', Date.UTC(2026, 10, 21, 10, 30, 15, 500)],
	['2026-11-21T10:30:15 +01:00', Date.UTC(2026, 10, 21, 9, 30, 15)],
	[' 2026-11-21 ', Date.UTC(2026, 10, 21)],
	['1700000000', undefined],
	[1700000000123, undefined],
	['x2026-11-21', undefined],
	['2026-11-21T10:30:15+0100', Date.UTC(2026, 10, 21, 9, 30, 15)],
	['2026-11-21x', undefined],
	['2026-13-21', undefined],
	['21.11.2026', undefined],
	[['2026-11-21'], undefined],
	[null, undefined],
])('reads the moment of %j as %p', (date, moment) => expect(momentIn(date)).toBe(moment));

test.each<[unknown, boolean]>([
	['', true],
	[null, true],
	[undefined, true],
	[[], true],
	[[1], false],
	[[null], false],
	[0, false],
	[false, false],
	[{ a: 1 }, true],
	['<html>', false],
])('recognizes an empty response: %j is %p', (body, may) => {
	expect(maybeEmpty(body)).toEqual(may ? { ...Object(body) } : undefined);
});

test('an object is returned unchanged if it has one of the required fields, and rejected otherwise', () => {
	expect(objectWith('a', 'b')({ b: 1, c: 2 })).toEqual({ b: 1, c: 2 });
	expect(objectWith('a', 'b')({ c: 1 })).toBeUndefined();
	expect(objectWith('a')([{ a: 1 }])).toBeUndefined();
});

test.each([[undefined], [Symbol('x')], [() => 1], [10n]])('%p is not a JSON value', (value) => {
	expect(jsonValue(value)).toBeUndefined();
});

describe('metrics of Survey B', () => {
	test.each<[IDataObject, number | undefined]>([
		[{ href: 'https://x.example/api/v2/metrics/campaign/17/' }, 17],
		[{ href: 'https://x.example/api/v2/metrics/campaign/7' }, 7],
		[{ href: 'https://x.example/api/v2/metrics/campaign/7/x' }, undefined],
		[{ campaign_id: 8, href: '/7/' }, 8],
		[{ campaign_id: '8' }, 8],
		[{}, undefined],
	])('%j have the campaign ID %p', (metric, id) => expect(campaignIdOf(metric)).toBe(id));
});

test('a response that names 20,000 unsubscribed contacts is read in less than two seconds of the processor', () => {
	const results = Array.from({ length: 20_000 }, (_, index) => `p${index}@example.com`);
	const start = process.cpuUsage();
	const named = dataIn(unsubscribedContacts, { results });
	const outputs = results.map((email) => named.result(email));
	expect(process.cpuUsage(start).user).toBeLessThan(2_000_000);
	expect(outputs).toEqual(results.map((email) => ({ email })));
});
