import { AttributeReader } from '../../../nodes/SurveyB/parameters/attributes';
import { contextIn } from '../../../nodes/shared/fields/field';
import { typeOf } from '../../../nodes/shared/mapping/runProperties';

const isNumber = (value: unknown) => typeof value === 'number';

const read = (value: unknown) => {
	return new AttributeReader(contextIn(), 'error').entry(
		'test',
		value,
		typeOf(value, isNumber),
	)?.[1];
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

test('an attribute with a rejected character at any depth is skipped, and named', () => {
	const reader = new AttributeReader(contextIn());
	expect(reader.entry('plan', { 'plan.name': ['a', { c: 'Q&A' }] }, 'object')).toBeUndefined();
	expect(reader.entry('ok', ['a'], 'array')).toEqual(['ok', ['a']]);
	expect(reader.skipped).toEqual(['plan']);
});

test('a date in an attribute of type Text is sent in the form that Survey B recognizes', () => {
	const reader = new AttributeReader(contextIn());
	expect(reader.entry('test', new Date(0), 'string')).toEqual(['test', '1970-01-01']);
});
