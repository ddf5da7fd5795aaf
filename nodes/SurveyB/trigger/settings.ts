import type { IHookFunctions, IWebhookFunctions } from 'n8n-workflow';

import { eventsOf, readTrigger } from '../../shared/triggers';
import { checked } from './fields';

export type Settings = ReturnType<typeof settingsOf>;

/**
 * Reads the node's parameters.
 *
 * @throws n8n's error if the expression of the events fails: nobody knows then whether a delivery is of a chosen event
 */
export function settingsOf(context: IHookFunctions | IWebhookFunctions) {
	const { values, filters, options, failures } = readTrigger(checked, context);
	// As the editor reads them when it draws the outputs.
	const [routeBy, events, customEvents] = ['routeBy', 'events', 'options.customEvents'].map(
		(name): unknown => context.getNodeParameter(name, null),
	);
	const routing = { routeBy, events, options: { customEvents } };
	return {
		/** The chosen events, then the custom ones. */
		events: eventsOf(routing),
		filters,
		routing,
		simplify: values.simplify !== false,
		ignoreRepeats: options.ignoreRepeats !== false,
		answersAsColumns: options.answersAsColumns === true,
		/** Settings that cannot be read. They count as not set, so that no delivery is lost. */
		failures,
	};
}
