import { isBlank } from '../../../nodes/shared/base/text';
import { Failure } from '../../../nodes/shared/base/failure';
import {
	isAddress,
	normalizeEmail,
	inRange,
	readBoolean,
	readId,
	readInteger,
	readJsonObject,
	readList,
	readName,
	readNumber,
	readText,
} from '../../../nodes/shared/fields/values';

// Functions that read single values.

const read = <Value>(reader: (value: unknown) => Value, value: unknown) => {
	try {
		return reader(value);
	} catch (error) {
		return error instanceof Failure ? error.message : error;
	}
};

const TOO_LONG = 'has more digits than can be sent exactly';

test.each<[unknown, unknown]>([
	[7, 7],
	[' +7 ', 7],
	['-7.50', -7.5],
	['0007', 'must be a number'],
	['9007199254740991', 9007199254740991],
	['9007199254740993', TOO_LONG],
	[2 ** 53, TOO_LONG],
	['0.1234567890123456', 0.1234567890123456],
	['0.12345678901234567', TOO_LONG],
	['9007199254740.993', TOO_LONG],
	['+1.23456789123456', 1.23456789123456],
	['1.10000000000000000000', 1.1],
	['0.000000000000000000001', 1e-21],
	['1e3', 'must be a number'],
	['.5', 'must be a number'],
	['', 'must be a number'],
	[null, 'must be a number'],
	[NaN, 'must be a number'],
	[[7], 'must be a number'],
])('the number %p is read as %p', (value, number) => expect(read(readNumber, value)).toBe(number));

test.each<[unknown, unknown]>([
	[7, 7],
	['-7', -7],
	['+07', 'must be a whole number'],
	['+7', 7],
	[7.5, 'must be a whole number'],
	['7.0', 'must be a whole number'],
	[[7], 'must be a whole number'],
	['9007199254740993', TOO_LONG],
])('the whole number %p is read as %p', (value, number) => {
	expect(read(readInteger, value)).toBe(number);
});

test.each<[string, (value: unknown) => number, unknown, unknown]>([
	['of 0 or more', inRange(readNumber, 0), -0.1, 'must be 0 or more'],
	['of any size', inRange(readNumber), -0.1, -0.1],
	['from 0 to 10', inRange(readInteger, 0, 10), '10', 10],
	['from 0 to 10', inRange(readInteger, 0, 10), 11, 'must be from 0 to 10'],
	['from 0 to 10', inRange(readInteger, 0, 10), -1, 'must be from 0 to 10'],
	['from 0 to 10', inRange(readInteger, 0, 10), 7.5, 'must be a whole number'],
	['of 1 or more', inRange(readInteger, 1), 1, 1],
	['of 1 or more', inRange(readInteger, 1), 0, 'must be 1 or more'],
])('a reader of numbers %s (%p) reads %p as %p', (_, reader, value, result) => {
	expect(read(reader, value)).toBe(result);
});

test.each<[unknown, unknown]>([
	...[true, 'true', 'TRUE', ' Yes ', 'y', '1', 1].map((value): [unknown, boolean] => [value, true]),
	...[false, 'false', 'No', 'n', '0', 0].map((value): [unknown, boolean] => [value, false]),
	...['', 'on', 2, null, undefined, ['true'], {}].map((value): [unknown, string] => [
		value,
		'must be true or false',
	]),
])('the switch %p is read as %p', (value, result) => expect(read(readBoolean, value)).toBe(result));

test.each([
	['ada@acme.example', true],
	["o'brien+tag@mail.acme.co", true],
	['ada@localhost', false],
	['ada.acme.example', false],
	['@acme.example', false],
	['ada@acme.', false],
	['a b@acme.example', false],
	['ada@grace@acme.example', false],
	[' ada@acme.example', false],
	['ada@acme.example ', false],
	['', false],
])('recognizes email addresses: %j is %p', (text, isOne) => expect(isAddress(text)).toBe(isOne));

test.each([
	[' Ada@Acme.Example ', 'ada@acme.example'],
	['Jose\u0301@acme.example', 'jos\u00e9@acme.example'],
	['Müller@MÜLLER.example', 'müller@müller.example'],
])('the address %j is compared as %j', (address, form) => {
	expect(normalizeEmail(address)).toBe(form);
});

test.each<[unknown, unknown]>([
	[' a ', ' a '],
	[7, '7'],
	[2 ** 53, TOO_LONG],
	[true, 'must be text'],
	[{}, 'must be text'],
	[null, 'must be text'],
])('the text %p is read as %p', (value, text) => expect(read(readText, value)).toBe(text));

test('trims a name, and rejects names that JavaScript objects would swallow', () => {
	expect(readId(' 7 ')).toBe('7');
	expect(readName(' Plan ')).toBe('Plan');
	expect(readName(' constructor ')).toBe('constructor');
	expect(read(readName, ' __proto__ ')).toBe('is a name that cannot be sent');
	expect(read(readName, ' ')).toBe('has no name');
});

test.each<[unknown, string[] | undefined]>([
	['a, b ,,c', ['a', 'b', 'c']],
	[' ["a, b", "c"]', ['a, b', 'c']],
	['[vip], eu', ['[vip]', 'eu']],
	[
		[' a ', 7, '', null],
		['a', '7'],
	],
	[7, ['7']],
	[[], undefined],
	[[''], undefined],
	[',', undefined],
])('the list %j is read as %j', (value, list) => expect(readList(value)).toEqual(list));

test.each([[{}], [true], [[{}]], [['a', ['b']]]])('%j is rejected as a list', (value) => {
	expect(read(readList, value)).toBe('must be text with commas, or an array of texts');
});

test.each<[unknown, unknown]>([
	['{ "plan": "pro" }', { plan: 'pro' }],
	[{ plan: 'pro' }, { plan: 'pro' }],
	['{ plan', 'is not valid JSON'],
	['[1]', 'must be a JSON object'],
	['"text"', 'must be a JSON object'],
	[7, 'must be a JSON object'],
])('the JSON object %j is read as %j', (value, result) => {
	expect(read(readJsonObject, value)).toEqual(result);
});

test.each<[unknown, boolean]>([
	['', true],
	[' \n', true],
	[null, true],
	[undefined, true],
	[false, false],
	[[], true],
	[{}, false],
])('recognizes blank values: %j is %p', (value, blank) => {
	expect(isBlank(value)).toBe(blank);
});
