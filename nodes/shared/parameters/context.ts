import type { IDataObject } from 'n8n-workflow';

/** The part of a date such as 3/4/2025 that comes first. */
export type DateOrder = 'monthFirst' | 'dayFirst';

/** What a field may need to read its value, beyond the value itself. */
export interface ReadContext {
	/** The workflow's time zone, for times that name none. */
	zone: string;
	/** The month comes first when this is not set. */
	dateOrder?: DateOrder;
	/** The Options collection, evaluated for this row. */
	options: IDataObject;
	/** The index of the input item. */
	item: number;
	/** True when a value that cannot be read counts as not set, instead of being an error. */
	isLenient?: boolean;
	warnings: Warnings;
}

/** Words a warning from how often it occurred and from the first examples. */
export type Warning = (count: number, examples: string[]) => string;

/** No hint lists more examples than this. */
const MOST_EXAMPLES = 20;

/** Collects what users should know about values that were sent, once per run and with counts. */
export class Warnings {
	private readonly found = new Map<Warning, { count: number; examples: Set<string> }>();

	/** @param example a value or a name; equal examples are listed once */
	add(warning: Warning, example: string): void {
		const found = this.found.get(warning) ?? { count: 0, examples: new Set<string>() };
		this.found.set(warning, found);
		found.count++;
		if (found.examples.size < MOST_EXAMPLES) found.examples.add(example);
	}

	/** Returns the hints to show after the run. */
	hints(): string[] {
		return [...this.found].map(([warning, { count, examples }]) => warning(count, [...examples]));
	}
}
