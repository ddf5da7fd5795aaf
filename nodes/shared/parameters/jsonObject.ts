import type { IDataObject } from 'n8n-workflow';

import { isObject } from '../http/json';
import { optional, Unusable } from './values';

const HOW = 'Write it as { "name": "value" }';

/** A JSON object that may be left out: an object from an expression, or its text. */
export const jsonObject = optional((value): IDataObject => {
	const read = typeof value === 'string' ? parsed(value) : value;
	if (read === undefined) throw new Unusable('is not valid JSON', HOW);
	if (isObject(read)) return read;
	throw new Unusable('must be a JSON object', HOW);
});

/** Undefined for text that is no JSON. */
function parsed(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
}
