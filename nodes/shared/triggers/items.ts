import type { IDataObject } from 'n8n-workflow';

import { isBlank } from '../base/text';

/** The values of an event that filters compare. A filter does not apply if the event has no such field. */
interface Compared {
	/** Null if the event has no score now, and so is neither high nor low. */
	score?: number | null;
	/** The values by the name of the filter that lists the wanted ones. */
	values?: Record<string, unknown[]>;
}

interface FilterValues {
	minScore?: number;
	maxScore?: number;
	[list: string]: string[] | number | undefined;
}

/** Upper and lower case count as equal. */
export function passes(
	{ minScore, maxScore, ...lists }: FilterValues,
	{ score, values = {} }: Compared,
): boolean {
	const isNull = score === null && (minScore !== undefined || maxScore !== undefined);
	const isOutside =
		typeof score === 'number' &&
		(score < (minScore ?? -Infinity) || score > (maxScore ?? Infinity));
	if (isNull || isOutside) return false;
	return Object.entries(lists).every(([name, wanted]) => {
		const own = (values[name] ?? []).filter((value) => !isBlank(value)).map(comparable);
		if (!Array.isArray(wanted) || wanted.length === 0 || own.length === 0) return true;
		return wanted.some((value) => own.includes(comparable(value)));
	});
}

function comparable(value: unknown): string {
	return String(value).toLowerCase();
}

/**
 * Makes an item of a trigger: what people look at comes first. A field of the record with the name of one of the trigger's is
 * renamed, even if that one has no value.
 */
export function flatItem(
	first: IDataObject,
	record: IDataObject,
	last: IDataObject = {},
): IDataObject {
	const renamed = Object.entries(record).map(([name, value]): [string, typeof value] => [
		name in first || name in last ? `${name} (data)` : name,
		value,
	]);
	const all = [...Object.entries(first), ...renamed, ...Object.entries(last)];
	return Object.fromEntries(all.filter(([, value]) => value !== undefined));
}
