import type { IExecuteFunctions, INodeProperties } from 'n8n-workflow';
import { z } from 'zod';

import { DEFAULT_TIME_LIMITS } from '../http/client';
import { valueOf } from './reader';

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
	description: 'How many seconds a request may wait when the service says it gets too many',
};

export const timeoutField: INodeProperties = {
	displayName: 'Timeout',
	name: 'timeout',
	type: 'number',
	typeOptions: { minValue: 1 },
	default: 60,
	description: 'How many seconds to wait for an answer',
};

export const concurrencyField: INodeProperties = {
	displayName: 'Rows at Once',
	name: 'concurrency',
	type: 'number',
	typeOptions: { minValue: 1, maxValue: 50 },
	default: 8,
	description: 'How many rows to send at the same time. The output keeps the order of the input.',
};

export const skipDuplicatesField: INodeProperties = {
	displayName: 'Skip Duplicates',
	name: 'skipDuplicates',
	type: 'boolean',
	default: true,
	description:
		'Whether to survey an address once when it comes several times in one run. Rows that are left out name the one that was sent.',
};

/** The run's own options. */
export const runOptions = z.object({
	maxWait: z.coerce.number().min(0).catch(DEFAULT_TIME_LIMITS.maxWait),
	timeout: z.coerce.number().min(0.001).catch(DEFAULT_TIME_LIMITS.timeout),
	concurrency: z.coerce.number().int().min(1).max(50).catch(8),
	skipDuplicates: z.boolean().catch(true),
});

export type RunOptions = z.output<typeof runOptions>;

/** Reads them once, from the first item; each by itself, since other options differ by item. */
export function readRunOptions(context: IExecuteFunctions): RunOptions {
	const names = Object.keys(runOptions.shape);
	const values = names.map((name) => [name, valueOf(context, `options.${name}`, 0)]);
	return runOptions.parse(Object.fromEntries(values));
}

/** The Options collection of an operation, sorted as the editor wants it. */
export function optionsField(options: INodeProperties[]): INodeProperties {
	return {
		displayName: 'Options',
		name: 'options',
		type: 'collection',
		placeholder: 'Add option',
		default: {},
		options: [...options].sort((a, b) => a.displayName.localeCompare(b.displayName)),
	};
}
