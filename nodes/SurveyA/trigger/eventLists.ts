import { createHash } from 'crypto';
import type { IDataObject } from 'n8n-workflow';

import { get } from '../../shared/http/request';
import { pages } from '../../shared/paging/pages';
import type { PageClient } from '../../shared/paging/pages';
import { momentIn } from '../service';
import { LONGEST_WAIT_MS, surveyKey } from '../records/outbox';
import type { TriggerEvent } from './fields';

/** A record of a list. */
export interface Listed {
	key: string;
	/** In ms. All dates are the service's own: its clock and n8n's may differ. */
	created: number;
	data: IDataObject;
}

/** The list that shows the records of an event. */
export interface EventList {
	path: string;
	/** The name of the array that holds the records in the response. */
	recordsKey: string;
	/** The field by which the list is sorted. */
	sort: string;
	dateField: string;
	/** A record may appear this much later than others of its date, in ms. */
	overlap: number;
	/** True for a list that is sorted by a date that its records do not show. */
	isSortedByHiddenDate?: boolean;
	/** Returns what identifies a record. */
	identity(data: IDataObject): unknown;
}

const created = {
	sort: 'createdDate',
	dateField: 'createdDate',
	overlap: 10 * 60 * 1000,
	identity: (data: IDataObject) => data.id ?? data,
};

export const EVENT_LISTS: Record<TriggerEvent, EventList> = {
	'feedback.created': { ...created, path: '/api/v2/feedback', recordsKey: 'responses' },
	'customer.created': { ...created, path: '/api/v2/nps/customers', recordsKey: 'subscribers' },
	'company.created': { ...created, path: '/api/v2/companies', recordsKey: 'companies' },
	'survey.sent': {
		path: '/api/v2/nps/outbox',
		recordsKey: 'surveys',
		sort: 'surveyCreatedDate',
		dateField: 'sentDate',
		overlap: LONGEST_WAIT_MS,
		isSortedByHiddenDate: true,
		identity: surveyKey,
	},
};

/** Yields the pages of an event's list, the newest records first. */
export function newestFirst(client: PageClient, { path, sort, recordsKey }: EventList) {
	return (pageSize: number) =>
		pages(client, { request: get(path, { sort: `-${sort}` }), recordsKey, pageSize });
}

/** Reads a record; undefined if it has no date yet. */
export function listed(list: EventList, data: IDataObject): Listed | undefined {
	const created = momentIn(data[list.dateField]);
	return created === undefined
		? undefined
		: { key: shortHash(JSON.stringify(list.identity(data))), created, data };
}

export const HASH_LENGTH = 8;

/** Returns 48 bits: among 50,000 known records, a new one looks like one of them once in five billion times. */
export function shortHash(text: string): string {
	return createHash('sha256').update(text).digest('base64url').slice(0, HASH_LENGTH);
}
