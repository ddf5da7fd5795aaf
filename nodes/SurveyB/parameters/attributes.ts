import type { GenericValue, IDataObject, INodeProperties } from 'n8n-workflow';
import { z } from 'zod';

import { isoTimestamp, date } from '../../shared/parameters/dates';
import { entries, text } from '../../shared/parameters/schemas';
import { isObject } from '../../shared/http/json';
import { acceptedDate, withoutMilliseconds } from './attributeDates';

// Attributes of contacts and of surveys, and what the service takes for names and values (contract,
// section Limits, data policy). What it would refuse is told before anything is sent.

const OFFENDS_IN_NAME = /[^A-Za-z0-9_ ]/u;
const OFFENDS_IN_VALUE = /[$.%&]/;

/** A number as text: sent as a number, since the service refuses a dot in text. */
const DECIMAL = /^-?\d{1,9}\.\d{1,6}$/;

const attribute = z
	.object({ name: text, value: z.unknown() })
	.transform(({ name, value }, context): [string, GenericValue] => {
		const refuse = (field: string, character: string, accepted: string) =>
			context.addIssue({
				code: 'custom',
				path: [field],
				message: `of attribute '${name}' holds '${character}', which Survey B does not accept. ${accepted}`,
			});
		const inName = name.match(OFFENDS_IN_NAME)?.[0];
		if (inName) refuse('name', inName, 'Use letters a-z, digits, underscores and spaces');
		const sent = valueToSend(value);
		const inValue = typeof sent === 'string' ? sent.match(OFFENDS_IN_VALUE)?.[0] : undefined;
		if (inValue) refuse('value', inValue, 'Text may hold none of $ . % &');
		return [name, sent];
	});

/** Numbers, booleans and other typed values pass as they are; dates in a form that is recognised. */
function valueToSend(value: unknown): GenericValue {
	if (typeof value === 'string') {
		const trimmed = value.trim();
		return DECIMAL.test(trimmed) ? Number(trimmed) : (acceptedDate(trimmed) ?? trimmed);
	}
	if (value instanceof Date || (isObject(value) && 'isLuxonDateTime' in value)) {
		const read = date.safeParse(value);
		return read.success ? withoutMilliseconds(isoTimestamp(read.data)) : undefined;
	}
	if (typeof value === 'number' || typeof value === 'boolean') return value;
	return typeof value === 'object' ? value : undefined;
}

/** The parameter: rows of names and values. Rows without a value are left out. */
export const attributesInput = entries('attribute', attribute).transform(
	(entries): IDataObject | undefined => {
		const given = entries.filter(
			([, value]) => value !== undefined && value !== null && value !== '',
		);
		return given.length === 0 ? undefined : Object.fromEntries(given);
	},
);

/** The field: rows of names and values. */
export function attributesField(
	displayName: string,
	name: string,
	description: string,
): INodeProperties {
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
					{
						displayName: 'Name',
						name: 'name',
						type: 'string',
						default: '',
						placeholder: 'e.g. plan',
						description: 'Letters, digits, underscores and spaces',
					},
					{
						displayName: 'Value',
						name: 'value',
						type: 'string',
						default: '',
						placeholder: 'e.g. pro',
						description:
							'Text without $ . % &, a number, true or false, or a date in any form. A row without a value is left out.',
					},
				],
			},
		],
	};
}
