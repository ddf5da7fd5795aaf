import type { FieldType, GenericValue, IDataObject } from 'n8n-workflow';

import { Failure } from '../../shared/base/failure';
import { isObject } from '../../shared/http/json';
import { sharedType } from '../../shared/fields/columns';
import type { ReadContext, Warning } from '../../shared/fields/context';
import { isDateObject, readDate } from '../../shared/fields/dates';
import { choice } from '../../shared/fields/fields';
import {
	parsedJson,
	readBoolean,
	readName,
	readNumber,
	readOrSuggest,
} from '../../shared/fields/values';

// The characters and dates that the service accepts in attributes (contract: Limits, data policy). Values that it would
// refuse fail before anything is sent.

const REJECTED_IN_NAME = /[^A-Za-z0-9_ ]/gu;
const REJECTED_IN_VALUE = /[$.%&]/g;
const NUMBER = /^\s*[+-]?(0|[1-9]\d*)(\.\d+)?\s*$/;
/** A number as sheets and shops write it: `$19.99`, `-3.5 %`, `.5`. */
const AMOUNT = /^\s*([+-]?)\s*\$?\s*(?=\.?\d)(0|[1-9]\d*)?(\.\d+)?\s*[$%]?\s*$/;
/** Rejected characters between digits or before a fraction: without them, the number would be another one. */
const IN_NUMBER = /\d[$.%&]+\d|\.\d/;
/** One group of three digits after a point: `10.000` is ten in one country and ten thousand in another. */
const AMBIGUOUS_NUMBER = /^\D*[1-9]\d{0,2}\.\d{3}\D*$/;
const BOOLEAN = /^\s*(true|false|yes|no)\s*$/i;
const DIGITS = /^\d+$/;

/** The forms in which the service recognizes a date. */
const SERVICE_DATE = /^(19|20|21)\d{2}-\d{2}-\d{2}([T ]\d{2}:\d{2}|T\d{2}:\d{2}:\d{2}Z?)?$/;
/** A moment as n8n and most services write it, in a form that Survey B does not recognize. */
const MOMENT = /^(19|20|21)\d{2}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?(Z|[+-]\d{2}:?\d{2})$/;
const DATE_LIKE =
	/^((19|20|21)\d{2}([./-])[01]?\d\3[0-3]?\d|[0-3]?\d([./-])[0-3]?\d\4(\d{2}|(19|20|21)\d{2}))(?!\d)/;

export const rejectedCharacters = choice({
	displayName: 'Rejected Characters',
	options: [
		{ name: 'Error', value: 'error', description: 'The row fails and says which attribute it is' },
		{
			name: 'Remove',
			value: 'remove',
			description: 'Send the attribute without them; $19.99 and 3.5% go out as numbers',
		},
		{ name: 'Skip Attribute', value: 'skip', description: 'Send the row without the attribute' },
	],
	default: 'remove',
	description:
		'What to do with attributes that contain characters Survey B rejects. Values cannot contain $ . % &; names take letters, digits, spaces and underscores only. Without this option, such a row fails.',
});

export type RejectedCharacters = 'error' | 'remove' | 'skip';

const removed: Warning = (count) =>
	`Attributes that were sent without characters that Survey B rejects: ${count}`;
const skipped: Warning = (count) =>
	`Attributes that were left out because of characters that Survey B rejects: ${count}`;
const textDates: Warning = (_, examples) =>
	`Survey B recognizes dates in ISO form only. These were sent as text: ${examples.join(', ')}. To send a date, write it as 2026-11-21`;

/** Returns the type that all values of an attribute share. */
export function attributeType(values: unknown[]): FieldType {
	return sharedType(values, (value) => typeof value === 'number', isServiceDate);
}

/** Returns whether the account may know another type for a text: a date, a number, or a boolean. */
export function isAmbiguous(value: unknown): boolean {
	if (typeof value !== 'string') return false;
	return isOtherDate(value) || NUMBER.test(value) || BOOLEAN.test(value);
}

/** Reads the names and values of attributes by the service's data policy. */
export class AttributeReader {
	/** True if the attribute that is read contains a character that Survey B rejects. */
	private isRejected = false;

	constructor(
		private readonly context: ReadContext,
		private readonly mode?: RejectedCharacters,
	) {}

	/**
	 * Reads one attribute.
	 *
	 * @param type the type that the account has for it, as the resource mapper calls it
	 * @returns undefined for one that is left out because of its characters
	 */
	entry(name: string, value: unknown, type?: string): [string, GenericValue] | undefined {
		this.isRejected = false;
		const key = this.name(name);
		const read = this.value(value, type, name);
		// An attribute of only rejected characters would be cleared.
		const isCleared = key === '' || (read === '' && value !== '');
		return this.isRejected || isCleared ? this.skip(name) : [key, read];
	}

	private skip(name: string): undefined {
		this.context.warnings.add(skipped, name);
		return undefined;
	}

	private name(value: string): string {
		const name = readName(value);
		const [rejected] = name.match(REJECTED_IN_NAME) ?? [];
		if (rejected === undefined) return name;
		if (this.mode === 'remove') return this.without(name, REJECTED_IN_NAME).trim();
		this.reject(
			`has a name that contains '${rejected}'`,
			'use letters a-z, digits, underscores and spaces',
		);
		return name;
	}

	/** Reads a value. Text stays text, and JSON values keep their type, unless the account has another type. */
	private value(value: unknown, type: string | undefined, name: string): GenericValue {
		if (type === 'dateTime' && this.isUnreadDate(value)) return this.date(value);
		if (typeof value !== 'string') return this.json(value);
		if (type === 'number' && NUMBER.test(value)) return readNumber(value);
		if (type === 'boolean' && BOOLEAN.test(value)) return readBoolean(value);
		// The editor keeps what is written in a list or an object as the text of its JSON.
		const parsed = type === 'array' || type === 'object' ? parsedJson(value) : undefined;
		if (type === 'array' ? Array.isArray(parsed) : isObject(parsed)) return this.json(parsed);
		if (isOtherDate(value)) this.context.warnings.add(textDates, `${name} (${value})`);
		return this.json(value);
	}

	/** Returns whether a value of a date attribute has to be brought into the service's form. */
	private isUnreadDate(value: unknown): boolean {
		if (typeof value !== 'string') return typeof value === 'number';
		return isOtherDate(value) || DIGITS.test(value.trim());
	}

	private date(value: unknown): string {
		const suggestion = "or send it as text with 'Additional Properties (JSON)'";
		return readOrSuggest(suggestion, 'Correct the date', () =>
			readDate(value, this.context).isoDate(),
		);
	}

	/** Reads JSON of any depth, in which the service must accept all names and texts. */
	private json(value: unknown): GenericValue {
		if (isDateObject(value) || isMoment(value)) return readDate(value, this.context).isoDate();
		if (typeof value === 'string') return this.text(value);
		if (typeof value === 'number') return readNumber(value);
		if (typeof value === 'boolean' || value === null) return value;
		if (Array.isArray(value)) return value.map((entry) => this.json(entry));
		if (!isObject(value)) throw Failure.value('must be text, a number, true or false, or JSON');
		return attributesIn(
			Object.entries(value).map(([name, entry]) => [this.name(name), this.json(entry)]),
		);
	}

	/** Reads text. A number never changes: `$19.99` goes out as 19.99, and a point between digits is not removed. */
	private text(text: string): GenericValue {
		const [rejected] = text.match(REJECTED_IN_VALUE) ?? [];
		if (rejected === undefined) return text;
		const what = `contains '${rejected}'`;
		if (this.mode !== 'remove') {
			const isNumber = NUMBER.test(text);
			this.reject(what, isNumber ? 'return a number from an expression' : 'change the text');
			return text;
		}
		const amount = text.match(AMOUNT);
		if (amount && AMBIGUOUS_NUMBER.test(text)) {
			throw Failure.value(
				'could be a number in thousands, or one with three decimals',
				'Return a number from an expression, or remove the point',
			);
		}
		if (amount) {
			const [, sign, whole = '0', fraction] = amount;
			this.context.warnings.add(removed, text);
			return readNumber([sign, whole, fraction].join(''));
		}
		if (!IN_NUMBER.test(text)) return this.without(text, REJECTED_IN_VALUE);
		throw Failure.value(
			`${what} in a number, which would be another number without it`,
			"Set Options → 'Rejected Characters' to Skip Attribute, or change the text",
		);
	}

	/** Fails for a rejected character, or has the attribute skipped. */
	private reject(what: string, otherwise: string): void {
		this.isRejected = true;
		if (this.mode === 'skip') return;
		throw Failure.value(
			`${what}, which Survey B does not accept`,
			`Set Options → 'Rejected Characters' to Remove or Skip Attribute, or ${otherwise}`,
		);
	}

	private without(text: string, characters: RegExp): string {
		this.context.warnings.add(removed, text);
		return text.replace(characters, '');
	}
}

function isServiceDate(value: unknown): boolean {
	return typeof value === 'string' && SERVICE_DATE.test(value) && isDay(value);
}

function isMoment(value: unknown): boolean {
	return (
		typeof value === 'string' && MOMENT.test(value) && !SERVICE_DATE.test(value) && isDay(value)
	);
}

function isDay(text: string): boolean {
	return !Number.isNaN(Date.parse(text.slice(0, '2026-11-21'.length)));
}

/** Returns whether a text looks like a date in a form that the service does not recognize. */
function isOtherDate(text: string): boolean {
	const trimmed = text.trim();
	return DATE_LIKE.test(trimmed) && !SERVICE_DATE.test(trimmed) && !isMoment(trimmed);
}

/** Returns attributes as they are sent. @throws Failure when two of them have one name */
export function attributesIn(entries: Array<[string, GenericValue]>): IDataObject {
	const attributes = new Map<string, GenericValue>();
	for (const [name, value] of entries) {
		if (attributes.has(name)) {
			throw Failure.value(`has the name '${name}' twice`, 'Rename one of the two');
		}
		attributes.set(name, value);
	}
	return Object.fromEntries(attributes);
}
