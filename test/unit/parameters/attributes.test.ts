import { AttributeReader } from '../../../nodes/SurveyB/parameters/attributes';
import type { RejectedCharacters } from '../../../nodes/SurveyB/parameters/attributes';
import { typeOf } from '../../../nodes/shared/fields/mappedItem';
import { contextIn } from '../../../nodes/shared/fields/field';

const isNumber = (value: unknown) => typeof value === 'number';

const read = (value: unknown, mode?: RejectedCharacters) => {
	return new AttributeReader(contextIn(), mode).entry('test', value, typeOf(value, isNumber))?.[1];
};

test.each<[unknown, string]>([
	['a.b', "contains '.'"],
	[['a', ['50%']], "contains '%'"],
	[{ plan: { name: 'a&b' } }, "contains '&'"],
	[{ plan: ['$'] }, "contains '$'"],
	[{ 'plan.name': true }, "contains '.'"],
	[[undefined], 'must be text, a number, true or false, or JSON'],
	[Symbol('x'), 'must be text'],
])('rejects the attribute value %p: %s', (value, text) => {
	expect(() => read(value)).toThrow(text);
});

test('Remove deletes rejected characters from nested names and values', () => {
	expect(read({ 'plan.name': ['a.', { c: 'Q&A & more' }] }, 'remove')).toEqual({
		planname: ['a', { c: 'QA  more' }],
	});
});

test('a date in an attribute of type Text is sent in the form that Survey B recognizes', () => {
	const reader = new AttributeReader(contextIn());
	expect(reader.entry('test', new Date(0), 'string')).toEqual(['test', '1970-01-01']);
});
