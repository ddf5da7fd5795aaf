import type { INodeProperties, IDataObject, IExecuteFunctions } from 'n8n-workflow';

import type { SkipReason } from '../base/codes';
import { Failure } from '../base/failure';
import { isObject } from '../base/json';
import type { ApiRequest } from '../http/request';

export interface ReadContext {
	/** The workflow's time zone, for times that name none. */
	zone: string;
	/** The Options collection, evaluated for this item and not read yet. */
	raw: IDataObject;
	itemIndex: number;
	/** True for an AI agent's tool, in which the model cannot leave a field out. */
	isTool: boolean;
	/** Gets what cannot be read of a value that can be read in part. */
	failures: Failure[];
	/** Gets by address why a person is not surveyed, in other items, too. */
	objections: Map<string, SkipReason>;
	/** Adds a warning about the item's values. @param example a value or a name that the hint lists */
	warn(text: string, example: string): void;
}

/** For values that belong to no item. */
export function contextIn(zone = 'UTC'): ReadContext {
	const ofItem = { itemIndex: 0, isTool: false, failures: [], objections: new Map() };
	return { zone, raw: {}, ...ofItem, warn: () => {} };
}

const MAX_EXAMPLES = 20;

/** Collects warnings about the values of items, for the hints after a run. */
export class Warnings {
	/** The items by the warning's text and by example. */
	private readonly byText = new Map<string, Map<string, number[]>>();

	add(itemIndex: number, text: string, example: string): void {
		const examples = this.byText.get(text) ?? new Map<string, number[]>();
		this.byText.set(text, examples);
		const items = examples.get(example) ?? [];
		examples.set(example, items);
		items.push(itemIndex);
	}

	/** @param counts returns whether an item was sent */
	hints(counts: (itemIndex: number) => boolean): string[] {
		return [...this.byText].flatMap(([text, examples]) => {
			const names = [...examples].filter(([, items]) => items.some(counts)).map(([name]) => name);
			return names.length > 0 ? [`${text}: ${names.slice(0, MAX_EXAMPLES).join(', ')}`] : [];
		});
	}
}

type ParameterContext = Pick<
	IExecuteFunctions,
	'getInputData' | 'getNodeParameter' | 'getTimezone'
>;

/** The parameters of one run. Those without an expression are evaluated once for all items. */
export class Parameters {
	private readonly fixed = new Map<string, { value: unknown } | undefined>();

	constructor(readonly context: ParameterContext) {}

	/** Undefined for a field that the editor does not show. @param name for example `options.dryRun` */
	value(name: string, itemIndex: number): unknown {
		if (!this.fixed.has(name)) {
			const value = this.hasExpression(name) ? undefined : { value: this.evaluate(name, 0) };
			this.fixed.set(name, value);
		}
		const fixed = this.fixed.get(name);
		return fixed ? fixed.value : this.evaluate(name, itemIndex);
	}

	/** Undefined also if an expression fails. */
	tryValue(name: string, itemIndex: number): unknown {
		try {
			return this.value(name, itemIndex);
		} catch {
			return undefined;
		}
	}

	/** @throws Failure if an expression gives the items different values */
	ofRun(name: string, label: string): unknown {
		const value = this.value(name, 0);
		// An expression returns a new array for each item.
		const text = JSON.stringify(value);
		const count = this.hasExpression(name) ? this.count : 1;
		for (let itemIndex = 1; itemIndex < count; itemIndex++) {
			const other = this.value(name, itemIndex);
			if (JSON.stringify(other) === text) continue;
			const message = 'differs between the rows, but applies to the whole run';
			throw Failure.at(label, other, Failure.value(message, 'Use one value for all rows'));
		}
		return value;
	}

	hasExpression(name: string): boolean {
		return containsExpression(this.written(name));
	}

	/** As it stands in the node, with its expressions. */
	written(name: string): unknown {
		return this.context.getNodeParameter(name, 0, null, { rawExpressions: true }) ?? undefined;
	}

	item(itemIndex: number): IDataObject {
		return this.context.getInputData()[itemIndex]?.json ?? {};
	}

	get count(): number {
		return this.context.getInputData().length;
	}

	private evaluate(name: string, itemIndex: number): unknown {
		// The fields check values themselves; n8n's validation would go through all fields of the node.
		return (
			this.context.getNodeParameter(name, itemIndex, null, { skipValidation: true }) ?? undefined
		);
	}
}

function containsExpression(written: unknown): boolean {
	if (typeof written === 'string') return written.startsWith('=');
	return Object.values(written ?? {}).some(containsExpression);
}

/** Only an expression has braces, or begins with one of n8n's variables. */
const EXPRESSION = /\{\{.*\}\}|^\s*\$((json|input|node|now|today)\b|\()/s;

/** n8n would not evaluate an expression in a fixed text. */
export function unevaluated(
	written: unknown,
	label: string,
	isColumn = false,
): Failure | undefined {
	if (typeof written !== 'string') {
		const parts = Object.values(written ?? {});
		return parts.map((part) => unevaluated(part, label, isColumn)).find(Boolean);
	}
	if (written.startsWith('=') || !EXPRESSION.test(written)) return undefined;
	const text = written.includes('{{') ? written : `{{ ${written.trim()} }}`;
	const hint = `Switch the field from Fixed to Expression, and write ${text}`;
	const failure = Failure.value('is an expression that was entered as text', hint);
	return Failure.at(label, written, failure, isColumn);
}

/** What the editor shows. Its name is the key under which an operation lists it. */
export interface Shown {
	readonly label: string;
	/** True for a field of many operations, which a node explains once to agents that build workflows. */
	readonly isCommon?: boolean;
	property(name: string): INodeProperties;
}

/** A field, declared once: what the editor shows, and how its value is read. */
export interface Field<Value> extends Shown {
	/** True for a free text, which may have no value although it was added. */
	readonly mayBeEmpty?: boolean;
	/** True for an option that holds a value of an item. Other options are of the run: one value for all items. */
	readonly isPerItem?: boolean;
	/** Reads an evaluated value. @throws Failure */
	read(value: unknown, context: ReadContext): Value;
}

/** Fields by the values that they read. TypeScript infers an operation's input from its fields by this type. */
export type FieldsOf<Values> = { [Name in keyof Values]: Field<Values[Name]> };

/** Reads the first page of a list from the service. */
export type ReadRecords = (
	request: ApiRequest,
	recordsKey?: string,
	pageSize?: number,
) => Promise<IDataObject[]>;

/**
 * Maps items to the service's columns. It looks at all items of a run before it reads one of them. An operation has one at
 * most, which is called `columns`.
 */
export interface Mapping<Value> extends Shown {
	/** The columns' IDs and a worked example, for agents that build workflows. */
	readonly example: string;
	/** True for the name of a column that it does not take as a property. */
	takes(name: string): boolean;
	/** Entries that it adds to the operation's Options. */
	readonly fields: Record<string, Field<unknown>>;
	/** Looks at all items of a run, and returns the reader of an item. @throws Failure that concerns all of them */
	start(parameters: Parameters, readRecords: ReadRecords): Promise<(context: ReadContext) => Value>;
}

export type InputsOf<Values> = {
	[Name in keyof Values]: Field<Values[Name]> | Mapping<Values[Name]>;
};

export function isMapping<Value>(input: Field<Value> | Mapping<Value>): input is Mapping<Value> {
	return 'start' in input;
}

/** The field looks like another one. */
export function withRead<Value>(
	{ label, property }: Pick<Field<unknown>, 'label' | 'property'>,
	read: Field<Value>['read'],
): Field<Value> {
	return { label, property, read };
}

type ValueOf = (name: string, field: Field<unknown>) => unknown;

/** @throws Failure that names all invalid values */
export function readFields<Values extends object>(
	fields: FieldsOf<Values>,
	valueOf: ValueOf,
	context: ReadContext,
): Values {
	const failures: Failure[] = [];
	const values = readAllFields(fields, valueOf, { ...context, failures });
	if (failures.length > 0) throw Failure.all(failures);
	return values;
}

/** Reads fields, and adds to the context's failures what cannot be read. The values count only when there are none. */
export function readAllFields<Values extends object>(
	fields: FieldsOf<Values> | undefined,
	valueOf: ValueOf,
	context: ReadContext,
): Values {
	// A cast, because the loop fills in every name.
	const values = {} as Values;
	for (const name in fields) {
		const field = fields[name];
		const value = valueOf(name, field);
		try {
			values[name] = field.read(value, context);
		} catch (error) {
			const failure = Failure.at(field.label, located(value), error);
			context.failures.push(context.isTool ? withName(failure, field.label, name) : failure);
		}
	}
	return values;
}

/** Adds the name of the parameter, by which an agent sets it. */
function withName(failure: Failure, label: string, name: string): Failure {
	const message = failure.message.replace(`'${label}'`, () => `'${label}' (${name})`);
	return failure.with({ message });
}

/**
 * Reads the entries of a collection, such as Options. One that was added needs a value, since a guard that is silently off does harm;
 * only a free text may be empty.
 */
export function readEntries<Values extends object>(
	collection: string,
	fields: FieldsOf<Values> | undefined,
	entries: IDataObject,
	context: ReadContext,
): Values {
	const values = readAllFields(fields, (name) => entries[name] ?? undefined, context);
	for (const name in fields) {
		const { label, mayBeEmpty } = fields[name];
		// A list of blank entries, such as the text of two expressions with a comma between, reads as nothing.
		const isEmpty = name in values && values[name] === undefined;
		if (mayBeEmpty || !Object.hasOwn(entries, name) || !isEmpty) continue;
		const hint = `Enter a value, or remove ${collection} → '${label}'`;
		context.failures.push(Failure.at(label, undefined, Failure.missing(hint)));
	}
	return values;
}

export function located(value: unknown): unknown {
	return isObject(value) && 'value' in value ? value.value : value;
}

/** Without expressions, all items have one Options object, which is read once. */
export function optionsReader<Values extends object>(
	fields: FieldsOf<Values> | undefined,
): (context: ReadContext) => Values {
	let last: { raw: object; values: Values; failures: Failure[] } | undefined;
	return (context) => {
		const { raw } = context;
		if (last?.raw !== raw) {
			const failures: Failure[] = [];
			const values = readEntries('Options', fields, raw, { ...context, failures });
			last = { raw, values, failures };
		}
		context.failures.push(...last.failures);
		return last.values;
	};
}
