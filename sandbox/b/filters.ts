import type { Call } from '../core/routes';
import { invalid } from './refusals';

/** Reads a filter that must be an integer. */
export function wholeFilter({ query }: Call, name: string): number | undefined {
	const text = query.get(name);
	if (text === null || text === '') return undefined;
	if (!/^-?\d+$/.test(text)) throw invalid({ [name]: ['Enter a whole number.'] });
	return Number(text);
}

/** Reads a filter that must be one of the choices. */
export function choiceFilter({ query }: Call, name: string, choices: string[]): string | undefined {
	const text = query.get(name);
	if (text === null || text === '') return undefined;
	if (choices.includes(text)) return text;
	const message = `Select a valid choice. ${text} is not one of the available choices.`;
	throw invalid({ [name]: [message] });
}

function readDate(name: string, text: string): number {
	const american = /^(\d{2})\/(\d{2})\/(\d{4})$/.exec(text);
	const iso = american ? `${american[3]}-${american[1]}-${american[2]}` : text;
	const at = /^\d{4}-\d{2}-\d{2}$/.test(iso) ? Date.parse(`${iso}T00:00:00Z`) : Number.NaN;
	if (Number.isNaN(at)) throw invalid({ [name]: ['Enter a valid date.'] });
	return at;
}

function dateFilter({ query }: Call, names: string[]): number | undefined {
	for (const name of names) {
		const text = query.get(name);
		if (text !== null && text !== '') return readDate(name, text);
	}
	return undefined;
}

export interface Period {
	/** Milliseconds, inclusive. */
	from: number;
	/** Milliseconds, exclusive. */
	until: number;
}

/** Reads the dates of a request by their current and later names. `from` is the default start. */
export function period(call: Call, from = Number.NEGATIVE_INFINITY): Period {
	return {
		from: dateFilter(call, ['posted_date_0', 'posted_date_after']) ?? from,
		until: dateFilter(call, ['posted_date_1', 'posted_date_before']) ?? Number.POSITIVE_INFINITY,
	};
}

/** Returns true if a timestamp is in the period. Long lists have no time to read each timestamp without need. */
export function within({ from, until }: Period, timestamp: string): boolean {
	if (from === Number.NEGATIVE_INFINITY && until === Number.POSITIVE_INFINITY) return true;
	const at = Date.parse(timestamp);
	return at >= from && at < until;
}
