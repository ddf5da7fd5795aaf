import { list } from '../../../shared/operations/list';
import { simplifyTo } from '../../../shared/operations/simplify';
import { collection } from '../../../shared/parameters/fields';
import { get } from '../../../shared/http/request';
import { outboxSurveyRecord } from '../../records/outbox';
import { emailFilter, sortBy, sortQuery } from '../../parameters/fields';

const shortSurveyRecord = () =>
	outboxSurveyRecord()
		.pick({
			email: true,
			companyName: true,
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
	description: 'Get the surveys that were sent, with recipient, campaign, date and status',
	fields: { filters: collection('Filters', { email: emailFilter }) },
	sort: sortBy([{ name: 'Survey Created Date', value: 'surveyCreatedDate' }]),
	outputSchema: shortSurveyRecord,
	simplify: simplifyTo(shortSurveyRecord),

	request: ({ filters: { email }, sort }) =>
		get('/api/v2/nps/outbox', { email, ...sortQuery(sort) }),
	rowsKey: 'surveys',
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
