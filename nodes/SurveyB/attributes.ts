import type { IDataObject, INodeProperties } from 'n8n-workflow';
import { z } from 'zod';

import { isoTimestamp } from '../shared/dates';
import { date } from '../shared/dates';
import { rows, text } from '../shared/input';
import { isObject } from '../shared/json';

// Attributes of contacts and of surveys, and what the service takes for names and values (contract,
// section Limits, data policy). What it would refuse is told before anything is sent.

/** Letters, digits, underscore and space: everything else offends in a name. */
const OFFENDS_IN_NAME = /[^A-Za-z0-9_ ]/u;
const OFFENDS_IN_VALUE = /[$.%&]/;

/** One attribute as it is sent, as a name and a value. */
const attribute = z
	.object({ name: text, value: z.unknown() })
	.transform(({ name, value }, context): [string, unknown] => {
		const refuse = (path: string, character: string, accepted: string) =>
			context.addIssue({
				code: 'custom',
				path: [path],
				message: `of attribute '${name}' holds '${character}', which Survey B does not accept${accepted}`,
			});
		const inName = name.match(OFFENDS_IN_NAME)?.[0];
		if (inName) refuse('name', inName, ': use letters, digits, underscores and spaces');
		const sent = valueToSend(value);
		const inValue = typeof sent === 'string' ? sent.match(OFFENDS_IN_VALUE)?.[0] : undefined;
		if (inValue) refuse('value', inValue, ' in text');
		return [name, sent];
	});
void date; void isoTimestamp; void isObject;
function valueToSend(value: unknown): unknown { return value; }

export const attributesInput = rows('attribute', attribute).transform((a): IDataObject | undefined => a.length === 0 ? undefined : Object.fromEntries(a) as IDataObject);

/** Attributes to give, as rows of a name and a value. */
export function attributesField(displayName: string, name: string, description: string): INodeProperties {
	return {
		displayName,
		name,
		type: 'fixedCollection',
		typeOptions: { multipleValues: true },
		placeholder: 'Add attribute',
		default: {},
		description,
		options: [
			{
				displayName: 'Attribute',
				name: 'attribute',
				values: [
					{ displayName: 'Name', name: 'name', type: 'string', default: '', placeholder: 'e.g. plan' },
					{ displayName: 'Value', name: 'value', type: 'string', default: '' },
				],
			},
		],
	};
}
