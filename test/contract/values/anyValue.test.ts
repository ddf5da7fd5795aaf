import fc from 'fast-check';
import type { IDataObject, INodeParameters } from 'n8n-workflow';

import type { RecordedRequest } from '../../../sandbox';
import { mapped } from '../../support/columns';
import { anyText, runs } from '../../support/random.mts';
import { runOperation } from '../../support/runOperation';
import { errorOf } from '../../support/samples';
import { useSandbox } from '../../support/sandbox';

// Property tests: any value is sent exactly as the row has it, or the row fails and says why.

const VALUE = '={{ $json.value }}';
const NAME = '={{ $json.name }}';

/** Values that often break software, and values that look like them. */
const nasty = fc.constantFrom<unknown>(
	...['', ' ', '\u00a0', '0', '-0', '00', '1.0', '10.000', '1,000', '1e3', '0x1F', '٣', '+5'],
	...['true', 'False', 'yes', 'NO', 'on', 'null', 'undefined', 'NaN', '[object Object]'],
	...['2025-02-30', '3/4/25', '45720', '12:30', '-5', '2025-03-04T25:00', '9999999999999999'],
	...['__proto__', 'constructor', 'prototype', 'a,b', ',', ' , ', '={{ 1 + 1 }}', '{{ $json }}'],
	...['\u0000', '\ud800', '\r\n', '$', '.', '%', '&', 'a.b', '漢字 ✓'],
	...[0, -0, 1, -1, 1.5, 2 ** 53, -(2 ** 53) - 2, 1e21, 1e-7, true, false, null],
	...[[], [null], [''], [[]], ['a', 1], [true], {}, { value: 'x' }, { a: { b: ['c.d'] } }],
);

const digits = fc.stringMatching(/^[+-]?\d{1,20}([.,]\d{1,12})?$/);
const dates = fc.stringMatching(/^\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}([T ]\d{2}:\d{2}Z?)?$/);
const anyValue: fc.Arbitrary<unknown> = fc.oneof(
	nasty,
	fc.jsonValue(),
	anyText(30),
	fc.integer(),
	digits,
	dates,
);

interface Field {
	title: string;
	service: 'a' | 'b';
	operation: string;
	parameters: INodeParameters;
	/** Returns the rows of a request by name, with the value that was sent. */
	sent(request: RecordedRequest): Array<{ name: string; value: unknown }>;
	isSame(given: unknown, sent: unknown): boolean;
	/** Returns whether docs/values.md says that the value is left out. */
	isLeftOut?(given: unknown): boolean;
}

const at = (body: unknown, ...path: string[]): unknown =>
	path.reduce<unknown>(
		(value, name) =>
			typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined,
		body,
	);

/** Returns whether a value is null, undefined, white space, or a list without other entries. */
const isBlank = (value: unknown): boolean =>
	value === null ||
	value === undefined ||
	(typeof value === 'string' && value.trim() === '') ||
	(Array.isArray(value) && value.every(isBlank));

const isJson = (given: unknown, sent: unknown) => JSON.stringify(given) === JSON.stringify(sent);

/** Equal text; a number is sent as its digits. */
const isText = (given: unknown, sent: unknown): boolean => {
	// A list of one entry is that entry.
	if (Array.isArray(given) && given.length === 1) return isText(given[0], sent);
	return typeof given === 'number'
		? Number(sent) === given && typeof sent === 'string'
		: isJson(given, sent);
};

/** Equal text; a boolean is sent as its word. */
const isAnyText = (given: unknown, sent: unknown) => isText(given, sent) || String(given) === sent;

/** Equal apart from surrounding white space. */
const isTrimmed = (given: unknown, sent: unknown) =>
	typeof given === 'string' ? given.trim() === sent : isText(given, sent);

const isNumber = (given: unknown, sent: unknown) =>
	typeof sent === 'number' &&
	(typeof given === 'number' ? given === sent : isSameNumber(String(given), String(sent)));

/** Compares numbers by their digits, because JavaScript would lose precision. */
function isSameNumber(given: string, sent: string): boolean {
	const parts = (text: string) => {
		const [, sign = '', whole = '', fraction = ''] =
			text.trim().match(/^([+-]?)0*(\d*)(?:\.(\d*?)0*)?$/) ?? [];
		return [sign === '-' && (whole || fraction) !== '' ? '-' : '', whole, fraction].join('|');
	};
	return sent.includes('e') ? Number(given) === Number(sent) : parts(given) === parts(sent);
}

const isBoolean = (given: unknown, sent: unknown) => {
	const word = String(given).trim().toLowerCase();
	return (
		sent === ['true', 'yes', 'y', '1'].includes(word) && /^(true|yes|y|1|false|no|n|0)$/.test(word)
	);
};

/** The words for an opt-out, and for none, that occur in these values. */
const SAYS_YES = /^(true|t|yes|y|1|x|on)$/i;
const SAYS_NO = /^(false|f|no|n|0|off|none|null|undefined|never|-|n\/a)$/i;

/** Returns the values in an array, or under `value` of an object, at any depth. */
function wordsIn(given: unknown): unknown[] {
	if (Array.isArray(given)) return given.flatMap(wordsIn);
	const isNamed = typeof given === 'object' && given !== null && 'value' in given;
	return isNamed ? wordsIn(given.value) : [given];
}

/** Returns the entries of a list: an array, the JSON text of one, or text with commas. */
function entriesOf(given: unknown): unknown[] {
	if (typeof given !== 'string') return [given].flat();
	try {
		const read: unknown = JSON.parse(given);
		if (Array.isArray(read)) return read;
	} catch {
		// Text with commas.
	}
	return given.split(',');
}

/** Equal entries in the same order, without blank ones. */
const isList = (given: unknown, sent: unknown) => {
	const entries = entriesOf(given);
	return isJson(
		entries.filter((entry) => !isBlank(entry)).map((entry) => String(entry).trim()),
		sent,
	);
};

/** The same day or moment: the given value contains every number of the date. */
const isDate = (given: unknown, sent: unknown) => {
	const [, year, month, day] = String(sent).match(/^(\d{4})-(\d{2})-(\d{2})/) ?? [];
	if (year === undefined) return false;
	const text = String(given).trim();
	if (/^\d{9,10}(\.\d+)?$|^\d{12,13}$/.test(text)) {
		const millis = Number(text) * (/^\d{12,13}$/.test(text) ? 1 : 1000);
		return Math.abs(Date.parse(String(sent)) - millis) < 1000;
	}
	const compact = text.match(/^(\d{4})(\d{2})(\d{2})/);
	const numbers = compact ? compact.slice(1) : text.split(/\D+/).slice(0, 3);
	const wanted = [year, month, day].map(Number).sort();
	return isJson(numbers.map(Number).sort(), wanted);
};

const customers =
	(path: string[]): Field['sent'] =>
	({ rawBody }) => {
		const { subscribers }: { subscribers: IDataObject[] } = JSON.parse(rawBody);
		return subscribers.map((body) => ({ name: nameIn(body), value: at(body, ...path) }));
	};

const contacts =
	(path: string[]): Field['sent'] =>
	({ rawBody }) => {
		const body: IDataObject = JSON.parse(rawBody);
		return [{ name: nameIn(body), value: at(body, ...path) }];
	};

/** The row's name is in its address, or in its last name if the address is tested. */
const nameIn = (body: IDataObject) =>
	String(body.last_name ?? at(body, 'contact', 'email') ?? body.email).replace('@example.com', '');

const EMAIL = '={{ $json.name }}@example.com';

type Schema = Parameters<typeof mapped>[1];
type FieldType = 'string' | 'number' | 'boolean' | 'dateTime' | 'array';

const NAMES = {
	a: { title: 'Survey A', operation: 'customer.upsert', sent: customers },
	b: { title: 'Survey B', operation: 'contact.upsert', sent: contacts },
};

/** Returns a field of a mapped row, whose other columns say which row it is. */
function column(
	service: 'a' | 'b',
	title: string,
	columns: INodeParameters,
	path: string[],
	isSame: Field['isSame'],
	schema: Schema = [],
): Field {
	const { title: name, operation, sent } = NAMES[service];
	const parameters = mapped({ email: EMAIL, ...columns }, schema);
	return { title: `${name}: ${title}`, service, operation, parameters, sent: sent(path), isSame };
}

const property = (title: string, type: FieldType, isSame: Field['isSame']) =>
	column(
		'a',
		`property ${title}`,
		{ 'property:Test': VALUE },
		['properties', '0', 'value'],
		isSame,
		[{ id: 'property:Test', displayName: 'Test', type }],
	);

const attribute = (title: string, type: FieldType, isSame: Field['isSame']) =>
	column('b', `attribute ${title}`, { 'attribute:test': VALUE }, ['attributes', 'test'], isSame, [
		{ id: 'attribute:test', displayName: 'test', type },
	]);

/** Returns a field of a feedback response that is created. */
const ofFeedback = (
	title: string,
	parameters: INodeParameters,
	isSame: Field['isSame'],
): Field => ({
	title: `Survey B: ${title}`,
	service: 'b',
	operation: 'feedback.create',
	parameters: { campaignId: '101', email: EMAIL, score: 5, ...parameters },
	sent: contacts([title]),
	isSame,
});

const FIELDS: Field[] = [
	column('a', 'first name', { firstName: VALUE }, ['first_name'], isText),
	column('a', 'company', { company: VALUE }, ['company'], isText),
	column('a', 'tags', { tags: VALUE }, ['tags'], isList),
	property('of type String', 'string', isAnyText),
	property('of type Integer', 'number', isNumber),
	property('of type Boolean', 'boolean', isBoolean),
	property('of type Date', 'dateTime', isDate),
	{
		...property('of type Collection', 'array', (given, sent) =>
			isJson(
				Array.isArray(given)
					? given
					: entriesOf(given)
							.filter((entry) => !isBlank(entry))
							.map((entry) => (typeof entry === 'string' ? entry.trim() : entry)),
				sent,
			),
		),
		isLeftOut: (value) => entriesOf(value).every((entry) => isBlank(entry) || entry === '""'),
	},
	column('b', 'first name', { firstName: VALUE }, ['first_name'], isText),
	{
		// One entry of a list that says so is enough. `test/contract/rows/optOut.test.mts` has all its words.
		...column('b', 'unsubscribed', { unsubscribed: VALUE }, ['unsubscribed'], (given, sent) =>
			wordsIn(given).some((word) => (sent === true ? SAYS_YES : SAYS_NO).test(String(word).trim())),
		),
		isLeftOut: (value) =>
			wordsIn(value).every(
				(word) => isBlank(word) || typeof word === 'object' || SAYS_NO.test(String(word).trim()),
			),
	},
	{
		...attribute('of type String', 'string', isAnyText),
		// Survey B rejects these characters: the item names the attribute.
		isLeftOut: (value) => /[$.%&]/.test(String(value)),
	},
	attribute('of type Number', 'number', isNumber),
	attribute('of type Boolean', 'boolean', isBoolean),
	attribute('of type Date', 'dateTime', isDate),
	column('a', 'email', { email: VALUE, lastName: NAME }, ['email'], isTrimmed),
	ofFeedback('score', { score: VALUE }, isNumber),
	ofFeedback('comment', { additionalFields: { comment: VALUE } }, isText),
];

const sandbox = useSandbox();

/** Sends a row for each value; returns what was sent and the errors, by the row's name. */
async function outcomesOf(
	{ service: letter, operation, parameters, sent }: Field,
	values: unknown[],
) {
	const service = sandbox[letter];
	service.reset();
	const input: IDataObject[] = JSON.parse(
		JSON.stringify(values.map((value, index) => ({ value, name: `row${index}` }))),
	);
	const onError = 'continueRegularOutput';
	const { output, error } = await runOperation(service, operation, parameters, { input, onError });
	expect(error).toBeUndefined();
	const items = output[0] ?? [];
	return {
		rows: input.map(({ value }) => value),
		sent: new Map(service.requests.flatMap(sent).map(({ name, value }) => [name, value])),
		errorText: new Map(
			items.map(({ json, pairedItem }) => [`row${at(pairedItem, 'item')}`, errorOf(json)]),
		),
	};
}

test.each(FIELDS.map((field): [string, Field] => [field.title, field]))(
	'%s: any value is sent exactly as it is, or its row fails',
	async (_, field) => {
		const rows = fc.array(anyValue, { minLength: 1, maxLength: 25 });
		const property = fc.asyncProperty(rows, async (values) => {
			const { rows, sent, errorText } = await outcomesOf(field, values);
			rows.forEach((value, index) => {
				const name = `row${index}`;
				const message = errorText.get(name);
				if (!sent.has(name)) {
					expect([value, message]).toEqual([
						value,
						expect.stringMatching(/^(.*: )?(Column )?'\w/s),
					]);
					expect(message).not.toMatch(/undefined|Invalid input|Expected /);
					return;
				}
				const isLeftOut = sent.get(name) === undefined;
				const isExact = isLeftOut ? isLeft(field, value) : field.isSame(value, sent.get(name));
				expect([value, sent.get(name), isExact]).toEqual([value, sent.get(name), true]);
			});
		});
		await fc.assert(property, runs(12));
	},
);

/** Returns whether a field may leave out a value: a blank one, or a list without entries. */
function isLeft(field: Field, value: unknown): boolean {
	if (field.isLeftOut?.(value)) return true;
	const entries = entriesOf(value);
	return isBlank(value) || (field.isSame === isList && entries.every(isBlank));
}
