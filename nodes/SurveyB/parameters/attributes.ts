import type { FieldType, GenericValue, IDataObject } from 'n8n-workflow';

import { Failure } from '../../shared/base/failure';
import { isObject } from '../../shared/base/json';
import { isDateObject, readDate } from '../../shared/fields/dates';
import type { ReadContext } from '../../shared/fields/field';
import { choice } from '../../shared/fields/fields';
import { LEFT_OUT } from '../../shared/fields/leftOut';
import {
	parsedJson,
	readBoolean,
	readName,
	readNumber,
	readText,
} from '../../shared/fields/values';

// The characters and dates that the service accepts in attributes (contract: Limits, data policy). Values that it would
// refuse fail before anything is sent.

const REJECTED_IN_NAME = /[^A-Za-z0-9_ ]/gu;
const REJECTED_IN_VALUE = /[$.%&]/g;
/** What would be another number, address or link without its rejected characters. A date is a number with points. */
const CHANGED_BY_REMOVAL: Array<[what: string, form: RegExp]> = [
	['an address', /\S@\S/],
	['a link', /:\/\/|\bwww\.|[\p{L}\d-]\.\p{L}{2}|\?\S*=/u],
	['a number', /\d\s*[$%]|\$\s*[-+]?\d|%\d|\d[.&]+[$.%&]*\d|[.&]\d/],
];

/** The forms in which the service recognizes a time, in the text of a date. */
const SERVICE_TIME = /^\d{4}-\d{2}-\d{2}([T ]\d{2}:\d{2}|T\d{2}:\d{2}:\d{2}Z?)$/;

export const rejectedCharacters = choice({
	displayName: 'Rejected Characters',
	options: [
		{ name: 'Error', value: 'error', description: 'The row fails and says which attribute it is' },
		{
			name: 'Remove',
			value: 'remove',
			description:
				'Send the attribute without them; a row with a number, an address or a link that would change fails',
		},
		{ name: 'Skip Attribute', value: 'skip', description: 'Send the row without the attribute' },
	],
	default: 'remove',
	description:
		'What to do with an attribute that has characters Survey B rejects, such as $ . % & in its value: remove them, or skip the attribute. Without this option, such a row fails.',
});

/** The modes of Rejected Characters. @internal */
export type RejectedCharacters = 'error' | 'remove' | 'skip';

const MAKE_NUMBER = 'make a number of it, for example in an Edit Fields node';

const REMOVED = 'Attributes that were sent without characters that Survey B rejects';

/** Reads the names and values of attributes by the service's data policy. */
export class AttributeReader {
	/** True if the attribute that is read contains a character that Survey B rejects. */
	private isRejected = false;

	constructor(
		private readonly context: ReadContext,
		private readonly mode?: RejectedCharacters,
	) {}

	/** Reads one attribute; undefined for one that is left out because of its characters. '' clears it. */
	entry(name: string, value: unknown, type: FieldType): [string, GenericValue] | undefined {
		this.isRejected = false;
		const key = this.name(name);
		const read = value === '' ? value : this.value(value, type);
		// An attribute of only rejected characters would be cleared.
		const isCleared = key === '' || (read === '' && value !== '');
		if (!this.isRejected && !isCleared) return [key, read];
		this.context.warn(LEFT_OUT.rejected.hint());
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

	/** Reads a value of the type that the run has decided for the attribute. */
	private value(value: unknown, type: FieldType): GenericValue {
		// The editor keeps what is written in a list or an object as the text of its JSON.
		const parsed = typeof value === 'string' ? parsedJson(value) : value;
		switch (type) {
			case 'number':
				return readNumber(value);
			case 'boolean':
				return readBoolean(value);
			case 'dateTime':
				return this.date(value);
			case 'array':
				if (Array.isArray(parsed)) return this.json(parsed);
				throw Failure.value('must be a list', 'Write it as JSON, such as ["a", "b"]');
			case 'object':
				if (isObject(parsed)) return this.json(parsed);
				throw Failure.value('must be an object', 'Write it as JSON, such as { "city": "Bonn" }');
			default:
				if (isDateObject(value)) return this.date(value);
				return this.text(typeof value === 'boolean' ? String(value) : readText(value));
		}
	}

	/** Reads a date. Text stays as it is in the forms that the service recognizes, and a time without a zone stays one. */
	private date(value: unknown): string {
		// No zone may move what is sent without one.
		const zone = isDateObject(value) ? this.context.zone : 'UTC';
		const date = readDate(value, { ...this.context, zone });
		const text = String(value).trim();
		return SERVICE_TIME.test(text) ? text : date.isoDate();
	}

	/** Reads JSON of any depth, in which the service must accept all names and texts. */
	private json(value: unknown): GenericValue {
		if (isDateObject(value)) return this.date(value);
		if (typeof value === 'string') return this.text(value);
		if (typeof value === 'number') return readNumber(value);
		if (typeof value === 'boolean' || value === null) return value;
		if (Array.isArray(value)) return value.map((entry) => this.json(entry));
		if (!isObject(value)) throw Failure.value('must be text, a number, true or false, or JSON');
		return attributesIn(
			Object.entries(value).map(([name, entry]) => [this.name(name), this.json(entry)]),
		);
	}

	/** Reads text. No character is removed where another number, address or link would remain. */
	private text(text: string): string {
		const [rejected] = text.match(REJECTED_IN_VALUE) ?? [];
		if (rejected === undefined) return text;
		const [what] = CHANGED_BY_REMOVAL.find(([, form]) => form.test(text)) ?? [];
		const otherwise = what === 'a number' ? MAKE_NUMBER : 'change the text';
		if (this.mode !== 'remove') {
			this.reject(`contains '${rejected}'`, otherwise);
			return text;
		}
		if (what === undefined) return this.without(text, REJECTED_IN_VALUE);
		throw Failure.value(
			`contains '${rejected}' in ${what}, which would be another ${what.replace(/^an? /, '')} without it`,
			`Set Options → 'Rejected Characters' to Skip Attribute, or ${otherwise}`,
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
		this.context.warn(REMOVED);
		return text.replace(characters, '');
	}
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
