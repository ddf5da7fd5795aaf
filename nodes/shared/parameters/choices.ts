import type { INodeProperties } from 'n8n-workflow';

import { needed, optional, Unusable } from './values';
import type { ReadValue } from './values';

/**
 * The schema of an options field: takes the value of a choice or the name that the editor shows, in any
 * case. Anything else is refused with the list of choices.
 */
export function choice(field: INodeProperties) {
	return needed(readChoice(field));
}

/** The same where the field may be left out. */
export function optionalChoice(field: INodeProperties) {
	return optional(readChoice(field));
}

function readChoice({ options = [] }: INodeProperties): ReadValue<string> {
	const choices = options.flatMap((option) =>
		'value' in option ? [{ name: option.name, value: String(option.value) }] : [],
	);
	const values = new Map<string, string>();
	for (const { name, value } of choices) {
		values.set(wordKey(name), value);
		values.set(wordKey(value), value);
	}
	const names = choices.map(({ name }) => name).join(', ');
	return (value) => {
		const chosen = values.get(wordKey(value));
		if (chosen !== undefined) return chosen;
		throw new Unusable(`must be one of: ${names}`);
	};
}

/** The form in which words are compared: `Day First` and `dayFirst` are one. */
export function wordKey(value: unknown): string {
	return String(value)
		.toLowerCase()
		.replace(/[\s/_-]+/g, '');
}
