import type { IHookFunctions, IPollFunctions, IWebhookFunctions } from 'n8n-workflow';

import { Warnings } from './context';
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

/** Reads the parameters of a trigger. With `isLenient`, a value that cannot be read counts as not set. @throws Failure */
export function readTriggerFields<Values extends object>(
	fields: FieldsOf<Values>,
	context: TriggerContext,
	isLenient = false,
): Values {
	const zone = context.getTimezone();
	const read = { zone, options: {}, item: 0, warnings: new Warnings(), isLenient };
	const valueOf = (name: string) => context.getNodeParameter(name, null) ?? undefined;
	return readFields(fields, valueOf, read);
}
