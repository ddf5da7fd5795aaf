import { DateTime } from 'luxon';

import { isNested } from '../../../nodes/shared/mapping/mappedItem';
import { wordsKey } from '../../../nodes/shared/mapping/shape';
import { Failure } from '../../../nodes/shared/base/failure';
import { contextIn, Parameters, Warnings } from '../../../nodes/shared/fields/field';
import type { Field } from '../../../nodes/shared/fields/field';
import {
	choice,
	collection,
	date,
	entries,
	flag,
	id,
	integer,
	json,
	locator,
	multiChoice,
	number,
	openChoice,
	text,
	textList,
	toggle,
} from '../../../nodes/shared/fields/kinds';

/** Returns the value that a field reads, or the message of its error. */
function read(field: Field<unknown>, value: unknown): unknown {
	const context = contextIn();
	try {
		const values = field.read(value, context);
		return context.failures.length > 0 ? Failure.all(context.failures).message : values;
	} catch (error) {
		return Failure.at(field.label, value, error).message;
	}
}

const topics = entries({ displayName: 'Topics', key: 'topic' }, 'Topic', {
	name: id({ displayName: 'Name', required: true }),
});
const fields = collection('Additional Fields', {
	topics,
	mode: choice({ displayName: 'Mode', options: [{ name: 'All', value: 'a' }] }),
	tags: textList({ displayName: 'Tags' }),
});

test.each<[unknown, string]>([
	['text', `'Additional Fields' must be a collection of fields: "text"`],
	[['a'], `'Additional Fields' must be a collection of fields: ["a"]`],
	[{ topics: 'text' }, `'Topics' must be a list of entries: "text"`],
	[{ topics: { topic: [{ name: ['a', 'b'] }] } }, `'Name' must be text: ["a","b"]`],
	[{ topics: { topic: [{}] } }, "'Name' is missing"],
	[{ topics: { topic: ['a'] } }, `'Topics' must be a collection of fields: {"topic":["a"]}`],
	[{ mode: { value: '' } }, `'Mode' must be one of: a: {"value":""}`],
	[{ mode: 'c' }, `'Mode' must be one of: a: "c"`],
	[{ tags: { a: 1 } }, `'Tags' must be text with commas, or an array of texts: {"a":1}`],
	[{ mode: 'c', topics: { topic: [{}] } }, `'Name' is missing. 'Mode' must be one of: a: "c"`],
])('rejects the collection %j: %s', (value, message) => expect(read(fields, value)).toBe(message));

test('truncates a long value in a message', () => {
	expect(read(fields, { tags: { a: 'x'.repeat(300) } })).toMatch(/: \{"a":"x{94}…$/);
	expect(read(fields, { tags: { a: 'x'.repeat(92) } })).toMatch(/: \{"a":"x{92}"\}$/);
});

test.each([[undefined], [null], [''], [{}], [{ topics: {} }]])(
	'reads %j as a collection without entries',
	(value) => {
		expect(read(fields, value)).toMatchObject({ topics: [] });
	},
);

const metric = {
	displayName: 'Metric',
	options: [
		{ name: 'NPS', value: 'nps' },
		{ name: 'Star Rating', value: 'star' },
	],
};

test.each([
	['nps', 'nps'],
	['NPS', 'nps'],
	[' star rating ', 'star'],
	['STAR', 'star'],
])('accepts the choice %j as %s', (value, chosen) =>
	expect(read(choice(metric), value)).toBe(chosen),
);

test.each([['stars'], ['ſtar'], [7], [{}], [['nps', 'star']]])(
	'rejects the choice %j and lists the choices',
	(value) => {
		expect(read(choice(metric), value)).toMatch(/^'Metric' must be one of: nps, star/);
	},
);

test('an open choice accepts a value that is not in its list', () => {
	expect(read(openChoice(metric), ' other ')).toBe('other');
	expect(read(openChoice(metric), 'Star Rating')).toBe('star');
});

test.each([[undefined], [null], [''], ['  ']])(
	'%j counts as missing in required fields only',
	(value) => {
		for (const field of [
			choice(metric),
			text({ displayName: 'Text' }),
			integer({ displayName: 'Count', min: 1 }),
		]) {
			expect(read(field, value)).toBeUndefined();
		}
		expect(read(choice({ ...metric, required: true }), value)).toBe("'Metric' is missing");
	},
);

describe('what the editor shows', () => {
	const base = { displayName: 'Shown', name: 'shown' };
	const { displayName } = base;

	test.each([
		[text, 'string', ''],
		[id, 'string', ''],
		[textList, 'string', ''],
		[date, 'dateTime', ''],
		[multiChoice, 'multiOptions', []],
		[json, 'json', '{}'],
		[flag, 'boolean', true],
	])('a field has its type and default: %#, %s, %j', (kind, type, preset) => {
		expect(kind({ displayName }).property('shown')).toEqual({ ...base, type, default: preset });
	});

	test('a number has a range', () => {
		const shown = { ...base, type: 'number', default: 0 };
		const typeOptions = { minValue: 1, maxValue: 50 };
		const whole = integer({ displayName, min: 1, max: 50 }).property('shown');
		expect(whole).toEqual({ ...shown, typeOptions });
		const any = number({ displayName, min: 0.1 }).property('shown');
		expect(any).toEqual({ ...shown, typeOptions: { minValue: 0.1 } });
		expect(read(number({ displayName }), -1)).toBe(-1);
	});

	test('a collection lists its fields by label', () => {
		const labels = ['CC', 'Max Score', 'Start Date', 'Tags'];
		const fields = [...labels].reverse().map((label) => [label, text({ displayName: label })]);
		const shown = collection('Test Filters', Object.fromEntries(fields)).property('shown');
		const placeholder = 'Add test filter';
		expect(shown).toMatchObject({ type: 'collection', default: {}, placeholder });
		expect(shown.options).toMatchObject(labels.map((label) => ({ displayName: label })));
	});

	test('entries can be added, and each has its fields', () => {
		expect(topics.property('shown')).toMatchObject({
			...{ type: 'fixedCollection', default: {}, placeholder: 'Add topic' },
			typeOptions: { multipleValues: true },
			options: [{ displayName: 'Topic', name: 'topic', values: [{ name: 'name' }] }],
		});
	});

	test('the first value of a choice is its default', () => {
		const shown = { ...base, type: 'options', options: metric.options, default: 'nps' };
		for (const field of [
			choice({ ...metric, displayName }),
			openChoice({ ...metric, displayName }),
		]) {
			expect(field.property('shown')).toEqual(shown);
		}
	});

	test('a locator can be searched and has the given modes', () => {
		const by = { id: '7' };
		const typeOptions = { searchListMethod: 'searchThings', searchable: true };
		const shown = locator({ displayName, search: 'searchThings', by }).property('shown');
		expect(shown).toEqual({
			...base,
			...{ type: 'resourceLocator', default: { mode: 'list', value: '' } },
			modes: [
				{ displayName: 'From List', name: 'list', type: 'list', typeOptions },
				{ displayName: 'By ID', name: 'id', placeholder: 'e.g. 7', type: 'string' },
			],
		});
	});
});

test('a hint lists up to 20 examples of items that count, each once', () => {
	const warnings = new Warnings();
	for (const item of [0, 1, 2]) warnings.add(item, 'Left out', `column ${item}`);
	for (let item = 1; item <= 42; item++) warnings.add(item, 'New', String(Math.ceil(item / 2)));
	const hints = warnings.hints((item) => item !== 2);
	expect(hints).toEqual(['Left out: column 0, column 1', expect.stringMatching(/^New: 1, .* 20$/)]);
});

test('a toggle without a value is read as its default', () => {
	const field = toggle({ displayName: 'All', default: true });
	expect([undefined, '', 'no', true].map((value) => read(field, value))).toEqual([
		true,
		true,
		false,
		true,
	]);
});

test.each<[unknown, string | undefined]>([
	[{ __rl: true, mode: 'id', value: ' 7 ' }, '7'],
	[{ value: 7 }, '7'],
	[7, '7'],
	[{ value: '' }, undefined],
	[null, undefined],
])('reads the locator %j as %p', (value, expected) => {
	const settings = { displayName: 'Thing', search: 'searchThings', by: {} };
	expect(read(locator(settings), value)).toBe(expected);
	const required = read(locator({ ...settings, required: true }), value);
	expect(required).toBe(expected ?? "'Thing' is missing");
});

test('the column names Straße and Strasse are not equal', () => {
	expect(wordsKey('Straße')).not.toBe(wordsKey('Strasse'));
});

test.each([
	['text', false],
	[null, false],
	[['a', 1, null], false],
	[new Date(), false],
	[DateTime.now(), false],
	[[{ a: 1 }], true],
	[['a', { a: 1 }], true],
	[[['a']], true],
])('recognizes nested columns: %p is %p', (value, nested) => expect(isNested(value)).toBe(nested));

describe('a parameter', () => {
	/** Returns the parameters of a node with one parameter, and the items for which n8n evaluated it. */
	function node(written: unknown) {
		const items: number[] = [];
		const getNodeParameter = jest.fn().mockImplementation((_, item, fallback, options) => {
			if (options?.rawExpressions) return written;
			items.push(item);
			return written === undefined ? fallback : `of ${item}`;
		});
		const context = { getNodeParameter, getInputData: () => [], getTimezone: () => 'UTC' };
		return { parameters: new Parameters(context), items };
	}

	test.each([
		['fixed'],
		[7],
		[true],
		[{ rows: [{ name: 'fixed' }, 7, null] }],
		[' =not an expression'],
	])('without an expression is evaluated once: %j', (written) => {
		const { parameters, items } = node(written);
		for (const item of [0, 1, 2]) expect(parameters.value('x', item)).toBe('of 0');
		expect(items).toEqual([0]);
	});

	test.each([['={{ $json.x }}'], [{ rows: [{ name: 'fixed' }, { name: '=x' }] }], [['=x']]])(
		'with an expression is evaluated for each item: %j',
		(written) => {
			const { parameters, items } = node(written);
			for (const item of [0, 1, 2]) expect(parameters.value('x', item)).toBe(`of ${item}`);
			expect(items).toEqual([0, 1, 2]);
		},
	);

	test('that the editor does not show is undefined', () => {
		expect(node(undefined).parameters.value('x', 0)).toBeUndefined();
	});
});
