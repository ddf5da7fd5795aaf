import type { IDataObject } from 'n8n-workflow';

import { isBlank } from '../../shared/base/text';
import { get } from '../../shared/http/request';
import type { EventList } from '../../shared/polling/pollList';
import type { RecordForms } from '../../shared/records';
import { feedback } from '../records/feedback';
import { LONGEST_WAIT_MS, sentSurvey, surveyKey } from '../records/outbox';
import { momentIn } from '../service';

/** An event of the trigger, and the list that shows its records. */
export interface SurveyAList extends EventList {
	name: string;
	description: string;
	/** The forms of its records, if they are long. */
	record?: RecordForms;
}

/** Reads the dates in a field of the records. */
const datedBy = (field: string) => ({
	dateField: field,
	dateOf: (data: IDataObject) => momentIn(data[field]),
});

const created = {
	...datedBy('createdDate'),
	hasDate: () => true,
	wait: 0,
	identity: (data: IDataObject) => data.id ?? data,
};

const sort = { sort: 'createdDate' };

export const EVENT_LISTS: SurveyAList[] = [
	{
		name: 'Feedback Created',
		value: 'feedback.created',
		description: 'A customer answered a survey',
		request: get('/api/v2/feedback', sort),
		recordsKey: 'responses',
		...created,
		record: feedback,
	},
	{
		name: 'Customer Created',
		value: 'customer.created',
		description: 'A customer was added',
		request: get('/api/v2/nps/customers', sort),
		recordsKey: 'subscribers',
		...created,
	},
	{
		name: 'Company Created',
		value: 'company.created',
		description: 'A company was added',
		request: get('/api/v2/companies', sort),
		recordsKey: 'companies',
		...created,
	},
	{
		name: 'Survey Sent',
		value: 'survey.sent',
		description: 'A survey was sent to a customer',
		request: get('/api/v2/nps/outbox', { sort: 'surveyCreatedDate' }),
		recordsKey: 'surveys',
		...datedBy('sentDate'),
		hasDate: ({ sentDate }) => !isBlank(sentDate),
		wait: LONGEST_WAIT_MS,
		identity: surveyKey,
		record: sentSurvey,
	},
];

/** Returns the request for the newest records of a list first, as a manual test shows them. */
export function newestFirst({ request: { path, query } }: EventList) {
	return get(path, { sort: `-${String(query?.sort)}` });
}
