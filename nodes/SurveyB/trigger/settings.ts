import type { IDataObject, IHookFunctions, IWebhookFunctions } from 'n8n-workflow';

import { isObject } from '../../shared/base/json';
import { readLeniently } from '../../shared/fields/triggerFields';
import { eventsOf } from '../../shared/triggerOutputs';
import type { RouteParameters } from '../../shared/triggerOutputs';
import { fields, filterFields } from './fields';
import type { Filters } from './fields';

export interface Settings {
	/** The chosen events, then the custom ones. */
	events: string[];
	filters: Filters;
	routing: RouteParameters;
	simplify: boolean;
	ignoreRepeats: boolean;
	answersAsColumns: boolean;
	/** Settings that cannot be read. They count as not set, so that no delivery is lost. */
	problems: string[];
}

/** Reads the node's parameters. Never throws. */
export function settingsOf(context: IHookFunctions | IWebhookFunctions): Settings {
	const { values, given, failures } = readLeniently(fields, context);
	const { filters = {}, options = {}, simplify } = values;
	const routing = {
		routeBy: given.routeBy ?? 'none',
		events: given.events,
		options: given.options,
	};
	return {
		events: eventsOf(routing),
		filters,
		routing,
		simplify: simplify !== false,
		ignoreRepeats: options.ignoreRepeats !== false,
		answersAsColumns: options.answersAsColumns === true,
		problems: [...failures, ...unreadFilters(filters, given.filters)],
	};
}

/** Names the filters that were added and have no value that can be read: their expression may be wrong. */
function unreadFilters(filters: Filters, given: unknown): string[] {
	const read: IDataObject = { ...filters };
	return Object.entries(filterFields)
		.filter(([name]) => isObject(given) && name in given && read[name] === undefined)
		.map(([, { label }]) => `'${label}' has no value that can be used`);
}
