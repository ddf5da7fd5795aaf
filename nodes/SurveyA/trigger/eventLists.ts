import type { IDataObject } from 'n8n-workflow';

import type { ApiClient } from '../../shared/http/client';
import { fetchPage } from '../../shared/pagination/pages';
import { get } from '../../shared/http/request';
import type { ReadPage } from './backlog';
import type { TriggerEvent } from './items';
import { toListedRow } from './watermark';

/** The list in which an event's rows appear. */
interface EventList {
	path: string;
	/** The name of the array that holds the rows in the answer. */
	rows: string;
	/** The query that leaves out rows created before a moment, where the service has one. */
	since(floor: number): IDataObject;
}

const LISTS: Record<TriggerEvent, EventList> = {
	'feedback.created': {
		path: '/api/v2/feedback',
		rows: 'responses',
		// A second more: whether the service counts the very moment in is not known.
		since: (floor) => (floor > 0 ? { startDate: Math.floor(floor / 1000) - 1 } : {}),
	},
	'customer.created': {
		path: '/api/v2/nps/customers',
		rows: 'subscribers',
		since: () => ({}),
	},
};

/** Gives what reads pages of an event's list. */
export function eventPageReader(client: ApiClient, event: TriggerEvent): ReadPage {
	const { path, rows, since } = LISTS[event];
	const { service } = client;
	return async ({ number, size, order, floor = 0 }) => {
		const sort = order === 'newest first' ? '-createdDate' : 'createdDate';
		const query = { ...since(floor), sort, ...service.pageQuery(number, size) };
		const page = await fetchPage(client, get(path, query), rows, number);
		const dated = page.rows.map(toListedRow).filter((row) => row !== undefined);
		return { rows: dated, count: page.rows.length, total: page.total };
	};
}
