import type { GenericValue, IDataObject } from 'n8n-workflow';

import { isObject } from '../../shared/http/json';
import type { ReadContext, Warning } from '../../shared/parameters/context';
import { isDateObject, readDate } from '../../shared/parameters/dates';
import { choice } from '../../shared/parameters/fields';
import { InvalidValue, readBoolean, readName, readNumber } from '../../shared/parameters/values';

// The characters and dates that the service accepts in attributes (contract: Limits, data policy).
// Values that it would refuse fail before anything is sent.

const REJECTED_IN_NAME = /[^A-Za-z0-9_ ]/gu;
const REJECTED_IN_VALUE = /[$.%&]/g;
const NUMBER = /^[+-]?\d+(\.\d+)?$/;
/** A date as n8n turns it into text. */
const LUXON_TEXT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}(Z|[+-]\d{2}:\d{2})$/;
const DATE_LIKE = /^\d{1,4}[./-]\d{1,2}[./-]\d{1,4}$/;
const SERVICE_DATE = /^\d{4}-\d{2}-\d{2}$/;

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

/** What happens to attributes with characters that the service rejects. */
export type RejectedCharacters = 'error' | 'remove' | 'skip';

/** A name or a value with a character that the service rejects. */
export class RejectedCharacter extends InvalidValue {
	constructor(character: string, otherwise: string) {
		super(
			`contains '${character}', which Survey B does not accept`,
			`Set Options → 'Rejected Characters' to Remove or Skip Attribute, or ${otherwise}`,
		);
	}
}

const removed: Warning = (count) =>
	`Attributes that were sent without characters that Survey B rejects: ${count}`;
const skipped: Warning = (count) =>
	`Attributes that were left out because of characters that Survey B rejects: ${count}`;
const textDates: Warning = (_, examples) =>
	`Survey B recognizes dates in ISO form only. These were sent as text: ${examples.join(', ')}. To send dates, map the column as a date or write it as 2026-11-21`;

/** Reads the names and values of attributes by the service's data policy. */
export class AttributeReader {
	constructor(
		private readonly context: ReadContext,
		private readonly mode: RejectedCharacters = 'error',
	) {}

	/**
	 * Reads one attribute.
	 *
	 * @param type the type that the account has for it, as the resource mapper calls it
	 * @returns undefined for one that is left out because of its characters
	 */
	entry(name: string, value: unknown, type?: string): [string, GenericValue] | undefined {
		let problem: InvalidValue;
		try {
			const key = this.name(name);
			if (key === '') return this.skip(name);
			return [key, this.value(value, type, name)];
		} catch (error) {
			if (error instanceof RejectedCharacter && this.mode === 'skip') return this.skip(name);
			problem = error instanceof InvalidValue ? error : new InvalidValue('cannot be used');
		}
		throw problem;
	}

	private skip(name: string): undefined {
		this.context.warnings.add(skipped, name);
		return undefined;
	}

	private name(value: string): string {
		const name = readName(value);
		const [rejected] = name.match(REJECTED_IN_NAME) ?? [];
		if (rejected === undefined) return name;
		if (this.mode === 'remove') return this.without(name, REJECTED_IN_NAME);
		throw new RejectedCharacter(rejected, 'use letters a-z, digits, underscores and spaces');
	}

	/** Text stays text, and JSON values keep their type, unless the account has another type. */
	private value(value: unknown, type: string | undefined, name: string): GenericValue {
		if (type === 'dateTime' || isDate(value)) return readDate(value, this.context).isoDate();
		if (type === 'number' && NUMBER.test(String(value).trim())) return readNumber(value);
		if (type === 'boolean' && /^(true|false|yes|no)$/i.test(String(value).trim())) {
			return readBoolean(value);
		}
		if (typeof value === 'string' && DATE_LIKE.test(value) && !SERVICE_DATE.test(value)) {
			this.context.warnings.add(textDates, `${name} (${value})`);
		}
		return this.json(value);
	}

	/** JSON of any depth, as long as the service accepts the names and texts in it. */
	private json(value: unknown): GenericValue {
		if (typeof value === 'string') return this.text(value);
		if (typeof value === 'number') return readNumber(value);
		if (typeof value === 'boolean' || value === null) return value;
		if (Array.isArray(value)) return value.map((entry) => this.json(entry));
		if (!isObject(value)) throw new InvalidValue('must be text, a number, true or false, or JSON');
		const entries = Object.entries(value).map(([name, entry]): [string, GenericValue] => {
			return [this.name(name), this.json(entry)];
		});
		return Object.fromEntries(entries);
	}

	/** A number never changes: `$19.99` goes out as 19.99, and a point between digits is not removed. */
	private text(text: string): GenericValue {
		const [rejected] = text.match(REJECTED_IN_VALUE) ?? [];
		if (rejected === undefined) return text;
		const isNumber = NUMBER.test(text.trim());
		if (this.mode !== 'remove') {
			throw new RejectedCharacter(
				rejected,
				isNumber ? 'return a number from an expression' : 'take $ . % & out of the text',
			);
		}
		const bare = text.replace(/[$%&\s]/g, '');
		if (NUMBER.test(bare)) {
			this.context.warnings.add(removed, text);
			return readNumber(bare);
		}
		if (!/\d\.\d/.test(text)) return this.without(text, REJECTED_IN_VALUE);
		throw new InvalidValue(
			"contains '.' between digits, which cannot be removed without changing a number",
			"Set Options → 'Rejected Characters' to Skip Attribute, or change the text",
		);
	}

	private without(text: string, characters: RegExp): string {
		this.context.warnings.add(removed, text);
		return text.replace(characters, '');
	}
}

function isDate(value: unknown): boolean {
	return isDateObject(value) || (typeof value === 'string' && LUXON_TEXT.test(value));
}

/** Returns attributes as they are sent; undefined when there are none. */
export function attributesIn(
	entries: Array<[string, GenericValue] | undefined>,
): IDataObject | undefined {
	const sent = entries.filter((entry) => entry !== undefined);
	return sent.length === 0 ? undefined : Object.fromEntries(sent);
}
