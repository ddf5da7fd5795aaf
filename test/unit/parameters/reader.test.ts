import type { INodeProperties } from 'n8n-workflow';
import { z } from 'zod/v4';

import { labelsByName, parse, valueOf } from '../../../nodes/shared/parameters/reader';
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

describe('a value as it stands in the workflow', () => {
	/** A node with one parameter, of which it is told how often it is read. */
	function node(written: unknown) {
		const read: number[] = [];
		const getNodeParameter = jest.fn().mockImplementation((_, item, fallback, options) => {
			if (options?.rawExpressions) return written;
			read.push(item);
			return written === undefined ? fallback : `of ${item}`;
		});
		const context = { getNodeParameter, getInputData: () => [], getTimezone: () => 'UTC' };
		return { context, read };
	}

	test.each([
		['fixed'],
		[7],
		[true],
		[{ rows: [{ name: 'fixed' }, 7, null] }],
		[' =not an expression'],
	])('is read once a run: %j', (written) => {
		const { context, read } = node(written);
		for (const item of [0, 1, 2]) expect(valueOf(context, 'x', item)).toBe('of 0');
		expect(read).toEqual([0]);
	});

	test.each([['={{ $json.x }}'], [{ rows: [{ name: 'fixed' }, { name: '=x' }] }], [['=x']]])(
		'is read for each item: %j',
		(written) => {
			const { context, read } = node(written);
			for (const item of [0, 1, 2]) expect(valueOf(context, 'x', item)).toBe(`of ${item}`);
			expect(read).toEqual([0, 1, 2]);
		},
	);

	test.each([[undefined], [null]])('is none: %j', (written) => {
		const { context } = node(written);
		const getNodeParameter = jest.fn().mockReturnValue(null);
		expect(valueOf({ ...context, getNodeParameter }, 'x', 0)).toBeUndefined();
	});
});
