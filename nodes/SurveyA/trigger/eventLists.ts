import { createHash } from 'crypto';
import type { IDataObject } from 'n8n-workflow';

import { get } from '../../shared/http/request';
import { pages } from '../../shared/paging/walk';
import type { PageClient } from '../../shared/paging/pages';
import type { RecordForms } from '../../shared/records';
import { feedback } from '../records/feedback';
import { LONGEST_WAIT_MS, sentSurvey, surveyKey } from '../records/outbox';
import { momentIn } from '../service';

/** An event of the trigger, and the list that shows its records. */
export interface EventList {
	name: string;
	/** Saved workflows depend on it. */
	value: string;
	description: string;
	path: string;
	/** The name of the array that holds the records in the response. */
	recordsKey: string;
	/** The field by which the list is sorted. If it is not `dateField`, the records do not show it. */
	sort: string;
	dateField: string;
	/** A record may appear this much later than others of its date, in ms. */
	overlap: number;
	/** Returns what identifies a record. */
	identity(data: IDataObject): unknown;
	/** The forms of its records, if they are long. */
	record?: RecordForms;
}

const created = {
	sort: 'createdDate',
	dateField: 'createdDate',
	overlap: 10 * 60 * 1000,
	identity: (data: IDataObject) => data.id ?? data,
};

export const EVENT_LISTS: EventList[] = [
	{
		name: 'Feedback Created',
		value: 'feedback.created',
		description: 'A customer answered a survey',
		path: '/api/v2/feedback',
		recordsKey: 'responses',
		...created,
		record: feedback,
	},
	{
		name: 'Customer Created',
		value: 'customer.created',
		description: 'A customer was added',
		path: '/api/v2/nps/customers',
		recordsKey: 'subscribers',
		...created,
	},
	{
		name: 'Company Created',
		value: 'company.created',
		description: 'A company was added',
		path: '/api/v2/companies',
		recordsKey: 'companies',
		...created,
	},
	{
		name: 'Survey Sent',
		value: 'survey.sent',
		description: 'A survey was sent to a customer',
		path: '/api/v2/nps/outbox',
		recordsKey: 'surveys',
		sort: 'surveyCreatedDate',
		dateField: 'sentDate',
		overlap: LONGEST_WAIT_MS,
		identity: surveyKey,
		record: sentSurvey,
	},
];

/** Yields the pages of an event's list, the newest records first. */
export function newestFirst(client: PageClient, list: EventList, pageSize: number) {
	const { path, sort, recordsKey } = list;
	return pages(client, { request: get(path, { sort: `-${sort}` }), recordsKey, pageSize });
}

export type Listed = NonNullable<ReturnType<typeof listed>>;

/** Reads a record of a list; undefined if it has no date yet. */
export function listed(list: EventList, data: IDataObject) {
	// In ms. All dates are the service's own: its clock and n8n's may differ.
	const created = momentIn(data[list.dateField]);
	if (created === undefined) return undefined;
	return { list, data, created, key: shortHash(JSON.stringify(list.identity(data))) };
}

export const HASH_LENGTH = 8;

/** Returns 48 bits: among 50,000 known records, a new one looks like one of them once in five billion times. */
export function shortHash(text: string): string {
	return createHash('sha256').update(text).digest('base64url').slice(0, HASH_LENGTH);
}
