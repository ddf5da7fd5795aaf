import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';

import type { Code } from '../base/codes';
import { Failure } from '../base/failure';
import { isObject } from '../base/json';
import { compareTexts, isBlank, titleOf, wordKey } from '../base/text';
import { readDate } from './dates';
import { located, readAllFields, readEntries, readFields, withRead } from './field';
import type { Field, FieldsOf, Shown, ReadContext } from './field';
import {
	inRange,
	readBoolean,
	readEmail,
	readId,
	readInteger,
	readJsonObject,
	readList,
	readNumber,
	readText,
} from './values';

/** A field's property in the editor, without what its kind decides. */
type EditorSettings = Omit<INodeProperties, 'name' | 'type' | 'default'> &
	Partial<Pick<INodeProperties, 'default'>>;

type Required = { required: true };

/** Makes fields of one kind: required ones always have a value, others may read as undefined. */
function maker<Settings, Value>(make: (settings: Settings) => Field<Value | undefined>) {
	function field(settings: Settings & Required): Field<Value>;
	function field(settings: Settings): Field<Value | undefined>;
	function field(settings: Settings): Field<Value | undefined> {
		return make(settings);
	}
	return field;
}

function shown(
	type: INodeProperties['type'],
	preset: INodeProperties['default'],
	{ displayName, ...settings }: EditorSettings,
): Shown {
	return {
		label: displayName,
		property: (name) => ({ displayName, name, type, default: preset, ...settings }),
	};
}

/** @param read reads a value that is not blank */
function fieldMaker<Value>(
	type: INodeProperties['type'],
	preset: INodeProperties['default'],
	read: (value: unknown, context: ReadContext) => Value,
	{ mayBeEmpty = false, missing }: { mayBeEmpty?: boolean; missing?: Code } = {},
) {
	return maker<EditorSettings, Value>((settings) => ({
		...shown(type, preset, settings),
		mayBeEmpty,
		read(value, context) {
			const { displayName, required } = settings;
			const given = type === 'resourceLocator' ? located(value) : value;
			if (isBlank(given)) {
				if (required) throw Failure.at(displayName, undefined, Failure.missing(undefined, missing));
				return undefined;
			}
			try {
				return read(value, context);
			} catch (error) {
				throw Failure.at(displayName, given, error);
			}
		},
	}));
}

/** Text that is sent as it was given. It may be empty. */
export const text = fieldMaker('string', '', (value) => readText(value), { mayBeEmpty: true });

/** An ID or a name: trimmed text. */
export const id = fieldMaker('string', '', readId);

export const emailAddress = fieldMaker('string', '', readEmail, { missing: 'missingEmail' });

/** Email addresses: text with commas between them, also with names as in a mail, or an array. */
export const emailList = fieldMaker('string', '', (value) => {
	const isOfMail = typeof value === 'string' && value.includes('<');
	const addresses = isOfMail ? value.match(/(?:"[^"]*"|[^,;"])+/g) : readList(value);
	return addresses?.filter((entry) => !isBlank(entry)).map(readEmail);
});

export const date = fieldMaker('dateTime', '', readDate);

/** Text with commas between its entries, or an array. */
export const textList = fieldMaker('string', '', readList);

/** A multiple choice, or text with commas from an expression. */
export const multiChoice = fieldMaker('multiOptions', [], readList);

export const json = fieldMaker('json', '{}', readJsonObject);

/** A switch in a collection. It is added switched on, since its name says what it does. */
export const flag = fieldMaker('boolean', true, readBoolean);

export function toggle(settings: EditorSettings & { default: boolean }): Field<boolean> {
	const read = (value: unknown): boolean =>
		isBlank(value) ? settings.default : readBoolean(value);
	return withRead(flag(settings), read);
}

type Ranged = EditorSettings & { min?: number; max?: number };

function numberMaker(read: (value: unknown) => number) {
	return maker<Ranged, number>(({ min, max, ...settings }) => {
		const typeOptions = { minValue: min, maxValue: max };
		return fieldMaker('number', 0, inRange(read, min, max))({ typeOptions, ...settings });
	});
}

export const integer = numberMaker(readInteger);
export const number = numberMaker(readNumber);

interface Choice<Value extends string> extends INodePropertyOptions {
	value: Value;
}

type Choices<Value extends string> = Omit<EditorSettings, 'options'> & {
	options: Array<Choice<Value>>;
};

/** Choices whose names follow from their values: `Closed` for `CLOSED`, `Any Campaign` for `anyCampaign`. */
export function choicesOf<Value extends string>(...values: Value[]): Array<Choice<Value>> {
	return values.map((value) => {
		const isUpper = value === value.toUpperCase();
		return { name: titleOf(isUpper ? value.toLowerCase() : value), value };
	});
}

/** One of several values. The value or the name of a choice is accepted, in any case. */
export function choice<Value extends string>(settings: Choices<Value> & Required): Field<Value>;
export function choice<Value extends string>(settings: Choices<Value>): Field<Value | undefined>;
export function choice<Value extends string>(settings: Choices<Value>): Field<Value | undefined> {
	const { options: choices } = settings;
	return fieldMaker('options', choices[0]?.value, (value) => {
		const chosen = chosenIn(choices, value);
		if (chosen !== undefined) return chosen;
		throw Failure.value(`must be one of: ${choices.map(({ value: name }) => name).join(', ')}`);
	})(settings);
}

/** A choice for which an expression may return a value that is not in the list. */
export const openChoice = maker<Choices<string>, string>((settings) => {
	const { options: choices } = settings;
	const read = (value: unknown) => chosenIn(choices, value) ?? readId(value);
	return fieldMaker('options', choices[0]?.value, read)(settings);
});

function chosenIn<Value extends string>(
	choices: Array<Choice<Value>>,
	given: unknown,
): Value | undefined {
	const wanted = wordKey(given);
	return choices.find(({ value, name }) => [value, name].map(wordKey).includes(wanted))?.value;
}

type Locating = EditorSettings & {
	/** The `listSearch` method that fills the list. */
	search: string;
	/** Other ways to name it, such as its `id`, each with an example. */
	by: Record<string, string>;
};

const plainLocator = fieldMaker('resourceLocator', '', (value) => {
	const given = readId(located(value));
	return isObject(value) && value.mode === 'email' ? readEmail(given) : given;
});

/** A resource locator. It reads the ID, also where an expression returns the bare value. */
export const locator = maker<Locating, string>(({ search, by, ...settings }) => {
	const typeOptions = { searchListMethod: search, searchable: true };
	return plainLocator({
		...settings,
		default: { mode: 'list', value: '' },
		modes: [
			{ displayName: 'From List', name: 'list', type: 'list', typeOptions },
			...Object.entries(by).map(([name, example]) => ({
				displayName: `By ${titleOf(name)}`,
				name,
				type: 'string' as const,
				placeholder: `e.g. ${example}`,
			})),
		],
	});
});

export function perItem<Value>(field: Field<Value>): Field<Value> {
	return { ...field, isPerItem: true };
}

export function common<Value>(field: Field<Value>): Field<Value> {
	return { ...field, isCommon: true };
}

/** A text in the panel, with nothing to fill in. */
export function notice(
	displayName: string,
	displayOptions?: INodeProperties['displayOptions'],
): Field<undefined> {
	return { ...shown('notice', '', { displayName, displayOptions }), read: () => undefined };
}

/**
 * A collection: the user adds the entries that are needed. An entry that was added needs a value, except in an agent's tool,
 * where a model has to fill all. So a choice has no preset: it fails until something is chosen.
 */
export function collection<Values extends object>(
	displayName: string,
	fields: FieldsOf<Values>,
	settings: Partial<EditorSettings> = {},
): Field<Partial<Values>> {
	const placeholder = `Add ${displayName.toLowerCase().replace(/s$/, '')}`;
	const options = propertiesOf(fields)
		.map((property) => (property.type === 'options' ? { ...property, default: '' } : property))
		.sort((a, b) => compareTexts(a.displayName, b.displayName));
	return {
		...shown('collection', {}, { displayName, placeholder, ...settings, options }),
		read(value, context) {
			const entries = isBlank(value) ? {} : value;
			if (!isObject(entries)) throw Failure.value('must be a collection of fields');
			if (!context.isTool) return readEntries(displayName, fields, entries, context);
			const valueOf = (name: string) => {
				return isWordForNothing(located(entries[name])) ? undefined : entries[name];
			};
			return readFields(fields, valueOf, context);
		},
	};
}

export const filters = <Values extends object>(fields: FieldsOf<Values>) =>
	collection('Filters', fields);

/** Returns whether a value is a word that models write where they have no value. */
export function isWordForNothing(value: unknown): boolean {
	return ['null', 'none', 'undefined', 'n/a'].includes(String(value).trim().toLowerCase());
}

export function entries<Values extends object>(
	{ key, ...settings }: EditorSettings & { key: string },
	entryLabel: string,
	fields: FieldsOf<Values>,
): Field<Values[]> {
	return {
		...shown(
			'fixedCollection',
			{},
			{
				typeOptions: { multipleValues: true },
				placeholder: `Add ${entryLabel.toLowerCase()}`,
				...settings,
				options: [{ displayName: entryLabel, name: key, values: propertiesOf(fields) }],
			},
		),
		read(value, context) {
			const failures: Failure[] = [];
			const read = entriesOf(value, key).map((entry) => {
				if (!isObject(entry)) throw Failure.value('must be a collection of fields');
				const valueOf = (name: string) => entry[name] ?? undefined;
				return readAllFields(fields, valueOf, { ...context, failures });
			});
			if (failures.length > 0) throw Failure.all(failures);
			return read;
		},
	};
}

function entriesOf(value: unknown, key: string): unknown[] {
	if (isBlank(value)) return [];
	if (!isObject(value)) throw Failure.value('must be a list of entries');
	const list = value[key];
	return isBlank(list) ? [] : [list].flat();
}

export function propertiesOf(fields: Record<string, Shown>): INodeProperties[] {
	return Object.entries(fields).map(([name, field]) => field.property(name));
}
