import type { IDataObject } from 'n8n-workflow';

import { isObject } from '../http/json';
import { optional, Unusable } from './values';

/** A JSON object that may be left out: an object from an expression, or its text. */
export const jsonObject = optional((value): IDataObject => {
	const read = typeof value === 'string' ? parsed(value) : value;
	if (isObject(read)) return read;
	throw new Unusable('must be a JSON object', 'Write it as { "name": "value" }');
});

function parsed(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		throw new Unusable('is not valid JSON', 'Write it as { "name": "value" }');
	}
}
