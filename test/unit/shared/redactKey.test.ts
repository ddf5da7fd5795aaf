import { DateTime } from 'luxon';

import { Failure } from '../../../nodes/shared/http/failure';
import { redactAnswer, redactKey, redactText } from '../../../nodes/shared/http/redactKey';
import { brief, quote } from '../../../nodes/shared/http/brief';

const ODD = 'a "quoted" key/of characters';

test.each([
	['as it is', ODD],
	['as JSON writes it', JSON.stringify(ODD).slice(1, -1)],
	['as a URL writes it', encodeURIComponent(ODD)],
])('the key goes out of a text %s', (_, form) => {
	expect(redactText(`before ${form} between ${form}`, ODD)).toBe('before *** between ***');
});

test('without a key a text stays as it is', () => expect(redactText('a text', '')).toBe('a text'));

test.each([
	[15, false],
	[16, true],
])('a key of %i characters is taken out of records: %s', (length, isTaken) => {
	const key = 'k'.repeat(length);
	const body = { list: [key, { [key]: key }, 7, null] };
	const clean = { list: ['***', { '***': '***' }, 7, null] };
	expect(redactAnswer(body, JSON.stringify(body), key)).toEqual(isTaken ? clean : body);
});

test('an answer without the key is the very same', () => {
	const body = { a: [1] };
	expect(redactAnswer(body, '{"a":[1]}', 'k'.repeat(20))).toBe(body);
});

test('the key goes out of all that a failure says', () => {
	const key = 'the-key';
	const failure = new Failure({
		words: `words ${key}`,
		advice: `advice ${key}`,
		field: `field ${key}`,
		value: [key, { [key]: key }],
		refused: [{ key: 3, reason: `reason ${key}` }],
		status: 400,
	});
	expect(redactKey(failure, key).details).toEqual({
		words: 'words ***',
		advice: 'advice ***',
		field: 'field ***',
		value: ['***', { '***': '***' }],
		refused: [{ key: 3, reason: 'reason ***' }],
		status: 400,
	});
});

test('what a failure does not say it does not say afterwards either', () => {
	const { advice, field, value, refused } = redactKey(new Failure({ words: 'No' }), 'k').details;
	expect([advice, field, value, refused]).toEqual([undefined, undefined, undefined, undefined]);
});

test('a key that was cut together with a long value leaves no half of it', () => {
	const key = 'k'.repeat(40);
	const value = `${'x'.repeat(80)}${key}`;
	const failure = new Failure({ words: `'Email' is too long: ${quote(value)}`, value });
	expect(redactKey(failure, key).details.words).not.toContain('k'.repeat(3));
});

test.each([new Date(0), DateTime.fromMillis(0)])('a date stays what it is', (value) => {
	expect(redactKey(new Failure({ words: 'No', value }), 'k').details.value).toBe(value);
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
])('%p is quoted', (value, text) => expect(quote(value)).toBe(text));

test('words of a thousand characters stay, longer ones are cut', () => {
	expect(brief('x'.repeat(1000))).toBe('x'.repeat(1000));
	expect(brief('x'.repeat(1001))).toBe(`${'x'.repeat(1000)}…`);
	expect(brief(undefined)).toBeUndefined();
});
