import type { INodeProperties } from 'n8n-workflow';

import { SurveyError } from '../http/surveyError';
import { quote } from '../http/truncate';
import type { ReadContext } from './context';
import { InvalidValue, isBlank } from './values';

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
	/**
	 * Reads an evaluated value.
	 *
	 * @throws InvalidValue or InvalidFields
	 */
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

/** A value that cannot be used. */
export interface Problem {
	/** The field's label, or `Column 'name'`. */
	label: string;
	value: unknown;
	message: string;
	hint?: string;
}

/** All the values of a row that cannot be used. */
export class InvalidFields extends Error {
	constructor(readonly problems: Problem[]) {
		super(problems.map(sentence).join('. '));
	}
}

/** Returns the problems in what a reader threw. */
export function problemsIn(thrown: unknown, label: string, value: unknown): Problem[] {
	if (thrown instanceof InvalidFields) return thrown.problems;
	const { message, hint } =
		thrown instanceof InvalidValue ? thrown : new InvalidValue('cannot be used');
	return [{ label, value, message, hint }];
}

/** Returns the value of a field, before it is read. */
type ValueOf = (name: string, field: Field<unknown>) => unknown;

/** Reads fields. @throws InvalidFields with all problems at once */
export function readFields<Values extends object>(
	fields: FieldsOf<Values>,
	valueOf: ValueOf,
	context: ReadContext,
): Values {
	const problems: Problem[] = [];
	const values = readInto(problems, fields, valueOf, context);
	if (problems.length > 0) throw new InvalidFields(problems);
	return values;
}

/** Reads fields and adds to `problems` what cannot be read. The values count only when there are none. */
export function readInto<Values extends object>(
	problems: Problem[],
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
			if (!context.isLenient) problems.push(...problemsIn(error, field.label, value));
		}
	}
	return values;
}

/** Reads values, and turns those that cannot be used into one failure. @throws SurveyError */
export function readOrFail<Value>(read: () => Value): Value {
	let thrown: unknown;
	try {
		return read();
	} catch (error) {
		thrown = error instanceof InvalidFields ? failureOf(error) : error;
	}
	throw thrown;
}

function failureOf({ message, problems }: InvalidFields): SurveyError {
	const { label: field, value } = problems[0] ?? {};
	const hints = problems.map(
		({ hint }) => hint ?? 'Correct the value, or the expression that returns it',
	);
	return new SurveyError({ message, hint: [...new Set(hints)].join('. '), field, value });
}

function sentence({ label, value, message }: Problem): string {
	const quoted = isBlank(value) ? '' : `: ${quote(value)}`;
	return `${label.startsWith("Column '") ? label : `'${label}'`} ${message}${quoted}`;
}
