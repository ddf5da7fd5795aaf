import { z } from 'zod/v4';

import { currentRules } from './rules';

// A value is read by a function; here stands what a blank one means, the same for every field.

/** A value that cannot be used. */
export class Unusable extends Error {
	/**
	 * @param message the end of a sentence that begins with the field's label, without the value
	 * @param advice how to write it, where that is not plain
	 */
	constructor(
		message: string,
		readonly advice?: string,
	) {
		super(message);
	}
}

/** Reads a value that is not blank. Throws Unusable where it cannot be read. */
export type ReadValue<Value> = (value: unknown) => Value;

/** Null, undefined, an empty text, or white space. Neither 0 nor false is blank. */
export function isBlank(value: unknown): boolean {
	return (
		value === null || value === undefined || (typeof value === 'string' && value.trim() === '')
	);
}

/** What is blank, as not given. */
export const given = (value: unknown) => (isBlank(value) ? undefined : value);

/** A value that must be there. */
export function needed<Value>(read: ReadValue<Value>) {
	return schemaOf((value) => {
		if (isBlank(value)) throw new Unusable('is missing');
		return read(value);
	});
}

/** A value that may be left out. */
export function optional<Value>(read: ReadValue<Value>) {
	return schemaOf((value) => (isBlank(value) ? undefined : read(value))).optional();
}

/** A setting with a default. Only one that was never made has it: a blank one cannot be used. */
export function withDefault<Value>(preset: Value, read: ReadValue<Value>) {
	return schemaOf(read).prefault(preset);
}

/**
 * A value that may be left out, and that the service clears by an empty text: with Empty Values set to
 * clear, a blank value is sent as one.
 */
export function clearable<Value>(read: ReadValue<Value>) {
	return schemaOf((value) => (isBlank(value) ? emptied(value) : read(value))).optional();
}

/** What goes out for a blank value. What a row does not have at all is never cleared. */
export function emptied(value: unknown): '' | undefined {
	return value !== undefined && currentRules().emptyValues === 'clear' ? '' : undefined;
}

/** The schema of what a function reads, blank values included. */
export function schemaOf<Value>(read: ReadValue<Value>) {
	return z.transform((value: unknown, { issues }): Value => {
		try {
			return read(value);
		} catch (error) {
			issues.push({ ...issueOf(error), input: value });
			return z.NEVER;
		}
	});
}

/** An issue as our own schemas add it. It ends the reading: zod 3.25 would go on with the value as it is. */
type CustomIssue = Omit<z.core.$ZodIssueCustom, 'path' | 'input'> & { continue: false };

/**
 * What a schema tells of a value that cannot be used.
 *
 * @param of what the value belongs to, such as `of property 'Plan'`
 */
export function issueOf(error: unknown, of?: string): CustomIssue {
	const { message, advice } =
		error instanceof Unusable ? error : { message: 'cannot be used', advice: undefined };
	return {
		code: 'custom',
		continue: false,
		message: of === undefined ? message : `${of} ${message}`,
		params: { advice, plain: message },
	};
}
