import { common, filters } from '../../shared/fields/kinds';
import { get } from '../../shared/http/request';
import { list } from '../../shared/operations/list';
import type { Resource } from '../../shared/operations/operation';
import { basic, sortBy } from '../parameters/common';
import { sentSurvey, surveyKey } from '../records';

export const outboxResource: Resource = {
	getAll: list({
		action: 'Get many sent surveys',
		description: 'Get sent surveys with status and opt-out',
		details: 'Status is RESPONDED after an answer; not all others are documented',
		fields: {
			filters: filters({ email: basic.emailFilter }),
			sort: common(sortBy([{ name: 'Survey Created Date', value: 'surveyCreatedDate' }])),
		},
		record: sentSurvey,

		request: ({ filters: { email }, sort }) => get('/api/v2/nps/outbox', { email, sort }),
		recordsKey: 'surveys',
		pageSize: 1000,
		identity: ({ customerId, subject, emailProviderMessageId, ...survey }) => [
			...surveyKey(survey),
			...[customerId, subject, emailProviderMessageId],
		],
	}),
};
