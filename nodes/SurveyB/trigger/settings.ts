import type { IHookFunctions, IWebhookFunctions } from 'n8n-workflow';
import { z } from 'zod';

import { optionalNumber } from '../../shared/parameters/numbers';
import { stringList } from '../../shared/parameters/schemas';
import { eventsOf } from '../../shared/triggerOutputs';
import type { RouteParameters } from '../../shared/triggerOutputs';

// What the user set on the node. A delivery is never lost over a setting that cannot be read: such a
// one counts as not made.

const names = stringList.catch(undefined);
const bound = optionalNumber.catch(undefined);

const filters = z
	.object({
		scoreTypes: names,
		campaignIds: names,
		minScore: bound,
		maxScore: bound,
		statuses: names,
	})
	.catch({});

const options = z.object({
	requireToken: z.boolean().catch(true),
	ignoreRepeats: z.boolean().catch(true),
	confirm: z.boolean().catch(false),
	sampleOnTest: z.boolean().catch(true),
});

export type Filters = z.infer<typeof filters>;

export interface Settings extends z.infer<typeof options> {
	/** The events to subscribe to: those chosen, then those typed by hand. */
	events: string[];
	filters: Filters;
	/** What decides the node's outputs. */
	routing: RouteParameters;
}

/** Reads the node's parameters. */
export function settingsOf(context: IHookFunctions | IWebhookFunctions): Settings {
	const routing = {
		routeBy: context.getNodeParameter('routeBy', 'none'),
		events: context.getNodeParameter('events', []),
		options: context.getNodeParameter('options', {}),
	};
	return {
		...options.parse(routing.options ?? {}),
		events: eventsOf(routing),
		filters: filters.parse(context.getNodeParameter('filters', {})),
		routing,
	};
}
