import type { INodeProperties } from 'n8n-workflow';
import { z } from 'zod/v4';

import { labelsByName, parse } from '../../../nodes/shared/parameters/reader';
import { collection, entries, id, stringList } from '../../../nodes/shared/parameters/schemas';
import { schemaOf, Unusable } from '../../../nodes/shared/parameters/values';

const FIELDS: INodeProperties[] = [
	{
		displayName: 'Additional Fields',
		name: 'additionalFields',
		type: 'collection',
		default: {},
		options: [
			{
				displayName: 'Topics',
				name: 'topics',
				type: 'fixedCollection',
				default: {},
				options: [
					{
						displayName: 'Topic',
						name: 'topic',
						values: [{ displayName: 'Name', name: 'name', type: 'string', default: '' }],
					},
				],
			},
		],
	},
];

const schema = z.object({
	additionalFields: collection({
		topics: entries('topic', z.object({ name: id })),
		mode: z.enum(['a', 'b']).optional(),
		tags: stringList,
	}),
});

const read = (additionalFields: unknown) =>
	parse(schema, { additionalFields }, labelsByName(FIELDS));

test.each<[unknown, string]>([
	['text', `'Additional Fields' must be a collection of fields: "text"`],
	[7, `'Additional Fields' must be a collection of fields: 7`],
	[['a'], `'Additional Fields' must be a collection of fields: ["a"]`],
	[{ topics: 'text' }, `'Topics' must be a collection of rows: "text"`],
	[{ topics: { topic: 'text' } }, `'Topics' must be a collection of fields: "text"`],
	[{ topics: { topic: [{ name: ['a'] }] } }, `'Name' must be text: ["a"]`],
	[{ topics: { topic: [{}] } }, `'Name' is missing`],
	[{ mode: 'c' }, `'Additional Fields' must be one of: a, b: "c"`],
	[
		{ tags: { a: 1 } },
		`'Additional Fields' must be text with commas, or an array of texts: {"a":1}`,
	],
	[{ tags: 'x'.repeat(300) }, ''],
])('%j: no message of a library reaches the user', (value, says) => {
	let said = '';
	try {
		read(value);
	} catch (error) {
		said = error instanceof Error ? error.message : '';
	}
	expect(said).toBe(says);
});

test('a long value is cut in the message, and whole beside it', () => {
	const value = { a: 'x'.repeat(300) };
	expect(() => read({ tags: value })).toThrow(/: \{"a":"x{94}…$/);
	try {
		read({ tags: value });
	} catch (error) {
		expect(error).toMatchObject({ details: { field: 'Additional Fields', value } });
	}
});

test.each([[undefined], [null], [''], [{}]])('%j is a collection without entries', (value) => {
	expect(read(value)).toEqual({ additionalFields: { topics: [] } });
});

test('what comes after a value that cannot be used is not tried', () => {
	const odd = schemaOf(() => {
		throw new Unusable('is odd');
	}).transform(() => {
		throw new Error('went on');
	});
	expect(() => parse(z.object({ tags: odd }), { tags: 'a' }, new Map())).toThrow(
		`'tags' is odd: "a"`,
	);
});
