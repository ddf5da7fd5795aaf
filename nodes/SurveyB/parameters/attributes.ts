import type { FieldType, GenericValue, IDataObject } from 'n8n-workflow';

import { Failure } from '../../shared/base/failure';
import { isObject, parsedJson } from '../../shared/base/json';
import { isDateObject, readDate } from '../../shared/fields/dates';
import type { ReadContext } from '../../shared/fields/field';
import { readBoolean, readName, readNumber, readText } from '../../shared/fields/values';

// The characters and dates that the service accepts in attributes (contract: Limits, data policy). An attribute with another
// character stays behind, and the item names it; a date that cannot be read fails its row.

const REJECTED_IN_NAME = /[^A-Za-z0-9_ ]/u;
const REJECTED_IN_VALUE = /[$.%&]/;

export class AttributeReader {
	/** The attributes that are left out because of their characters. */
	readonly skipped: string[] = [];

	constructor(private readonly context: ReadContext) {}

	/** Reads one attribute; undefined for one that is left out because of its characters. '' clears it. */
	entry(name: string, value: unknown, type: FieldType): [string, GenericValue] | undefined {
		try {
			return [this.name(name), value === '' ? value : this.value(value, type)];
		} catch (error) {
			if (!(error instanceof RejectedCharacter)) throw Failure.from(error);
			this.skipped.push(name);
			this.context.warn('Columns that were not sent', name);
			return undefined;
		}
	}

	private name(value: string): string {
		const name = readName(value);
		if (REJECTED_IN_NAME.test(name)) throw new RejectedCharacter();
		return name;
	}

	private value(value: unknown, type: FieldType): GenericValue {
		// The editor keeps what is written in a list or an object as the text of its JSON.
		const parsed = typeof value === 'string' ? parsedJson(value) : value;
		switch (type) {
			case 'number':
				return this.as('numbers', readNumber, value);
			case 'boolean':
				return this.as('true and false', readBoolean, value);
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

	/** The service gives attributes no type, and one column has one type. */
	private as<Value>(what: string, read: (value: unknown) => Value, value: unknown): Value {
		try {
			return read(value);
		} catch (error) {
			const hint = `Correct the value, or map it as text to an attribute of another name: this one holds ${what}`;
			throw Failure.from(error).with({ hint });
		}
	}

	private date(value: unknown): string {
		// A time without a zone stays one: no zone may move it.
		const zone = isDateObject(value) ? this.context.zone : 'UTC';
		return readDate(value, { ...this.context, zone }).isoDate();
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

	private text(text: string): string {
		if (REJECTED_IN_VALUE.test(text)) throw new RejectedCharacter();
		return text;
	}
}

class RejectedCharacter extends Error {}

/** @throws Failure if two attributes have one name */
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
