import type { ILoadOptionsFunctions, INodePropertyOptions, IPollFunctions } from 'n8n-workflow';

import { Failure } from '../../shared/base/failure';
import { collection, date, multiChoice, number, propertiesOf } from '../../shared/fields/fields';
import { answersAsColumns, formFields } from '../../shared/recordForms';
import { readTrigger, routeBy } from '../../shared/triggers';
import { listSearch } from '../methods';
import { feedback } from '../records/feedback';

/** The events of the trigger. Saved workflows depend on these names. */
export const TRIGGER_EVENTS = [
	'feedback.created',
	'customer.created',
	'company.created',
	'survey.sent',
] as const;

export type TriggerEvent = (typeof TRIGGER_EVENTS)[number];

const events = multiChoice({
	displayName: 'Trigger On',
	required: true,
	options: [
		{
			name: 'Feedback Created',
			value: 'feedback.created',
			description: 'A customer answered a survey',
		},
		{ name: 'Customer Created', value: 'customer.created', description: 'A customer was added' },
		{ name: 'Company Created', value: 'company.created', description: 'A company was added' },
		{
			name: 'Survey Sent',
			value: 'survey.sent',
			description: 'A survey was sent to a customer',
		},
	],
	default: ['feedback.created'],
});

/** Shows a field only if it has something to do with the chosen events. */
const forEvents = (name: string, ...events: TriggerEvent[]) => ({
	displayOptions: { show: { [name]: events } },
});
const forFeedback = forEvents('/events', 'feedback.created');
const forSurveys = forEvents('events', 'feedback.created', 'survey.sent');

const filters = {
	campaignIds: multiChoice({
		displayName: 'Campaign Names or IDs',
		typeOptions: { loadOptionsMethod: 'getCampaigns' },
		description:
			'Only trigger on feedback and sent surveys of these campaigns. Choose from the list, or specify IDs using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.',
	}),
	maxScore: number({
		displayName: 'Max Score',
		...forFeedback,
		default: 10,
		description:
			'Only trigger on feedback with this score or lower, such as 6 for the detractors of an NPS survey',
	}),
	metrics: multiChoice({
		displayName: 'Metrics',
		...forFeedback,
		options: [
			{ name: 'CES', value: 'CES' },
			{ name: 'CSAT', value: 'CSAT' },
			{ name: 'NPS', value: 'NPS' },
			{ name: 'Star Rating', value: 'STAR' },
		],
		description: 'Only trigger on feedback to surveys that measure this',
	}),
	minScore: number({
		displayName: 'Min Score',
		...forFeedback,
		description:
			'Only trigger on feedback with this score or higher, such as 9 for the promoters of an NPS survey',
	}),
};

const options = {
	answersAsColumns,
	startDate: date({
		displayName: 'Start Date',
		description:
			'Trigger on everything created since this date. If empty, the first publishing is the start. Publishing again reads on from where the trigger stopped; a later Start Date skips what was created before it.',
	}),
};

const form = formFields(feedback).simplify;
const simplify = {
	...form,
	property: (name: string) => ({ ...form.property(name), ...forSurveys }),
};

const fields = { events, routeBy, simplify };

export const properties = propertiesOf({
	...fields,
	filters: collection('Filters', filters, {
		...forSurveys,
		description:
			'Only trigger on matching events. A filter does not apply to events that lack its field: customers and companies always trigger.',
	}),
	options: collection('Options', options),
});

export type Filters = Settings['filters'];

export type Settings = ReturnType<typeof readSettings>;

/** Reads the trigger's parameters. @throws Failure for an invalid value, often of an expression */
export function readSettings(context: IPollFunctions) {
	const { values, failures, ...settings } = readTrigger({ fields, filters, options }, context);
	if (failures.length > 0) throw Failure.all(failures);
	const { events = [], ...others } = values;
	const known = events.map((event) => TRIGGER_EVENTS.find((one) => one === event));
	const unknown = events.find((event) => !TRIGGER_EVENTS.some((one) => one === event));
	if (unknown !== undefined) {
		const message = `'Trigger On' must be one of: ${TRIGGER_EVENTS.join(', ')}: "${unknown}"`;
		throw new Failure('value', message, {
			hint: 'Choose the events from the list',
			field: 'Trigger On',
		});
	}
	return { ...settings, ...others, events: known.filter((event) => event !== undefined) };
}

export async function getCampaigns(this: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
	const { results } = await listSearch.searchCampaigns.call(this);
	return results.map(({ name, value }) => ({ name, value }));
}
