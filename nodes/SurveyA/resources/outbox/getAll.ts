import { collection, optionalId } from '../../../shared/parameters/schemas';
import { list } from '../../../shared/operations/list';
import { get } from '../../../shared/http/request';
import { emailFilter, filters, sortInput } from '../../parameters/fields';
import { simplifiedOutboxSurveyRecord, simplifyOutboxSurvey } from '../../records/outbox';

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
	outputSchema: simplifiedOutboxSurveyRecord,
	simplify: simplifyOutboxSurvey,

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
