import { NodeConnectionTypes } from 'n8n-workflow';
import type { ExpressionString, INodeProperties, NodeHint } from 'n8n-workflow';

// Distributes a trigger's items among its outputs. The editor draws the outputs by an expression, and the
// trigger fills them with `routeItems`.

/** The properties of an item by which its output is chosen. */
export interface Route {
	event: string;
	/** `promoter`, `passive`, `detractor`; anything else goes to the last output. */
	scoreType?: unknown;
}

/** The parameters that decide the outputs, as the node has them. */
export interface RouteParameters {
	routeBy?: unknown;
	/** The events chosen under Trigger On. */
	events?: unknown;
	/** May hold `customEvents`, event names that the user typed. */
	options?: unknown;
}

const SCORE_TYPES = ['detractor', 'passive', 'promoter'];
const SCORE_OUTPUTS = ['Detractor', 'Passive', 'Promoter', 'Other'];

/** The field that chooses the outputs. */
export const routeBy: INodeProperties = {
	displayName: 'Route By',
	name: 'routeBy',
	type: 'options',
	noDataExpression: true,
	options: [
		{
			name: 'Event',
			value: 'event',
			description: 'One output for each event',
		},
		{
			name: 'None',
			value: 'none',
			description: 'One output for everything',
		},
		{
			name: 'Score Type',
			value: 'scoreType',
			description: 'One output each for detractors, passives and promoters, and one for the rest',
		},
	],
	default: 'none',
	description: 'Which outputs the node has',
};

/** The names in a value: an array, or text with commas; each name once. */
export function namesIn(value: unknown): string[] {
	const entries = Array.isArray(value) ? value : String(value ?? '').split(',');
	return [...new Set(entries.map((entry) => String(entry).trim()).filter(Boolean))];
}

/** Returns the events that a trigger listens to: those chosen, then those typed. */
export function eventsOf({ events, options }: RouteParameters): string[] {
	const typed =
		typeof options === 'object' && options !== null && 'customEvents' in options
			? options.customEvents
			: undefined;
	return namesIn([...namesIn(events), ...namesIn(typed)]);
}

/**
 * Returns the expression by which the editor draws the outputs, in the order of `outputNames`. It cannot
 * call our code, so it repeats `eventsOf` and `namesIn`. A test compares them for every choice.
 *
 * @param labels the name of an event's output; the editor cuts off more than 12 characters
 */
export function outputsLabeled(labels: Record<string, string>): ExpressionString {
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

/** The outputs of a node that labels events with their names. */
export const outputs = outputsLabeled({});

/** Explains an empty branch: the editor opens the first one, whichever branch has the item. */
export const branchHint: NodeHint = {
	message:
		'Each item comes out on the branch of its score type or event. Open the branch whose tab shows the number of items.',
	location: 'outputPane',
	whenToDisplay: 'afterExecution',
	displayCondition: '={{ $parameter["routeBy"] !== "none" }}',
};

/** Returns the names of a node's outputs, in order; a single nameless one without routing. */
export function outputNames(parameters: RouteParameters): string[] {
	if (parameters.routeBy === 'scoreType') return SCORE_OUTPUTS;
	const events = parameters.routeBy === 'event' ? eventsOf(parameters) : [];
	return events.length > 0 ? events : [''];
}

/**
 * Distributes items among the node's outputs, in order. Items that match no output go to the last one.
 */
export function routeItems<Item>(
	parameters: RouteParameters,
	items: Item[],
	routeOf: (item: Item) => Route,
): Item[][] {
	const filled: Item[][] = outputNames(parameters).map(() => []);
	for (const item of items) filled[placeOf(parameters, routeOf(item), filled.length)]?.push(item);
	return filled;
}

function placeOf(parameters: RouteParameters, route: Route, outputCount: number): number {
	const place =
		parameters.routeBy === 'scoreType'
			? SCORE_TYPES.indexOf(String(route.scoreType))
			: outputNames(parameters).indexOf(route.event);
	return place >= 0 ? place : outputCount - 1;
}
