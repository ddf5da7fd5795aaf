import { NodeConnectionTypes } from 'n8n-workflow';
import type { ExpressionString, NodeHint } from 'n8n-workflow';

import { isObject } from '../base/json';
import { choice } from '../fields/fields';

/** The parameter of a trigger that decides its outputs. @internal */
export const routeBy = choice({
	displayName: 'Route By',
	noDataExpression: true,
	options: [
		{
			name: 'Event',
			value: 'event',
			description: 'One output for each event, in the order of Trigger On',
		},
		{ name: 'None', value: 'none', description: 'One output for everything' },
		{
			name: 'Score Type',
			value: 'scoreType',
			description: 'Outputs in this order: Detractor, Passive, Promoter, Other (no score type)',
		},
	],
	default: 'none',
	description:
		'Which outputs the node has. By Score Type: Detractor, Passive, Promoter, Other, in this order. By Event: in the order of Trigger On.',
});

/** The properties of an item that decide its output. */
interface Route {
	event: string;
	/** `promoter`, `passive`, `detractor`; anything else goes to the last output. */
	scoreType?: unknown;
}

/** The node's parameters that decide the outputs. */
export interface RouteParameters {
	routeBy?: unknown;
	/** The events chosen under Trigger On. */
	events?: unknown;
	/** May hold `customEvents`, event names that the user typed. */
	options?: unknown;
}

/** The outputs of a trigger, for agents that build workflows. */
export const OUTPUTS = `Outputs in this order, with routeBy 'scoreType': 0 Detractor, 1 Passive, 2 Promoter, 3 Other (no score type). With 'event': one for each entry of events, in its order, even if only one.
Example: trigger.output(0).to(alert), trigger.output(2).to(thank)`;

/** The forms of a trigger's items, for agents that build workflows. */
export const FORMS =
	'$json.event is the event. With simplify, fields are at the top: $json.id, $json.email, $json.score. Without it, all fields are under $json.data.';

const SCORE_TYPES = ['detractor', 'passive', 'promoter'];
const SCORE_OUTPUTS = ['Detractor', 'Passive', 'Promoter', 'Other'];

/** Returns the names in an array, or in text with commas; each name once. */
function namesIn(value: unknown): string[] {
	const entries = Array.isArray(value) ? value : String(value ?? '').split(',');
	return [...new Set(entries.map((entry) => String(entry).trim()).filter(Boolean))];
}

/** Returns the events that a trigger listens to: those chosen, then those typed. @internal */
export function eventsOf({ events, options }: RouteParameters): string[] {
	const typed = isObject(options) ? namesIn(options.customEvents) : [];
	return namesIn([...namesIn(events), ...typed]);
}

/**
 * Returns the expression that draws the outputs in the editor, in the order of `outputNames`. It cannot call our code, so
 * it repeats `eventsOf` and `namesIn`. A test compares them for every choice.
 *
 * @param labels the name of an event's output; the editor cuts off more than 12 characters
 */
export function outputsLabeled(labels: Record<string, string> = {}): ExpressionString {
	return `={{ (($p) => {
	const namesIn = (value) => (Array.isArray(value) ? value : String(value ?? '').split(','))
		.map((entry) => String(entry).trim())
		.filter((entry, i, all) => entry !== '' && all.indexOf(entry) === i);
	const labels = ${JSON.stringify(Object.entries(labels))};
	const labelOf = (name) => (labels.find(([event]) => event === name) ?? [])[1] ?? name;
	const named = (names) => names.map((name) => ({ type: '${NodeConnectionTypes.Main}', displayName: labelOf(name) }));
	if ($p.routeBy === 'scoreType') return named(${JSON.stringify(SCORE_OUTPUTS)});
	const events = $p.routeBy === 'event'
		? namesIn([...namesIn($p.events), ...namesIn(($p.options ?? {}).customEvents)])
		: [];
	return events.length > 0 ? named(events) : [{ type: '${NodeConnectionTypes.Main}' }];
})($parameter) }}`;
}

/** Explains an empty branch: the editor opens the first one, whichever branch has the item. */
export const branchHint: NodeHint = {
	message:
		'Each item comes out on the branch of its score type or event. Open the branch whose tab shows the number of items.',
	location: 'outputPane',
	whenToDisplay: 'afterExecution',
	displayCondition: '={{ $parameter["routeBy"] !== "none" }}',
};

/** Returns the names of a node's outputs, in order; without routing, one without a name. @internal */
export function outputNames(parameters: RouteParameters): string[] {
	if (parameters.routeBy === 'scoreType') return SCORE_OUTPUTS;
	const events = parameters.routeBy === 'event' ? eventsOf(parameters) : [];
	return events.length > 0 ? events : [''];
}

/** Distributes items among the node's outputs, in order. Items that match no output go to the last one. */
export function routeItems<Item>(
	parameters: RouteParameters,
	items: Item[],
	routeOf: (item: Item) => Route,
): Item[][] {
	const names = outputNames(parameters);
	const filled: Item[][] = names.map(() => []);
	const isByScore = parameters.routeBy === 'scoreType';
	for (const item of items) {
		const { event, scoreType } = routeOf(item);
		filled
			.at(isByScore ? SCORE_TYPES.indexOf(String(scoreType)) : names.indexOf(event))
			?.push(item);
	}
	return filled;
}
