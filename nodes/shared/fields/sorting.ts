import type { Field } from './field';
import { choice, group, openChoice } from './fields';

/** The field by which a list is sorted, and the direction. */
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
export function sortBy(fields: Array<{ name: string; value: string }>): Field<Sort | undefined> {
	return group({ displayName: 'Sort', placeholder: 'Add sort rule' }, 'Rule', {
		field: openChoice({
			displayName: 'Sort By',
			required: true,
			options: fields,
			description: 'For another field of the service, use an expression with its name',
		}),
		direction,
	});
}
