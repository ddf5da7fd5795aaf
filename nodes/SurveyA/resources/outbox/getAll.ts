import { collection, optionalText } from '../../../shared/input';
import { list } from '../../../shared/list';
import { get } from '../../../shared/request';
import { shortenTo } from '../../../shared/short';
import { emailFilter, filters, sortInput } from '../../fields';
import { outboxSurveyRecord } from '../../records';

const shortSurveyRecord = outboxSurveyRecord
	.pick({
		email: true,
		campaign: true,
		status: true,
		sentDate: true,
		channel: true,
		customerId: true,
		companyId: true,
		campaignId: true,
		surveyTemplateId: true,
		emailProviderMessageId: true,
	})
	.strip();

/** `GET /api/v2/nps/outbox`: a survey has no ID, and its status changes. */
export const getAll = list({
	name: 'Get Many',
	action: 'Get many sent surveys',
	description: 'Retrieve a list of surveys that were sent, and what became of them',
	fields: [filters([emailFilter])],
	options: [
		{
			displayName: 'Sort',
			name: 'sort',
			type: 'options',
			options: [
				{ name: 'Newest First', value: '-surveyCreatedDate' },
				{ name: 'Oldest First', value: 'surveyCreatedDate' },
			],
			default: '-surveyCreatedDate',
		},
	],
	input: { filters: collection({ email: optionalText }), options: sortInput },
	returns: shortSurveyRecord,
	simplify: shortenTo(shortSurveyRecord),

	request: ({ filters: { email }, options: { sort } }) =>
		get('/api/v2/nps/outbox', { email, sort }),
	rows: 'surveys',
	pageSize: 1000,
	identity: (survey) => [
		survey.email,
		survey.campaignId,
		survey.sentDate,
		survey.channel,
		survey.surveyTemplateId,
		survey.customerId,
		survey.subject,
		survey.emailProviderMessageId,
	],
});
