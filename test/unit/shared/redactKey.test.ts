import { DateTime } from 'luxon';

import { Failure } from '../../../nodes/shared/base/failure';
import {
	mayHoldKey,
	redactData,
	redactKey,
	redactText,
} from '../../../nodes/shared/http/redactKey';
import { truncate, quote } from '../../../nodes/shared/base/text';

const ODD = 'a "quoted" key/of characters é😀';

test.each([
	['as it is', ODD],
	['as JSON writes it', JSON.stringify(ODD).slice(1, -1)],
	[
		'as PHP writes JSON',
		JSON.stringify(ODD)
			.slice(1, -1)
			.replace('/', '\\/')
			.replace('é', '\\u00E9')
			.replace('😀', '\\uD83D\\uDE00'),
	],
	['in JSON inside JSON', JSON.stringify(JSON.stringify(ODD).slice(1, -1)).slice(1, -1)],
	['as a URL writes it', encodeURIComponent(ODD)],
	['as another URL writes it', encodeURIComponent(ODD).toLowerCase()],
])('the key is removed from a message %s', (_, form) => {
	expect(redactText(`before ${form} between ${form}`, ODD)).toBe('before *** between ***');
	expect(mayHoldKey(`before ${form}`, ODD)).toBe(true);
});

test.each(['', 'a', 'key'])('a key of fewer than four characters (%j) is not replaced', (key) => {
	expect(redactText('a key text', key)).toBe('a key text');
	expect(redactData({ a: key, key }, key)).toEqual({ a: key, key });
});

const RANDOM = 'sk-live-12345678';
const WORDS = 'customer-feedback';

test.each<[string, string, unknown, unknown]>([
	['equals the key', WORDS, { a: WORDS, [WORDS]: ` ${WORDS}\n` }, { a: '***', '***': '***' }],
	['equals a short key', 'abcd', ['abcd', 'abcde'], ['***', 'abcde']],
	['follows a scheme', WORDS, [`Token ${WORDS}`, `api_key=${WORDS}`], ['Token ***', 'api_key=***']],
	['is in JSON', WORDS, `{"key": "${WORDS}"}`, '{"key": "***"}'],
	['is a token', RANDOM, `see /${RANDOM}/x, ${RANDOM}.`, 'see /***/x, ***.'],
	['is a token of eight characters', 'abcdef12', 'see abcdef12.', 'see ***.'],
	['is a word of twenty letters', 'k'.repeat(20), `see ${'k'.repeat(20)}.`, 'see ***.'],
	['is a number of four digits', '1234', [1234], ['***']],
	['is a number', '20261122', [20261122, 2026112, '20261122'], ['***', 2026112, '***']],
	[
		'is a number that lost its last digits',
		'12345678901234567890',
		[Number('12345678901234567890')],
		['***'],
	],
])('the key is removed from data if it %s', (_, key, data, clean) => {
	expect(redactData(data, key)).toEqual(clean);
});

test.each<[string, string, unknown]>([
	['words of a comment', WORDS, `Your ${WORDS} page is broken. Customer-feedback: good`],
	['a part of a word', RANDOM, `x${RANDOM} ${RANDOM}9`],
	['a short word of a comment', 'good1', 'a good1 one'],
	['a number with more digits', '20261122', [202611221, '120261122']],
	['a number of three digits', '123', [123, '123']],
])('the letters of the key stay in data as %s', (_, key, data) => {
	expect(redactData(data, key)).toEqual(data);
});

test('a text that cannot contain the key is recognized without parsing it', () => {
	expect(mayHoldKey('{"a":"Token"}', RANDOM)).toBe(false);
	expect(mayHoldKey(`{"a":"${RANDOM}"}`, RANDOM)).toBe(true);
	expect(mayHoldKey(RANDOM, RANDOM)).toBe(true);
	expect(mayHoldKey('{"a":1.2345e4}', '12345')).toBe(true);
	expect(mayHoldKey('{"a":1.2345e4}', '12345x')).toBe(false);
});

test('each of many keys is removed', () => {
	for (let i = 0; i < 1000; i++) expect(redactText(`a key-${i}.`, `key-${i}`)).toBe('a ***.');
});

test('the key is removed from all texts of a failure', () => {
	const key = 'the-key';
	const failure = new Failure('failed', `words ${key}`, {
		hint: `advice ${key}`,
		field: `field ${key}`,
		value: [key, { [key]: key }],
		refusedRows: [{ key: 3, reason: `reason ${key}` }],
		status: 400,
	});
	expect({ ...redactKey(failure, key), message: redactKey(failure, key).message }).toMatchObject({
		message: 'words ***',
		hint: 'advice ***',
		field: 'field ***',
		value: ['***', { '***': '***' }],
		refusedRows: [{ key: 3, reason: 'reason ***' }],
		status: 400,
	});
});

test('redacting a failure adds no fields', () => {
	const { hint, field, value, refusedRows } = redactKey(new Failure('failed', 'No'), 'the-key');
	expect([hint, field, value, refusedRows]).toEqual([undefined, undefined, undefined, undefined]);
});

test('no part of a key remains when a long value with the key is truncated', () => {
	const key = 'k'.repeat(40);
	const value = `${'x'.repeat(80)}${key}`;
	const failure = new Failure('failed', `'Email' is too long: ${quote(value)}`, { value });
	expect(redactKey(failure, key).message).not.toContain('k'.repeat(3));
});

test.each([new Date(0), DateTime.fromMillis(0)])('a date is not changed', (value) => {
	expect(redactKey(new Failure('failed', 'No', { value }), 'the-key').value).toBe(value);
});

const LOOP = { self: {} };
LOOP.self = LOOP;

test.each<[unknown, string]>([
	['text', '"text"'],
	[{ a: [1] }, '{"a":[1]}'],
	[undefined, 'undefined'],
	[LOOP, '[object Object]'],
	['x'.repeat(98), `"${'x'.repeat(98)}"`],
	['x'.repeat(99), `"${'x'.repeat(99)}…`],
])('%p is quoted as %s', (value, text) => expect(quote(value)).toBe(text));

test('a text of 1,000 characters stays, and a longer one is truncated', () => {
	expect(truncate('x'.repeat(1000))).toBe('x'.repeat(1000));
	expect(truncate('x'.repeat(1001))).toBe(`${'x'.repeat(1000)}…`);
	expect(truncate(undefined)).toBeUndefined();
});
