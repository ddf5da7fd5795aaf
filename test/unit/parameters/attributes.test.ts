import { AttributeReader, attributeType } from '../../../nodes/SurveyB/parameters/attributes';
import type { RejectedCharacters } from '../../../nodes/SurveyB/parameters/attributes';
import { Warnings } from '../../../nodes/shared/fields/context';

const read = (value: unknown, mode?: RejectedCharacters) => {
	const context = { zone: 'UTC', options: {}, item: 0, warnings: new Warnings() };
	return new AttributeReader(context, mode).entry('test', value)?.[1];
};

test.each<[unknown]>([
	['text'],
	['7'],
	[7],
	[true],
	[false],
	[null],
	[[]],
	[{}],
	[{ plan: 'team', seats: [1, null, { ok: true }] }],
])('sends the attribute value %j unchanged', (value) => expect(read(value)).toEqual(value));

test.each<[unknown, string]>([
	['a.b', "contains '.'"],
	[['a', ['50%']], "contains '%'"],
	[{ plan: { name: 'a&b' } }, "contains '&'"],
	[{ plan: ['$'] }, "contains '$'"],
	[{ 'plan.name': true }, "contains '.'"],
	[undefined, 'must be text, a number, true or false, or JSON'],
	[[undefined], 'must be text, a number, true or false, or JSON'],
	[Symbol('x'), 'must be text, a number, true or false, or JSON'],
])('rejects the attribute value %p: %s', (value, text) => {
	expect(() => read(value)).toThrow(text);
});

test('an attribute that holds a date or a list of dates is text', () => {
	expect(attributeType(['2026-11-21', ['2026-11-22']])).toBe('string');
});

test('Remove deletes rejected characters from nested names and values', () => {
	expect(read({ 'plan.name': ['a.b', { c: '$5 & more' }, '1.50'] }, 'remove')).toEqual({
		planname: ['ab', { c: '5  more' }, 1.5],
	});
});
