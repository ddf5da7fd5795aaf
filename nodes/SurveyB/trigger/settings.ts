import type { IHookFunctions, IWebhookFunctions } from 'n8n-workflow';

import { readTriggerFields } from '../../shared/fields/triggerFields';
import { eventsOf } from '../../shared/triggerOutputs';
import type { RouteParameters } from '../../shared/triggerOutputs';
import { fields } from './fields';
import type { Filters } from './fields';

export type { Filters };

export interface Settings {
	/** The chosen events, then the custom ones. */
	events: string[];
	filters: Filters;
	routing: RouteParameters;
	simplify: boolean;
	requireToken: boolean;
	ignoreRepeats: boolean;
	confirm: boolean;
	sampleOnTest: boolean;
	answersAsColumns: boolean;
}

/** Reads the node's parameters. An unreadable setting counts as not set, so that no delivery is lost. */
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
