import type { IHookFunctions, IWebhookFunctions } from 'n8n-workflow';
import { z } from 'zod/v4';

import { once } from '../../shared/http/once';
import { optionalNumber, readBoolean } from '../../shared/parameters/numbers';
import { stringList } from '../../shared/parameters/schemas';
import { withDefault } from '../../shared/parameters/values';
import { eventsOf } from '../../shared/triggerOutputs';
import type { RouteParameters } from '../../shared/triggerOutputs';

// What the user set on the node. A delivery is never lost over a setting that cannot be read: such a
// one counts as not made.

const names = stringList.catch(undefined);
const bound = optionalNumber.catch(undefined);

const filters = once(() =>
	z
		.object({
			scoreTypes: names,
			campaignIds: names,
			minScore: bound,
			maxScore: bound,
			statuses: names,
		})
		.catch({}),
);

const toggle = (preset: boolean) => withDefault(preset, readBoolean).catch(preset);

const options = once(() =>
	z.object({
		requireToken: toggle(true),
		ignoreRepeats: toggle(true),
		confirm: toggle(false),
		sampleOnTest: toggle(true),
	}),
);

export type Filters = z.infer<ReturnType<typeof filters>>;

export interface Settings extends z.infer<ReturnType<typeof options>> {
	/** The events to subscribe to: those chosen, then those typed by hand. */
	events: string[];
	filters: Filters;
	/** True for items in flat fields. */
	simplify: boolean;
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
		...options().parse(routing.options ?? {}),
		events: eventsOf(routing),
		filters: filters().parse(context.getNodeParameter('filters', {})),
		simplify: toggle(false).parse(context.getNodeParameter('simplify', false)),
		routing,
	};
}
