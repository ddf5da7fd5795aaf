import type { INodeProperties } from 'n8n-workflow';
import { z } from 'zod';

import { given } from './values';

/**
 * The schema of an options field: takes the value of a choice or the name that the editor shows, in any
 * case. Anything else is refused with the list of choices.
 */
export function choice(field: INodeProperties) {
	return z.preprocess(given, z.unknown().transform(chosenOf(field)));
}

/** The same where the field may be left out. */
export function optionalChoice(field: INodeProperties) {
	return z.preprocess(given, z.unknown().transform(chosenOf(field)).optional());
}

function chosenOf({ options = [] }: INodeProperties) {
	const choices = options.flatMap((option) =>
		'value' in option ? [{ name: option.name, value: String(option.value) }] : [],
	);
	const valueByKey = new Map(
		choices.flatMap(({ name, value }) => [
			[keyOf(name), value],
			[keyOf(value), value],
		]),
	);
	const wanted = `must be one of: ${choices.map(({ name }) => name).join(', ')}`;
	return (value: unknown, context: z.RefinementCtx): string => {
		const chosen = valueByKey.get(keyOf(value));
		if (chosen !== undefined) return chosen;
		context.addIssue({ code: 'custom', message: value === undefined ? 'is missing' : wanted });
		return z.NEVER;
	};
}

function keyOf(value: unknown): string {
	return String(value).trim().toLowerCase();
}
