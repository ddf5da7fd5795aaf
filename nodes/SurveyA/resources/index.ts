import type { Resources } from '../../shared/operations/operation';
import { textForBuilders } from '../../surveys/textForBuilders';
import { campaignResource } from './campaign';
import { companyResource } from './company';
import { customerResource } from './customer';
import { feedbackResource } from './feedback';
import { outboxResource } from './outbox';
import { reportResource } from './report';
import { scoreResource } from './score';
import { surveyResource } from './survey';
import { templateResource } from './template';

/** All operations of Survey A, in the order in which people need them. */
export const resources = {
	survey: surveyResource,
	customer: customerResource,
	feedback: feedbackResource,
	campaign: campaignResource,
	company: companyResource,
	outbox: outboxResource,
	report: reportResource,
	score: scoreResource,
	template: templateResource,
} satisfies Resources;

export const descriptions: Record<keyof typeof resources, string> = {
	survey: 'Surveys to send',
	customer: 'People',
	feedback: 'Answers',
	campaign: 'Survey campaigns',
	company: 'Companies of customers',
	outbox: 'Sent surveys',
	report: 'Scores of campaigns',
	score: 'Score of the whole account',
	template: 'Survey templates',
};

export const general = textForBuilders({
	columns: [
		"columns: { mappingMode: 'defineBelow', value: { email: expr('{{ $json.email }}'), 'property:Plan': 'Team' } }. A new label creates a property, a date if all its values are; schema: [{ id: 'property:Renewal Date', type: 'dateTime' }] makes sure; also number, boolean, array, string. tags may replace a known customer's.",
		"customer, feedback and outbox getAll: sort: { property: { field: 'createdDate' (outbox: 'surveyCreatedDate'), direction: 'asc' | 'desc' } }.",
	],
	mappingOptions:
		'additionalProperties, dateFormat, dateOrder, emailColumn, emptyValues, extraColumns, ignoredColumns',
	simplified: 'Feedback, report, outbox',
	times: 'A time without a zone is in that zone.',
	feedback: [
		"Feedback: options.answersAsColumns: a field for each question, named by its text, and property: 'renewal_date (property)'.",
		'Not offered: survey links, delays, changing an email, notes, assigning. Only the outbox shows opt-outs.',
	],
});
