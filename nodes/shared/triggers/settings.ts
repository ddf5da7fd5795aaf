import type {
	IHookFunctions,
	INodeProperties,
	INodePropertyOptions,
	IPollFunctions,
	IWebhookFunctions,
} from 'n8n-workflow';

import { Failure } from '../base/failure';
import { isObject } from '../base/json';
import { contextIn, readAllFields, readFields } from '../fields/field';
import type { FieldsOf, Shown } from '../fields/field';
import { collection, multiChoice, propertiesOf } from '../fields/kinds';
import { runOptions } from '../fields/common';
import { formFields } from '../records';
import type { Form, RecordForms } from '../records';
import { routeBy } from './routing';

const { answersAsColumns } = runOptions;

type TriggerContext = Pick<
	IPollFunctions | IHookFunctions | IWebhookFunctions,
	'getNode' | 'getNodeParameter' | 'getTimezone'
>;

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
	events: string[];
	/** True if each score type has an output of its own. */
	isByScoreType: boolean;
	form: Form;
	/** The other parameters that cannot be read. They count as not set. */
	failures: Failure[];
}

/** Declares the parameters of a trigger once, for the editor and for the function that reads them. */
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
		/** @throws Failure or n8n's error if Trigger On cannot be read: nobody knows then whether an event is a chosen one */
		read(context: TriggerContext) {
			const failures: Failure[] = [];
			const { events = [] } = readFields(
				{ events: multiChoice({ displayName: 'Trigger On' }) },
				(name) => context.getNodeParameter(name, []),
				contextIn(),
			);
			const form = readEach({ simplify }, context, failures);
			const answers = readEach({ answersAsColumns }, context, failures, 'options.');
			return {
				events: [...new Set(events)],
				isByScoreType: context.getNodeParameter('routeBy', null) === 'scoreType',
				form: { simplify: form.simplify !== false, ...answers },
				filters: readFilters(spec.filters, context, failures),
				options: readEach(spec.options, context, failures, 'options.'),
				failures,
			};
		},
	};
}

function readFilters<Filters extends object>(
	fields: FieldsOf<Filters>,
	context: TriggerContext,
	failures: Failure[],
): Partial<Filters> {
	const filters = readEach(fields, context, failures, 'filters.');
	const added: unknown = context.getNode().parameters.filters ?? {};
	if (!isObject(added))
		failures.push(Failure.at('Filters', added, Failure.value('must be a collection')));
	for (const name in fields) {
		const { label } = fields[name];
		const given: unknown = isObject(added) ? added[name] : undefined;
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
