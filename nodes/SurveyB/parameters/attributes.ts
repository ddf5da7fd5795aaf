import type { GenericValue, IDataObject, INodeProperties } from 'n8n-workflow';
import { z } from 'zod';

import { isObject } from '../../shared/http/json';
import { isDateObject, readDate } from '../../shared/parameters/dates';
import { readBoolean, readNumber } from '../../shared/parameters/numbers';
import { entries, optionalWord, readName } from '../../shared/parameters/schemas';
import { emptied, isBlank, issueOf, optional, Unusable } from '../../shared/parameters/values';

// Attributes of contacts and of surveys, and what the service takes for names and values (contract,
// section Limits, data policy). What it would refuse is told before anything is sent.

const REJECTED_IN_NAME = /[^A-Za-z0-9_ ]/u;
const REJECTED_IN_VALUE = /[$.%&]/;

const LUXON_TEXT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}(Z|[+-]\d{2}:\d{2})$/;

const TYPES = ['string', 'number', 'boolean', 'date'] as const;

export type AttributeType = (typeof TYPES)[number];

/** An attribute as it goes out: its name and its value. */
type Attribute = [string, GenericValue];

/** Reads the name of an attribute. Throws Unusable for a character that the service rejects. */
export function readAttributeName(value: unknown): string {
	const name = readName(value);
	const rejected = name.match(REJECTED_IN_NAME)?.[0];
	if (rejected === undefined) return name;
	throw new Unusable(
		`contains '${rejected}', which Survey B does not accept`,
		'Use letters a-z, digits, underscores and spaces',
	);
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

function acceptedText(text: string): string {
	const rejected = text.match(REJECTED_IN_VALUE)?.[0];
	if (rejected === undefined) return text;
	throw new Unusable(
		`contains '${rejected}', which Survey B does not accept`,
		/^\s*[+-]?\d+\.\d+\s*$/.test(text)
			? "Set 'Type' to Number to send it as a number"
			: "Remove $ . % & from the text. For a date, set 'Type' to Date",
	);
}

const row = z.object({
	name: optional((value) => value),
	type: optionalWord(TYPES),
	value: z.unknown(),
});

/** A row of names and values; undefined for one without a value. */
const attribute = row.transform(({ name, type, value }, context): Attribute | undefined => {
	const sent = isBlank(value) ? emptied(value) : undefined;
	if (isBlank(value) && sent === undefined) return undefined;
	let path = 'name';
	try {
		if (name === undefined) throw new Unusable('is missing');
		const read = readAttributeName(name);
		path = 'value';
		return [read, sent ?? readAttribute(value, type)];
	} catch (error) {
		const of = path === 'value' ? `of attribute '${String(name).trim()}'` : undefined;
		context.addIssue({ ...issueOf(error, of), path: [path] });
		return z.NEVER;
	}
});

/** The parameter: rows of names and values. Rows without a value are left out. */
export const attributesInput = entries('attribute', attribute).transform(
	(rows, context): IDataObject | undefined => {
		const given = rows.filter((row) => row !== undefined);
		const names = given.map(([name]) => name);
		const twice = names.find((name, place) => names.indexOf(name) !== place);
		if (twice !== undefined) {
			context.addIssue(
				issueOf(new Unusable(`has two rows named '${twice}'`, 'Remove one of them')),
			);
		}
		return given.length === 0 ? undefined : Object.fromEntries(given);
	},
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
