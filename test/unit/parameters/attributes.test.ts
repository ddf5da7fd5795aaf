import { readAttribute } from '../../../nodes/SurveyB/parameters/attributes';
import { withRules } from '../../../nodes/shared/parameters/rules';

// What may be the value of an attribute of Survey B.

const read = (value: unknown, rejectedCharacters?: 'error' | 'remove') =>
	withRules({ zone: 'UTC', rejectedCharacters }, () => readAttribute(value));

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
])('%j stays what it is', (value) => expect(read(value)).toEqual(value));

test.each<[unknown, string]>([
	['a.b', "contains '.'"],
	[['a', ['50%']], "contains '%'"],
	[{ plan: { name: 'a&b' } }, "contains '&'"],
	[{ plan: ['$'] }, "contains '$'"],
	[{ 'plan.name': true }, "contains '.'"],
	[undefined, 'must be text, a number, true or false, or JSON'],
	[[undefined], 'must be text, a number, true or false, or JSON'],
	[Symbol('x'), 'must be text, a number, true or false, or JSON'],
])('%p is refused: %s', (value, says) => expect(() => read(value)).toThrow(says));

test('characters that the service rejects are taken out of all that is inside', () => {
	expect(read({ 'plan.name': ['a.b', { c: '$5 & more' }, '1.50'] }, 'remove')).toEqual({
		planname: ['ab', { c: '5  more' }, 1.5],
	});
});
