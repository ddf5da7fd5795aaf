import type { FieldType } from 'n8n-workflow';

import { AttributeReader } from '../../../nodes/SurveyB/parameters/attributes';
import { contextIn } from '../../../nodes/shared/fields/field';

test.each<[unknown, FieldType, string]>([
	[[undefined], 'array', 'must be text, a number, true or false, or JSON'],
	[Symbol('x'), 'string', 'must be text'],
])('rejects the attribute value %p: %s', (value, type, text) => {
	expect(() => new AttributeReader(contextIn()).entry('test', value, type)).toThrow(text);
});

test.each<[string, unknown, FieldType]>([
	['plan', 'a.b', 'string'],
	['plan', ['a', ['50%']], 'array'],
	['plan', { plan: { name: 'a&b' } }, 'object'],
	['plan', { 'plan.name': ['a', { c: 'Q' }] }, 'object'],
	['plan.name', '$', 'string'],
])(
	'an attribute with a rejected character stays behind, and is named: %s %j',
	(name, value, type) => {
		const reader = new AttributeReader(contextIn());
		expect(reader.entry(name, value, type)).toBeUndefined();
		expect(reader.entry('ok', ['a'], 'array')).toEqual(['ok', ['a']]);
		expect(reader.skipped).toEqual([name]);
	},
);

test('a date in an attribute of type Text is sent in the form that Survey B recognizes', () => {
	const reader = new AttributeReader(contextIn());
	expect(reader.entry('test', new Date(0), 'string')).toEqual(['test', '1970-01-01']);
});

test("midnight in the workflow's zone is that day in an attribute", () => {
	const reader = new AttributeReader(contextIn('Asia/Kathmandu'));
	const midnight = new Date('2026-11-20T18:15:00Z');
	expect(reader.entry('test', midnight, 'dateTime')).toEqual(['test', '2026-11-21']);
});
