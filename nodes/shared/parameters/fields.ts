import type { IExecuteFunctions, INodeProperties } from 'n8n-workflow';
import { z } from 'zod/v4';

import { once } from '../http/once';
import { DEFAULT_TIME_LIMITS } from '../http/client';
import { integerFrom, numberFrom, readBoolean } from './numbers';
import { labelsByName, parse, valueOf } from './reader';
import { optionalWord } from './schemas';
import { withDefault } from './values';

// The fields that operations of both services share.

export const returnAllField: INodeProperties = {
	displayName: 'Return All',
	name: 'returnAll',
	type: 'boolean',
	default: false,
	description: 'Whether to return all results or only up to a given limit',
};

export const limitField: INodeProperties = {
	displayName: 'Limit',
	name: 'limit',
	type: 'number',
	displayOptions: { show: { returnAll: [false] } },
	typeOptions: { minValue: 1 },
	default: 50,
	description: 'Max number of results to return',
};

export const simplifyField: INodeProperties = {
	displayName: 'Simplify',
	name: 'simplify',
	type: 'boolean',
	default: true,
	description: 'Whether to return a simplified version of the response instead of the raw data',
};

export const maxWaitField: INodeProperties = {
	displayName: 'Max Wait',
	name: 'maxWait',
	type: 'number',
	typeOptions: { minValue: 0 },
	default: 300,
	description: 'Maximum time in seconds to wait when the service is rate limiting',
};

export const timeoutField: INodeProperties = {
	displayName: 'Timeout',
	name: 'timeout',
	type: 'number',
	typeOptions: { minValue: 1 },
	default: 60,
	description: 'Time in seconds to wait for a response before the request fails',
};

export const concurrencyField: INodeProperties = {
	displayName: 'Rows at Once',
	name: 'concurrency',
	type: 'number',
	typeOptions: { minValue: 0, maxValue: 50 },
	default: 0,
	description:
		'Number of rows to send in parallel, or 0 to let the node find out how many the service can take. The output keeps the input order.',
};

export const skipDuplicatesField: INodeProperties = {
	displayName: 'Skip Duplicates',
	name: 'skipDuplicates',
	type: 'boolean',
	default: true,
	description:
		'Whether to send only one survey per email address in a run. Skipped rows point to the row that was sent.',
};

export const dateOrderField: INodeProperties = {
	displayName: 'Date Order',
	name: 'dateOrder',
	type: 'options',
	options: [
		{ name: 'Day First', value: 'dayFirst', description: '3/4/2025 is April 3' },
		{ name: 'Month First', value: 'monthFirst', description: '3/4/2025 is March 4' },
	],
	default: 'monthFirst',
	description: 'How to read a date with slashes. Dates with dots always have the day first.',
};

export const emptyValuesField: INodeProperties = {
	displayName: 'Empty Values',
	name: 'emptyValues',
	type: 'options',
	options: [
		{ name: 'Clear', value: 'clear', description: 'Send an empty text, which clears the field' },
		{ name: 'Ignore', value: 'ignore', description: 'Leave the field unchanged' },
	],
	default: 'ignore',
	description:
		'What to do with names, companies, attributes and properties that are empty. A number or a boolean cannot be cleared.',
};

export const ineligibleField: INodeProperties = {
	displayName: 'Ineligible',
	name: 'ineligible',
	type: 'options',
	options: [
		{ name: 'Error', value: 'error', description: 'The row fails' },
		{
			name: 'Skip',
			value: 'skip',
			description: 'The row comes out with status "skipped" and the reason',
		},
	],
	default: 'error',
	description:
		'What to do with people who cannot be surveyed now because they unsubscribed or were surveyed recently',
};

/** The run's own options. */
const runOptions = once(() => ({
	maxWait: withDefault(DEFAULT_TIME_LIMITS.maxWait, numberFrom(0)),
	timeout: withDefault(DEFAULT_TIME_LIMITS.timeout, numberFrom(0.001)),
	concurrency: withDefault(0, integerFrom(0, 50)),
	skipDuplicates: withDefault(true, readBoolean),
	dryRun: withDefault(false, readBoolean),
	ineligible: optionalWord(['error', 'skip']),
	skipSurveyedWithin: withDefault(0, numberFrom(0)),
}));
const runOptionsSchema = once(() => z.object({ options: z.object(runOptions()) }));

export type RunOptions = z.output<ReturnType<typeof runOptionsSchema>>['options'];

/** The options of a run where nothing is said. */
export function defaultRunOptions(): RunOptions {
	return z.object(runOptions()).parse({});
}

/**
 * Reads them once, from the first item; each by itself, since other options differ by item.
 *
 * @param fields the operation's fields: options that it does not have are not read
 * @throws Failure for one that cannot be used; a blank one is no number
 */
export function readRunOptions(context: IExecuteFunctions, fields: INodeProperties[]): RunOptions {
	const labels = labelsByName(fields);
	const names = Object.keys(runOptions()).filter((name) => labels.has(name));
	const options = names.map((name) => [name, valueOf(context, `options.${name}`, 0)]);
	return parse(runOptionsSchema(), { options: Object.fromEntries(options) }, labels).options;
}

/**
 * The Options collection of an operation, sorted as the editor wants it. Not by `localeCompare`, which loads the rules
 * of a language first.
 */
export function optionsField(options: INodeProperties[]): INodeProperties {
	return {
		displayName: 'Options',
		name: 'options',
		type: 'collection',
		placeholder: 'Add option',
		default: {},
		options: [...options].sort((a, b) => (a.displayName < b.displayName ? -1 : 1)),
	};
}
