import { collection, optionalId } from '../../../shared/parameters/schemas';
import { list } from '../../../shared/operations/list';
import { get } from '../../../shared/http/request';
import { simplifyTo } from '../../../shared/operations/simplify';
import { emailFilter, filters, sortInput } from '../../parameters/fields';
import { outboxSurveyRecord } from '../../records/outbox';

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
	input: () => ({ filters: collection({ email: optionalId }), options: sortInput }),
	outputSchema: shortSurveyRecord,
	simplify: simplifyTo(shortSurveyRecord),

	request: ({ filters: { email }, options: { sort } }) =>
		get('/api/v2/nps/outbox', { email, sort }),
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
