import { isBlank } from '../../shared/base/text';
import { get } from '../../shared/http/request';
import { eventList } from '../../shared/polling/pollingTrigger';
import type { EventList } from '../../shared/polling/pollingTrigger';
import { feedback } from '../records/feedback';
import { sentSurvey, surveyKey } from '../records/outbox';

/** Returns the requests for a list, the oldest and the newest first. */
const listed = (path: string, oldestFirst: string, dateField = oldestFirst) => ({
	request: get(path, { sort: oldestFirst }),
	newest: get(path, { sort: `-${oldestFirst}` }),
	dateField,
});

export const EVENT_LISTS: EventList[] = [
	eventList({
		name: 'Feedback Created',
		value: 'feedback.created',
		description: 'A customer answered a survey',
		...listed('/api/v2/feedback', 'createdDate'),
		recordsKey: 'responses',
		record: feedback,
	}),
	eventList({
		name: 'Customer Created',
		value: 'customer.created',
		description: 'A customer was added',
		...listed('/api/v2/nps/customers', 'createdDate'),
		recordsKey: 'subscribers',
	}),
	eventList({
		name: 'Company Created',
		value: 'company.created',
		description: 'A company was added',
		...listed('/api/v2/companies', 'createdDate'),
		recordsKey: 'companies',
	}),
	eventList({
		name: 'Survey Sent',
		value: 'survey.sent',
		description: 'A survey was sent to a customer',
		...listed('/api/v2/nps/outbox', 'surveyCreatedDate', 'sentDate'),
		recordsKey: 'surveys',
		hasDate: ({ sentDate }) => !isBlank(sentDate),
		waits: true,
		identity: surveyKey,
		record: sentSurvey,
	}),
];
