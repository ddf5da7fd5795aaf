import type { Resources } from '../../shared/operations/operation';
import { textForBuilders } from '../../surveys/textForBuilders';
import { commonReplyResource } from './commonReply';
import { contactResource } from './contact';
import { contactListResource } from './contactList';
import { feedbackResource } from './feedback';
import { metricResource } from './metric';
import { surveyResource } from './survey';
import { webhookResource } from './webhook';

/** All operations of Survey B, in the order in which people need them. */
export const resources = {
	survey: surveyResource,
	contact: contactResource,
	feedback: feedbackResource,
	contactList: contactListResource,
	metric: metricResource,
	commonReply: commonReplyResource,
	webhook: webhookResource,
} satisfies Resources;

export const descriptions: Record<keyof typeof resources, string> = {
	survey: 'Surveys to send',
	contact: 'People',
	feedback: 'Answers',
	contactList: 'Lists of contacts',
	metric: 'NPS of campaigns',
	commonReply: 'Saved texts for replies',
	webhook: 'URLs to call on events',
};

export const general = textForBuilders({
	columns: [
		"columns: { mappingMode: 'defineBelow', value: { email: expr('{{ $json.email }}'), 'attribute:plan': 'Team' } }. A new name creates an attribute, a date if all its values are; schema: [{ id: 'attribute:Renewal Date', type: 'dateTime' }] makes sure; also number, boolean, string. contactLists: array of IDs of lists to join. skippedAttributes: left out, since name or value has $ . % or &.",
	],
	mappingOptions:
		'additionalProperties, dateOrder, emailColumn, emptyValues, extraColumns, ignoredColumns; and resubscribe, so that unsubscribed = false subscribes again',
	simplified: 'Feedback, metric',
	times: 'A time without a zone goes out as it is, one with an offset in UTC, midnight as a day.',
	feedback: [
		"Feedback: options.answersAsColumns: a field for each attribute of contact and survey: 'order (survey)'. Simplified tags are one text: 'a, b'. The order of lists is undocumented.",
		'Not offered: survey links, delays, changing emails, removing tags, assigning.',
	],
});
