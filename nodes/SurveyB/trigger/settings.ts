import type { IHookFunctions, IWebhookFunctions } from 'n8n-workflow';

import { readTriggerFields } from '../../shared/parameters/triggerFields';
import { eventsOf } from '../../shared/triggerOutputs';
import type { RouteParameters } from '../../shared/triggerOutputs';
import { fields } from './fields';
import type { Filters } from './fields';

export type { Filters };

export interface Settings {
	/** The events to subscribe to: those chosen, then those typed by hand. */
	events: string[];
	filters: Filters;
	/** The parameters that decide the node's outputs. */
	routing: RouteParameters;
	simplify: boolean;
	requireToken: boolean;
	ignoreRepeats: boolean;
	confirm: boolean;
	sampleOnTest: boolean;
	answersAsColumns: boolean;
}

/** Reads the node's parameters. A setting that cannot be read counts as not set: no delivery is lost over it. */
export function settingsOf(context: IHookFunctions | IWebhookFunctions): Settings {
	const { filters, options, simplify } = readTriggerFields(fields, context, true);
	const routing = {
		routeBy: context.getNodeParameter('routeBy', 'none'),
		events: context.getNodeParameter('events', []),
		options: context.getNodeParameter('options', {}),
	};
	return {
		events: eventsOf(routing),
		filters,
		routing,
		simplify: simplify !== false,
		requireToken: options.requireToken !== false,
		ignoreRepeats: options.ignoreRepeats !== false,
		confirm: options.confirm === true,
		sampleOnTest: options.sampleOnTest !== false,
		answersAsColumns: options.answersAsColumns === true,
	};
}
