// How values are read beyond what stands in them: the workflow's zone, and the operation's options.

/** What comes first in a date such as 3/4/2025. */
export type DateOrder = 'monthFirst' | 'dayFirst';

/** What becomes of a blank value: left out, or sent as an empty text that clears the field. */
export type EmptyValues = 'ignore' | 'clear';

/** What becomes of a value with characters that the service rejects. */
export type RejectedCharacters = 'error' | 'remove' | 'skip';

export interface ReadingRules {
	/** The workflow's time zone, for times that name none. */
	zone: string;
	/** The month first where nothing is said. */
	dateOrder?: DateOrder;
	/** Ignored where nothing is said. */
	emptyValues?: EmptyValues;
	/** An error where nothing is said. */
	rejectedCharacters?: RejectedCharacters;
	/** Whether a parameter gets its value from an expression, or has one inside. */
	isExpression?(name: string): boolean;
	/** Told of each value that goes out without the characters that the service rejects, or not at all. */
	onRejected?(what: 'removed' | 'skipped'): void;
	/** Called for each time that the clocks of the zone show twice, since daylight saving ends. */
	onRepeatedTime?(written: string): void;
	/** Told of each date that reads differently by `dateOrder`. */
	onAmbiguousDate?(written: string, day: string): void;
}

const DEFAULT_RULES: ReadingRules = { zone: 'UTC' };

let current = DEFAULT_RULES;

/**
 * Reads parameters by these rules. Schemas know nothing but a value, so the rules stand beside them
 * while one is read.
 *
 * @param read must be done with when it returns
 */
export function withRules<Value>(rules: Partial<ReadingRules>, read: () => Value): Value {
	const outer = current;
	current = { ...DEFAULT_RULES, ...rules };
	try {
		return read();
	} finally {
		current = outer;
	}
}

/** The rules of the reading that is under way; the defaults outside of one. */
export function currentRules(): ReadingRules {
	return current;
}
