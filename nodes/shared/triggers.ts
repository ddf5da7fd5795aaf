import { NodeConnectionTypes } from 'n8n-workflow';
import type {
	ExpressionString,
	IDataObject,
	IHookFunctions,
	INodeProperties,
	INodePropertyOptions,
	IPollFunctions,
	IWebhookFunctions,
	NodeHint,
} from 'n8n-workflow';

import { Cache } from './base/cache';
import { Failure } from './base/failure';
import { isObject } from './base/json';
import { contextIn, readAllFields } from './fields/field';
import type { Field, FieldsOf, Shown } from './fields/field';
import { choice, collection, multiChoice, propertiesOf } from './fields/fields';
import { rowOptions } from './fields/sharedFields';
import { formFields } from './records';
import type { Form, RecordForms } from './records';

// All triggers share this: reading the parameters, filters, outputs, the form of an item, and the log.

const { answersAsColumns } = rowOptions;

type TriggerContext = Pick<
	IPollFunctions | IHookFunctions | IWebhookFunctions,
	'getNode' | 'getNodeParameter' | 'getTimezone'
>;

/** The parameters in which triggers differ. */
interface TriggerSpec<Filters, Options> {
	/** The events to choose from, and the one that a new node has: by default, the first. */
	events: Array<INodePropertyOptions & { value: string }>;
	preset?: string;
	/** The record of most events, whose simplified fields the editor names. */
	record: RecordForms;
	filters: FieldsOf<Filters>;
	options: FieldsOf<Options>;
	/** The description of Filters, and the choices for which the editor shows Filters and Simplify. */
	shown?: { description: string; displayOptions?: INodeProperties['displayOptions'] };
}

/** The settings that every trigger has. */
export interface TriggerSettings {
	/** The chosen events, then the custom ones. */
	events: string[];
	routing: RouteParameters;
	form: Form;
	/** The other parameters that cannot be read. They count as not set. */
	failures: Failure[];
}

/** Returns the parameters of a trigger, and the function that reads them. */
export function triggerFields<Filters extends object, Options extends object>(
	spec: TriggerSpec<Filters, Options>,
) {
	const { description, ...shown } = spec.shown ?? {};
	const { preset = spec.events[0]?.value } = spec;
	const { simplify } = formFields(spec.record);
	return {
		properties: propertiesOf({
			events: multiChoice({
				displayName: 'Trigger On',
				required: true,
				options: spec.events,
				default: preset === undefined ? [] : [preset],
			}),
			routeBy,
			simplify: {
				...simplify,
				property: (name: string) => ({ ...simplify.property(name), ...shown }),
			},
			...(Object.keys(spec.filters).length > 0 && {
				filters: collection('Filters', spec.filters, { description, ...shown }),
			}),
			options: collection('Options', { answersAsColumns, ...spec.options }),
		}),
		read: (context: TriggerContext) => readSettings(context, spec, simplify),
	};
}

/** @throws n8n's error if an expression of Trigger On fails: nobody knows then whether an event is a chosen one */
function readSettings<Filters extends object, Options extends object>(
	context: TriggerContext,
	spec: TriggerSpec<Filters, Options>,
	simplify: Field<boolean>,
) {
	const failures: Failure[] = [];
	const routing = readRouting(context);
	const form = readEach({ simplify }, context, failures);
	const answers = readEach({ answersAsColumns }, context, failures, 'options.');
	return {
		events: eventsOf(routing),
		routing,
		form: { simplify: form.simplify !== false, ...answers },
		filters: readFilters(spec.filters, context, failures),
		options: readEach(spec.options, context, failures, 'options.'),
		failures,
	};
}

/** Reads what decides the outputs as the editor reads it when it draws them. */
function readRouting(context: TriggerContext): RouteParameters {
	const [routeBy, events, customEvents] = ['routeBy', 'events', 'options.customEvents'].map(
		(name): unknown => context.getNodeParameter(name, null),
	);
	return { routeBy, events, options: { customEvents } };
}

function readFilters<Filters extends object>(
	fields: FieldsOf<Filters>,
	context: TriggerContext,
	failures: Failure[],
): Partial<Filters> {
	const filters = readEach(fields, context, failures, 'filters.');
	const { filters: added = {} } = context.getNode().parameters;
	if (!isObject(added))
		failures.push(Failure.at('Filters', added, Failure.value('must be a collection')));
	for (const name in fields) {
		const { label } = fields[name];
		const given: unknown = isObject(added) ? Reflect.get(added, name) : undefined;
		// A list in which nothing is chosen is no filter.
		const isEmpty = given === undefined || (Array.isArray(given) && given.length === 0);
		const isUnread = filters[name] === undefined && !isEmpty;
		if (!isUnread || failures.some(({ field }) => field === label)) continue;
		failures.push(Failure.at(label, undefined, Failure.value('has no value that can be used')));
	}
	return filters;
}

/** Reads fields of a collection, and adds to `failures` what cannot be read. */
function readEach<Values extends object>(
	fields: FieldsOf<Values>,
	context: TriggerContext,
	failures: Failure[],
	collection = '',
): Partial<Values> {
	const valueOf = (name: string, { label }: Shown): unknown => {
		try {
			return context.getNodeParameter(collection + name, null) ?? undefined;
		} catch (error) {
			const message = `'${label}' failed: ${Failure.from(error).headline}`;
			failures.push(new Failure('value', message, { field: label }));
			return undefined;
		}
	};
	return readAllFields(fields, valueOf, { ...contextIn(context.getTimezone()), failures });
}

/** The values of an event that filters compare. A filter does not apply if the event has no such field. */
interface Compared {
	/** Null if the event has no score now, and so is neither high nor low. */
	score?: number | null;
	/** The values by the name of the filter that lists the wanted ones. */
	values?: Record<string, unknown[] | undefined>;
}

interface FilterValues {
	minScore?: number;
	maxScore?: number;
	[list: string]: string[] | number | undefined;
}

/** Returns true unless a filter rejects the event. Upper and lower case count as equal. */
export function passes(
	{ minScore, maxScore, ...lists }: FilterValues,
	{ score, values = {} }: Compared,
): boolean {
	const isNull = score === null && (minScore !== undefined || maxScore !== undefined);
	const isOutside =
		typeof score === 'number' &&
		(score < (minScore ?? -Infinity) || score > (maxScore ?? Infinity));
	if (isNull || isOutside) return false;
	return Object.entries(lists).every(([name, wanted]) => {
		const found = values[name]?.map(comparable);
		if (!Array.isArray(wanted) || wanted.length === 0 || found === undefined) return true;
		return wanted.some((one) => found.includes(comparable(one)));
	});
}

function comparable(value: unknown): string {
	return String(value).toLowerCase();
}

/**
 * Returns an item of the trigger's own fields, then those of the record. A field of the record with the name of one of the
 * trigger's is renamed, even if that one has no value.
 */
export function flatItem(own: IDataObject, record: IDataObject): IDataObject {
	const renamed = Object.entries(record).map(([name, value]): [string, typeof value] => [
		name in own ? `${name} (data)` : name,
		value,
	]);
	const all = [...Object.entries(own), ...renamed];
	return Object.fromEntries(all.filter(([, value]) => value !== undefined));
}

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
			description: 'Outputs in this order: Detractor, Passive, Promoter, Other',
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
interface RouteParameters {
	routeBy?: unknown;
	/** The events chosen under Trigger On. */
	events?: unknown;
	/** May hold `customEvents`, event names that the user typed. */
	options?: unknown;
}

/** The outputs of a trigger, for agents that build workflows. */
export const OUTPUTS = `Outputs in this order, with routeBy 'scoreType': 0 Detractor, 1 Passive, 2 Promoter, 3 Other (no score type). With 'event': one for each entry of events, in its order, also when there is only one. With 'none': one.
Example: trigger.output(0).to(alertTeam), trigger.output(2).to(thankPromoter)`;

/** The forms of a trigger's items, for agents that build workflows. */
export const FORMS =
	'With simplify, fields are at the top: $json.id, $json.email, $json.score. Without simplify, all fields of the service are under $json.data, such as $json.data.id.';

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

const INTERVAL = 60 * 60 * 1000;

/** When each subject was last due in this process, in ms since 1970. */
const dueAt = new Cache<number>(5000);

/** Logs problems of a trigger that show again with each delivery or poll, each once an hour. */
export class HourlyLog {
	constructor(private readonly context: IPollFunctions | IWebhookFunctions) {}

	/** @param subject identifies the problem; by default the message does */
	warn(message: string, subject = message): void {
		if (!this.isDue(subject)) return;
		const workflowId = this.context.getWorkflow().id;
		this.context.logger.warn(message, { workflowId, nodeName: this.context.getNode().name });
	}

	/** Returns true at most once an hour for each subject. */
	isDue(subject: string): boolean {
		const { context } = this;
		const key = [context.getWorkflow().id, context.getNode().id, context.getMode(), subject].join();
		const now = Date.now();
		if (Math.abs(now - (dueAt.get(key) ?? 0)) < INTERVAL) return false;
		dueAt.set(key, now);
		return true;
	}
}
