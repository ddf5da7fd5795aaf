import { multiChoice, number } from '../../shared/fields/kinds';
import { get } from '../../shared/http/request';
import { eventChoices, startDate, waitForComment } from '../../shared/polling/pollingTrigger';
import type { Dated, EventList, PollingTrigger } from '../../shared/polling/pollingTrigger';
import { passes } from '../../shared/triggers/items';
import { triggerFields } from '../../shared/triggers/settings';
import { feedback, scoreOf, scoreTypeOf, sentSurvey, surveyKey } from '../records';
import { surveyA } from '../service';

/** The query of the lists that are sorted by the date of their records. */
const byDate = { sort: '-createdDate' };

/** The events, and the lists that show their records. @internal */
export const EVENT_LISTS: EventList[] = [
	{
		name: 'Feedback Created',
		value: 'feedback.created',
		description:
			'A customer answered a survey. Starts a run about fifteen minutes after the answer, so that it has the comment.',
		request: get('/api/v2/feedback', byDate),
		recordsKey: 'responses',
		record: feedback,
		dateField: 'createdDate',
		hasLateComment: true,
	},
	{
		name: 'Customer Created',
		value: 'customer.created',
		description: 'A customer was added',
		request: get('/api/v2/nps/customers', byDate),
		recordsKey: 'subscribers',
		dateField: 'createdDate',
	},
	{
		name: 'Company Created',
		value: 'company.created',
		description: 'A company was added',
		request: get('/api/v2/companies', byDate),
		recordsKey: 'companies',
		dateField: 'createdDate',
	},
	{
		name: 'Survey Sent',
		value: 'survey.sent',
		description: 'A survey was sent to a customer',
		request: get('/api/v2/nps/outbox', { sort: '-surveyCreatedDate' }),
		recordsKey: 'surveys',
		dateField: 'sentDate',
		waits: true,
		identity: surveyKey,
		record: sentSurvey,
	},
];

/** Shows a filter only if the trigger listens to feedback. */
const forFeedback = { displayOptions: { show: { '/events': ['feedback.created'] } } };

const fields = triggerFields({
	events: eventChoices(EVENT_LISTS),
	preset: 'feedback.created',
	record: feedback,
	filters: {
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
				'Only trigger on feedback with this score or lower, such as 6 for detractors of NPS',
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
				'Only trigger on feedback with this score or higher, such as 9 for promoters of NPS',
		}),
	},
	options: { startDate, waitForComment },
	shown: {
		description:
			'Only trigger on matching events. A filter does not apply to events that lack its field: customers and companies always trigger.',
		displayOptions: { show: { events: ['feedback.created', 'survey.sent'] } },
	},
});

export const { properties } = fields;

type Settings = ReturnType<typeof fields.read>;

/** Returns whether a record matches the filters. A filter does not apply to events that lack its field. */
function matches({ list, data }: Dated, filters: Settings['filters']): boolean {
	const campaignIds = [data.campaignId];
	if (list.value === 'survey.sent') return passes(filters, { values: { campaignIds } });
	if (list.value !== 'feedback.created') return true;
	const values = { campaignIds, metrics: [data.metricsType] };
	return passes(filters, { score: scoreOf(data.score) ?? null, values });
}

/** Survey A Trigger starts a workflow on records of these lists. Only NPS scores have a score type. */
export const trigger: PollingTrigger<Settings> = {
	service: surveyA,
	lists: EVENT_LISTS,
	read: fields.read,
	matches,
	scoreTypeOf,
};
