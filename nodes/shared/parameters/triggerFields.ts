import type { IHookFunctions, IPollFunctions, IWebhookFunctions } from 'n8n-workflow';

import { Warnings } from './context';
import { readFields, readOrFail } from './field';
import type { FieldsOf } from './field';
import { choice } from './fields';

/** The contexts of a trigger. They have no items. */
type TriggerContext = Pick<
	IPollFunctions | IHookFunctions | IWebhookFunctions,
	'getNodeParameter' | 'getTimezone'
>;

/** Which outputs a trigger has. */
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

/**
 * Reads the parameters of a trigger.
 *
 * @param isLenient true when a value that cannot be read counts as not set
 * @throws SurveyError
 */
export function readTriggerFields<Values extends object>(
	fields: FieldsOf<Values>,
	context: TriggerContext,
	isLenient = false,
): Values {
	const read = {
		zone: context.getTimezone(),
		options: {},
		item: 0,
		warnings: new Warnings(),
		isLenient,
	};
	const valueOf = (name: string) => context.getNodeParameter(name, null) ?? undefined;
	return readOrFail(() => readFields(fields, valueOf, read));
}
