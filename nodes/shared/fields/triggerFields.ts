import type { IHookFunctions, IPollFunctions, IWebhookFunctions } from 'n8n-workflow';

import { Failure } from '../base/failure';
import { Warnings } from './context';
import type { ReadContext } from './context';
import { readFields } from './field';
import type { FieldsOf } from './field';
import { choice } from './fields';

type TriggerContext = Pick<
	IPollFunctions | IHookFunctions | IWebhookFunctions,
	'getNodeParameter' | 'getTimezone'
>;

export const routeBy = choice({
	displayName: 'Route By',
	noDataExpression: true,
	options: [
		{ name: 'Event', value: 'event', description: 'One output for each event' },
		{ name: 'None', value: 'none', description: 'One output for everything' },
		{
			name: 'Score Type',
			value: 'scoreType',
			description: 'One output each for detractors, passives and promoters, and one for the rest',
		},
	],
	default: 'none',
	description: 'Which outputs the node has',
});

/** Reads the parameters of a trigger. @throws Failure */
export function readTriggerFields<Values extends object>(
	fields: FieldsOf<Values>,
	context: TriggerContext,
): Values {
	const valueOf = (name: string) => context.getNodeParameter(name, null) ?? undefined;
	return readFields(fields, valueOf, readContext(context));
}

/** Reads the parameters of a trigger; one that cannot be read counts as not set. Never throws. */
export function readLeniently<Values extends object>(
	fields: FieldsOf<Values>,
	context: TriggerContext,
) {
	const given: Record<string, unknown> = {};
	const failures: string[] = [];
	for (const name in fields) {
		try {
			given[name] = context.getNodeParameter(name, null) ?? undefined;
		} catch (error) {
			failures.push(`'${fields[name].label}' failed: ${Failure.from(error).headline}`);
		}
	}
	const lenient = { ...readContext(context), isLenient: true };
	return { values: readFields(fields, (name) => given[name], lenient), given, failures };
}

function readContext(context: TriggerContext): ReadContext {
	return { zone: context.getTimezone(), options: {}, item: 0, warnings: new Warnings() };
}
