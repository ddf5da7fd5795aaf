import type { IPollFunctions } from 'n8n-workflow';
import { z } from 'zod';

import { optionalDate } from '../../shared/parameters/dates';
import { Failure } from '../../shared/http/failure';
import { collection, stringList } from '../../shared/parameters/schemas';
import { inZone } from '../../shared/parameters/zone';
import { filters, triggerEvent } from './items';

const settings = z.object({
	events: stringList.pipe(
		z.array(triggerEvent, { required_error: 'is empty' }).min(1, 'is empty: choose an event'),
	),
	filters,
	options: collection({ startDate: optionalDate }),
	routeBy: z.unknown(),
});

/** What the user set the trigger to. */
export type Settings = z.output<typeof settings>;

/** The labels of the parameters, as the editor shows them. */
const LABELS: Record<string, string> = {
	events: 'Trigger On',
	filters: 'Filters',
	campaignIds: 'Campaign Names or IDs',
	metrics: 'Metrics',
	minScore: 'Min Score',
	maxScore: 'Max Score',
	options: 'Options',
	startDate: 'Start Date',
};

/** @throws Failure where a parameter, often an expression, gives something unusable */
export function readSettings(context: IPollFunctions): Settings {
	const names = Object.keys(settings.shape);
	const values = names.map((name) => [name, context.getNodeParameter(name, null)]);
	const read = inZone(context.getTimezone(), () => settings.safeParse(Object.fromEntries(values)));
	if (read.success) return read.data;
	const [issue] = read.error.issues;
	const label = issue?.path
		.map((name) => LABELS[name])
		.filter(Boolean)
		.pop();
	throw new Failure({
		words: `'${label ?? 'A parameter'}' ${issue?.message ?? 'is not usable'}`,
		advice: 'Correct the value, or the expression that gives it',
	});
}
