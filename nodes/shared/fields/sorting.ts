import type { IDataObject } from 'n8n-workflow';

import { valueAt } from '../http/json';
import type { Field } from './field';
import { choice, group, openChoice } from './fields';
import type { Settings } from './fields';

export interface Sort {
	field: string;
	direction: 'asc' | 'desc';
}

const direction = choice({
	displayName: 'Direction',
	required: true,
	options: [
		{ name: 'Ascending', value: 'asc', description: 'Oldest, lowest or A first' },
		{ name: 'Descending', value: 'desc', description: 'Newest, highest or Z first' },
	],
	default: 'desc',
});

/** Returns the field for the order of a list. Without a value, the service decides. */
export function sortBy(
	fields: Array<{ name: string; value: string }>,
	settings: Partial<Settings> = {},
): Field<Sort | undefined> {
	return group({ displayName: 'Sort', placeholder: 'Add sort rule', ...settings }, 'Rule', {
		field: openChoice({
			displayName: 'Sort By',
			required: true,
			options: fields,
			description: 'For another field of the service, use an expression with its name',
		}),
		direction,
	});
}

/** Returns the field for the order of a list that the service cannot sort: the node does, when it reads all rows. */
export function sortOfNode(fields: Array<{ name: string; value: string }>) {
	return sortBy(fields, {
		displayOptions: { show: { returnAll: [true] } },
		description: 'The service cannot sort this list. The node sorts it after reading all results.',
	});
}

/** Returns the value that a row is sorted by: a number, text, or undefined. */
export function sortKey(row: IDataObject, { field }: Sort): unknown {
	return valueAt(row, field);
}

/** Sorts items by their keys. Items without a key come last in either direction. */
export function sorted<Item>(items: Array<{ key: unknown; item: Item }>, { direction }: Sort) {
	const sign = direction === 'asc' ? 1 : -1;
	const order = (a: unknown, b: unknown) => {
		if (a === b) return 0;
		if (a === undefined || a === null) return 1;
		if (b === undefined || b === null) return -1;
		if (typeof a === 'number' && typeof b === 'number') return sign * (a - b);
		return sign * (String(a) < String(b) ? -1 : 1);
	};
	return items.sort((a, b) => order(a.key, b.key)).map(({ item }) => item);
}
