import type { INodeProperties } from 'n8n-workflow';

import { Failure } from '../base/failure';
import type { ReadContext } from './context';

/** What the editor shows. Its name is the key under which an operation lists it. */
export interface Shown {
	/** The label in the editor, which error messages use. */
	readonly label: string;
	/** Returns the field as n8n's editor shows it. */
	property(name: string): INodeProperties;
	/** Returns the field as an AI agent's tool shows it, when that differs. */
	toolProperty?(name: string): INodeProperties;
}

/** A field, declared once: what the editor shows, and how its value is read. */
export interface Field<Value> extends Shown {
	/** Reads an evaluated value. @throws Failure */
	read(value: unknown, context: ReadContext): Value;
}

/** Fields by the values that they read. TypeScript infers an operation's input from its fields by this type. */
export type FieldsOf<Values> = { [Name in keyof Values]: Field<Values[Name]> };

/** Returns a field that looks like another one and reads its value in its own way. */
export function withRead<Value>(
	{ label, property }: Pick<Field<unknown>, 'label' | 'property'>,
	read: Field<Value>['read'],
): Field<Value> {
	return { label, property, read };
}

/** Returns the value of a field, before it is read. */
type ValueOf = (name: string, field: Field<unknown>) => unknown;

/** Reads fields. @throws Failure that names all invalid values */
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
	const values: Values = Object.create(Object.prototype);
	for (const name in fields) {
		const field = fields[name];
		const value = valueOf(name, field);
		try {
			values[name] = field.read(value, context);
		} catch (error) {
			context.failures.push(Failure.at(field.label, value, error));
		}
	}
	return values;
}

/**
 * Returns a reader of the entries of Options for one run. Without expressions, all rows have one Options object, which is
 * read once.
 */
export function optionsReader<Values extends object>(
	fields: FieldsOf<Values> | undefined,
): (context: ReadContext) => Values {
	let last: { options: object; values: Values; failures: Failure[] } | undefined;
	return (context) => {
		const { options } = context;
		if (last?.options !== options) {
			const failures: Failure[] = [];
			const values = readAllFields(fields, (name) => options[name], { ...context, failures });
			last = { options, values, failures };
		}
		context.failures.push(...last.failures);
		return last.values;
	};
}
