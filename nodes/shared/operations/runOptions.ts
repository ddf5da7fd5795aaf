import type { INodeProperties } from 'n8n-workflow';

import { DEFAULT_TIME_LIMITS } from '../http/client';
import { contextIn } from '../fields/context';
import { readFields } from '../fields/field';
import type { Parameters } from '../fields/context';
import type { Shown } from '../fields/field';
import { runOptions } from '../fields/sharedFields';

/** The options of a run that the user did not set. */
export const DEFAULT_RUN_OPTIONS = {
	...DEFAULT_TIME_LIMITS,
	/** Rows in flight, where each has a request. */
	concurrency: 32,
	skipDuplicates: true,
	sendAtMost: Infinity,
};

/** The options that count for the whole run, as the user set them. */
export type RunOptions = typeof DEFAULT_RUN_OPTIONS;

/**
 * Reads the options of a whole run.
 *
 * @param fields the operation's fields: options that it does not offer are not read
 * @throws Failure for a value that cannot be used, and for one that differs between the rows
 */
export function readRunOptions(parameters: Parameters, fields: INodeProperties[]): RunOptions {
	const offered = fields.find(({ name }) => name === 'options')?.options ?? [];
	const valueOf = (name: string, field: Shown) =>
		offered.some((option) => option.name === name)
			? parameters.ofRun(`options.${name}`, field.label)
			: undefined;
	const read = readFields(runOptions, valueOf, contextIn());
	const set = Object.entries(read).filter(([, value]) => value !== undefined);
	return Object.assign({ ...DEFAULT_RUN_OPTIONS }, Object.fromEntries(set));
}
