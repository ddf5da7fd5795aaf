import type { GenericValue, IDataObject, INodeProperties } from 'n8n-workflow';
import { z } from 'zod/v4';

import { once } from '../../shared/http/once';
import { isObject } from '../../shared/http/json';
import { isDateObject, readDate } from '../../shared/parameters/dates';
import { readBoolean, readNumber } from '../../shared/parameters/numbers';
import { entries, optionalWord, readName } from '../../shared/parameters/schemas';
import { jsonObject } from '../../shared/parameters/jsonObject';
import { currentRules } from '../../shared/parameters/rules';
import { emptied, isBlank, issueOf, optional, Unusable } from '../../shared/parameters/values';

// Attributes of contacts and of surveys, and what the service takes for names and values (contract,
// section Limits, data policy). What it would refuse is told before anything is sent.

const REJECTED_IN_NAME = /[^A-Za-z0-9_ ]/gu;
const REJECTED_IN_VALUE = /[$.%&]/g;
const DECIMAL = /^\s*[+-]?\d+\.\d+\s*$/;

const LUXON_TEXT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}(Z|[+-]\d{2}:\d{2})$/;

const TYPES = ['string', 'number', 'boolean', 'date'] as const;

export type AttributeType = (typeof TYPES)[number];

/** An attribute as it goes out: its name and its value. */
type Attribute = [string, GenericValue];

/** A name or a value with a character that the service rejects. */
class Rejected extends Unusable {
	constructor(character: string, advice: string) {
		super(
			`contains '${character}', which Survey B does not accept`,
			`${advice}. Or let 'Rejected Characters' remove it, or skip the attribute`,
		);
	}
}

/**
 * Reads the name of an attribute.
 *
 * @throws Unusable for a character that the service rejects, unless Rejected Characters removes it
 */
export function readAttributeName(value: unknown): string {
	const name = readName(value);
	const [rejected] = name.match(REJECTED_IN_NAME) ?? [];
	if (rejected === undefined) return name;
	if (removes()) return readName(name.replace(REJECTED_IN_NAME, ''));
	throw new Rejected(rejected, 'Use letters a-z, digits, underscores and spaces');
}

/** Whether characters that the service rejects are taken out; tells that some were. */
function removes(): boolean {
	const { rejectedCharacters, onRejected } = currentRules();
	if (rejectedCharacters !== 'remove') return false;
	onRejected?.('removed');
	return true;
}

/**
 * Reads the value of an attribute. Text stays text, and what is JSON already stays what it is.
 *
 * @throws Unusable for a value that is not of the type, or that has a character that the service rejects
 */
export function readAttribute(value: unknown, type: AttributeType = 'string'): GenericValue {
	if (type === 'number') return readNumber(value);
	if (type === 'boolean') return readBoolean(value);
	if (type === 'date' || isDate(value)) return readDate(value).isoDate();
	return accepted(value);
}

/** A date of an expression: n8n hands a Luxon date on as text, with milliseconds that nobody wrote. */
function isDate(value: unknown): boolean {
	return isDateObject(value) || (typeof value === 'string' && LUXON_TEXT.test(value));
}

/** JSON of any depth, as long as the service takes the names and texts in it. */
function accepted(value: unknown): GenericValue {
	if (typeof value === 'string') return acceptedText(value);
	if (typeof value === 'number') return readNumber(value);
	if (typeof value === 'boolean' || value === null) return value;
	if (Array.isArray(value)) return value.map(accepted);
	if (!isObject(value)) throw new Unusable('must be text, a number, true or false, or JSON');
	const inside = Object.entries(value).map(([name, entry]): Attribute => {
		return [readAttributeName(name), accepted(entry)];
	});
	return Object.fromEntries(inside);
}

/** A decimal number whose point is to be removed goes out as a number: 1.5 never becomes 15. */
function acceptedText(text: string): GenericValue {
	const [rejected] = text.match(REJECTED_IN_VALUE) ?? [];
	if (rejected === undefined) return text;
	if (removes()) return DECIMAL.test(text) ? readNumber(text) : text.replace(REJECTED_IN_VALUE, '');
	throw new Rejected(
		rejected,
		DECIMAL.test(text)
			? "Set 'Type' to Number to send it as a number"
			: "Remove $ . % & from the text. For a date, set 'Type' to Date",
	);
}

const row = once(() =>
	z.object({
		name: optional((value) => value),
		type: optionalWord(TYPES),
		value: z.unknown().optional(),
	}),
);

/** An attribute that does not go out because of characters that the service rejects. */
function skipped(): undefined {
	currentRules().onRejected?.('skipped');
	return undefined;
}

/** A row of names and values; undefined for one without a value. */
const attribute = once(() =>
	row().transform(({ name, type, value }, context): Attribute | undefined => {
		const sent = isBlank(value) ? emptied(value) : undefined;
		if (isBlank(value) && sent === undefined) return undefined;
		let path = 'name';
		try {
			if (name === undefined) throw new Unusable('is missing');
			const read = readAttributeName(name);
			path = 'value';
			return read === '' ? skipped() : [read, sent ?? readAttribute(value, type)];
		} catch (error) {
			if (error instanceof Rejected && currentRules().rejectedCharacters === 'skip')
				return skipped();
			const of = path === 'value' ? `of attribute '${String(name).trim()}'` : undefined;
			context.addIssue({ ...issueOf(error, of), path: [path] });
			return z.NEVER;
		}
	}),
);

/** The parameter as JSON: an object of names and values. */
export const attributesJsonInput = once(() =>
	jsonObject
		.transform((attributes = {}): unknown[] =>
			Object.entries(attributes).map(([name, value]) => ({ name, value })),
		)
		.pipe(z.array(attribute()))
		.transform((rows) => Object.fromEntries(rows.filter((row) => row !== undefined))),
);

/** The field for it, whose rows stand in the field of this label. */
export function attributesJsonField(
	displayName: string,
	name: string,
	label: string,
): INodeProperties {
	return {
		displayName,
		name,
		type: 'json',
		default: '',
		placeholder: 'e.g. { "plan": "pro", "seats": 12 }',
		description: `Attributes as a JSON object of names and values. An attribute that is also set in ${label} has the value from there.`,
	};
}

/** Attributes of both parameters: rows win over JSON. Undefined where there are none. */
export function allAttributes(json: IDataObject, rows?: IDataObject): IDataObject | undefined {
	const all = { ...json, ...rows };
	return Object.keys(all).length === 0 ? undefined : all;
}

/** What becomes of attributes with characters that the service rejects. */
export const rejectedCharactersField: INodeProperties = {
	displayName: 'Rejected Characters',
	name: 'rejectedCharacters',
	type: 'options',
	options: [
		{ name: 'Error', value: 'error', description: 'The row fails and says which attribute it is' },
		{
			name: 'Remove',
			value: 'remove',
			description: 'Send the attribute without them; a decimal goes out as a number',
		},
		{ name: 'Skip Attribute', value: 'skip', description: 'Send the row without the attribute' },
	],
	default: 'error',
	description:
		'What to do with attributes that contain characters Survey B rejects. Values cannot contain $ . % &; names take letters, digits, spaces and underscores only.',
};

/** The parameter: rows of names and values. Rows without a value are left out. */
export const attributesInput = once(() =>
	entries('attribute', attribute()).transform((rows, context): IDataObject | undefined => {
		const given = rows.filter((row) => row !== undefined);
		const names = given.map(([name]) => name);
		const twice = names.find((name, place) => names.indexOf(name) !== place);
		if (twice !== undefined) {
			context.addIssue(
				issueOf(new Unusable(`has two rows named '${twice}'`, 'Remove one of them')),
			);
		}
		return given.length === 0 ? undefined : Object.fromEntries(given);
	}),
);

/** The field: rows of names and values. */
export function attributesField(
	displayName: string,
	name: string,
	description: string,
): INodeProperties {
	return {
		displayName,
		name,
		type: 'fixedCollection',
		typeOptions: { multipleValues: true },
		placeholder: 'Add attribute',
		default: {},
		description,
		options: [
			{
				displayName: 'Attribute',
				name: 'attribute',
				values: [
					{
						displayName: 'Name',
						name: 'name',
						type: 'string',
						default: '',
						placeholder: 'e.g. plan',
						description: 'Letters, digits, underscores and spaces',
					},
					{
						displayName: 'Type',
						name: 'type',
						type: 'options',
						options: [
							{ name: 'Boolean', value: 'boolean' },
							{ name: 'Date', value: 'date', description: 'Sent in ISO 8601 form' },
							{ name: 'Number', value: 'number' },
							{ name: 'String', value: 'string', description: 'Sent as it is' },
						],
						default: 'string',
					},
					{
						displayName: 'Value',
						name: 'value',
						type: 'string',
						default: '',
						placeholder: 'e.g. pro',
						description: 'Text cannot contain $ . % &. A row without a value is left out.',
					},
				],
			},
		],
	};
}
