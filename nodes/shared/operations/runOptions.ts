import type { INodeProperties } from 'n8n-workflow';

import { Failure } from '../base/failure';
import { DEFAULT_TIME_LIMITS } from '../http/client';
import { Warnings } from '../fields/context';
import { readFields } from '../fields/field';
import type { Parameters } from '../fields/context';
import { runOptions } from '../fields/sharedFields';

/** The options of a run that the user did not set. */
export const DEFAULT_RUN_OPTIONS = {
	...DEFAULT_TIME_LIMITS,
	concurrency: 0,
	skipDuplicates: true,
	sendAtMost: Infinity,
};

export type RunOptions = typeof DEFAULT_RUN_OPTIONS;

/**
 * Reads the options of a whole run.
 *
 * @param fields the operation's fields: options that it does not offer are not read
 * @throws Failure for a value that cannot be used, and for one that differs between the rows
 */
export function readRunOptions(
	parameters: Parameters,
	fields: INodeProperties[],
	count: number,
): RunOptions {
	const offered = fields.find(({ name }) => name === 'options')?.options ?? [];
	const context = { zone: 'UTC', options: {}, item: 0, warnings: new Warnings() };
	const valueOf = (name: string) =>
		offered.some((option) => option.name === name) ? onlyValue(parameters, name, count) : undefined;
	const read = readFields(runOptions, valueOf, context);
	return {
		maxWait: read.maxWait ?? DEFAULT_RUN_OPTIONS.maxWait,
		timeout: read.timeout ?? DEFAULT_RUN_OPTIONS.timeout,
		concurrency: read.concurrency ?? DEFAULT_RUN_OPTIONS.concurrency,
		skipDuplicates: read.skipDuplicates ?? DEFAULT_RUN_OPTIONS.skipDuplicates,
		sendAtMost: read.sendAtMost ?? DEFAULT_RUN_OPTIONS.sendAtMost,
	};
}

/** Returns the value of an option of the run, which no expression may vary. */
function onlyValue(parameters: Parameters, option: string, count: number): unknown {
	const name = `options.${option}`;
	const value = parameters.value(name, 0);
	if (!parameters.hasExpression(name)) return value;
	for (let item = 1; item < count; item++) {
		const other = parameters.value(name, item);
		if (other === value) continue;
		const failure = Failure.value(
			'differs between the rows, but applies to the whole run',
			'Use one value for all rows',
		);
		const field = Object.entries(runOptions).find(([key]) => key === option)?.[1];
		throw Failure.at(field?.label ?? option, other, failure);
	}
	return value;
}
